"""ee from a run to its roll-up: memory pays where there is something to learn, and only after it was told."""

import json
from typing import Any

import pytest

from heams.api import run
from heams.benchmarks.ee.report import render_ee_rollup_sections
from heams.reporting.benchmark_rollup import rollup_renderer
from heams.reporting.load import Results

_CRATES = [(24, 7), (30, 9), (11, 12)]
_ITEMS = [
    *(
        {
            "id": f"crate-{number}",
            "input": f"A crate holds {pears} pears. How many pears are there in {crates} crates?",
            "target": str(pears * crates),
            "template": "crate",
            "phase": "test" if number == len(_CRATES) - 1 else "learn",
        }
        for number, (pears, crates) in enumerate(_CRATES)
    ),
    {"id": "sign", "input": "How many coins does the stall with the sign K-417 pay?", "target": "62"},
]
_EXPERIMENTS: dict[str, tuple[dict[str, Any], str]] = {
    "nothing": ({"type": "learner"}, "no_memory"),
    "learns": ({"type": "learner"}, "lexical"),
    "perfect": ({"type": "scripted", "answers": {item["input"]: item["target"] for item in _ITEMS}}, "no_memory"),
    "refuses": ({"type": "scripted", "default": "I cannot help with that."}, "no_memory"),
    "parrot": ({"type": "scripted", "echo_recalled": True}, "lexical"),
}


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    """One stream with the answer told and one with right or wrong told, played by several agents."""
    root = tmp_path_factory.mktemp("project")
    (root / "configs").mkdir()
    streams = [
        {"stream_id": feedback, "task": "aime", "feedback": feedback, "items": _ITEMS}
        for feedback in ("gold", "correctness", "none")
    ]
    (root / "streams.jsonl").write_text("".join(json.dumps(stream) + "\n" for stream in streams))
    benchmark = {
        "type": "ee",
        "streams_file": "streams.jsonl",
        "splits": ["repeat", "isomorphic"],
        "orders": [0, 1, 2],
        "question_prompt": "{problem}",
        "evaluators": [{"type": "aime", "legacy": True}],
    }
    experiments = [
        {
            "name": name,
            "agent_config": agent,
            "memory_system_config": {"type": memory},
            "benchmark_config": benchmark,
        }
        for name, (agent, memory) in _EXPERIMENTS.items()
    ]
    return run({"run_name": "ee", "experiments": experiments}, root / "results", root=root)


def _accuracy(results: Results, name: str, **tags: str) -> float:
    (experiment,) = (experiment for experiment in results.experiments if experiment.name == name)
    found = [
        record.value or 0.0
        for result in experiment
        for record in result.records
        if record.metric == "aime_accuracy" and tags.items() <= dict(record.tags).items()
    ]
    return sum(found) / len(found)


def test_a_perfect_agent_solves_all_and_a_refusing_one_nothing(results: Results) -> None:
    assert _accuracy(results, "perfect") == 1
    assert _accuracy(results, "refuses") == _accuracy(results, "parrot") == 0


def test_with_a_memory_the_learner_learns_and_without_one_it_does_not(results: Results) -> None:
    assert _accuracy(results, "nothing") == 0
    assert _accuracy(results, "learns", feedback="gold", exposure="repeat") == 1
    assert _accuracy(results, "learns", feedback="gold", exposure="isomorphic") == 1
    assert 0 < _accuracy(results, "learns", feedback="gold", exposure="first") < 1


def test_right_or_wrong_teaches_less_than_the_answer_and_nothing_teaches_nothing(results: Results) -> None:
    gold, told, none = (_accuracy(results, "learns", feedback=kind) for kind in ("gold", "correctness", "none"))
    assert gold > told > none == 0


def test_the_answer_reaches_the_memory_only_where_it_is_told_and_after_it_was_scored(results: Results) -> None:
    (learns,) = (experiment for experiment in results.experiments if experiment.name == "learns")
    for result in learns:
        for step in result.transcript:
            assert not (step.writes and step.reply), "nothing is written before the answer is judged"
            notes = [write.content for write in step.writes or ()]
            if result.tags["feedback"] == "correctness":
                assert not any("Answer: 62" in note for note in notes), "it could not know"


def _rows(rollup: str, section: str) -> list[dict[str, list[str]]]:
    """The tables of a section: the cells of each row by its first cell, and of the header."""
    blocks = rollup.partition(f"### {section}\n")[2].partition("\n##")[0].split("\n\n")
    tables = [[line.strip("| ").split(" | ") for line in block.splitlines()] for block in blocks if "|" in block]
    return [{row[0]: row[1:] for row in table} for table in tables]


def test_the_rollup_sets_the_memory_against_none_on_the_same_visits(results: Results) -> None:
    assert rollup_renderer("ee") is render_ee_rollup_sections
    beside = [experiment for experiment in results.experiments if experiment.name in ("nothing", "learns")]
    rollup = "\n\n".join(render_ee_rollup_sections(beside))
    course, gained, kept, cost = _rows(rollup, "Every problem, then every problem again (the answer is told)")
    assert [row[0] for row in (course["no_memory"], course["lexical"])] == ["*lower reference*", "—"]
    assert course["memory system"][-2:] == ["slope", "spread"]
    assert float(course["lexical"][1].split()[0]) == pytest.approx((1 + 2 / 4) / 2)
    assert gained["lexical"][1].startswith("0.750")
    assert gained["lexical"][2:] == ["24", "4", "0", "0.125", "0.000"]
    assert "no_memory" not in gained
    assert kept["lexical"][3].startswith("0.500")
    assert cost["no_memory"][1:] == ["0", "none solved", "none solved"]
    course, gained, numbers, _ = _rows(rollup, "Problems, then the same with new numbers (the answer is told)")
    assert numbers["lexical"][2].startswith("1.000")
    assert "How to read these tables" in rollup
    assert "no gain over it" not in rollup


def test_the_verdict_of_the_official_code_has_a_column_of_its_own(results: Results) -> None:
    rollup = "\n\n".join(render_ee_rollup_sections(results.experiments))
    course = _rows(rollup, "Every problem, then every problem again (the answer is told)")[0]
    column = course["memory system"].index("by the official code")
    assert course["memory system"][column - 1] == "accuracy"
    assert course["lexical"][column].split()[0] == "0.000", "a plain sentence gives the official code nothing"
