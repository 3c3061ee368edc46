"""memoryagentbench: rows of either format become histories in chunks and questions on forks; defects are named."""

import json
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from heams.benchmarks import BenchmarkSample, MemoryAgentBenchBenchmark, MemoryAgentBenchBenchmarkConfig
from heams.benchmarks.memoryagentbench.chunks import chunks
from heams.benchmarks.memoryagentbench.competencies import COMPETENCIES
from heams.benchmarks.memoryagentbench.defects import DEFECTS
from heams.evaluation import create_evaluator
from heams.evaluation.memoryagentbench_sources import NEWEST, RULES, family_of
from heams.evaluation.nugget import RUBRIC
from heams.scenarios.actions import UserStimulus
from heams.scenarios.outcome import ScenarioOutcome, Step
from heta_framework.common.data_files import DatasetFormatError
from heta_framework.common.text.tokens import count_tokens

pytestmark = pytest.mark.anyio
_SEED = Path(__file__).parents[3] / "datasets" / "memoryagentbench"
_FACTS = "Here is a list of facts:\n0. Ada lives in Vell.\n1. Ada lives in Merrow."


def _row(source: str = "factconsolidation_sh_6k", context: str = _FACTS, **other: Any) -> dict[str, Any]:
    metadata = {"source": source, **other.pop("metadata", {})}
    row = {"context": context, "questions": ["Where does Ada live?"], "answers": [["Merrow", "in Merrow"]]}
    return {**row, **other, "metadata": metadata}


def _write_lines(folder: Path, name: str, rows: list[dict[str, Any]]) -> None:
    (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n\n" for row in rows))


def _write_table(folder: Path, name: str, rows: list[dict[str, Any]]) -> None:
    _write_lines(folder, "rows", rows)
    lines, table = folder / "rows.jsonl", folder / f"{name}-00000-of-00001.parquet"
    with duckdb.connect() as connection:
        connection.read_json(str(lines)).write_parquet(str(table))
    lines.unlink()


def _benchmark(folder: Path, **chosen: Any) -> MemoryAgentBenchBenchmark:
    defaults = {
        "data_dir": folder,
        "prompts": {"default": "Q: {question}", "icl": "L: {question}"},
        "evaluators": [{"type": "memoryagentbench"}],
    }
    return MemoryAgentBenchBenchmark(MemoryAgentBenchBenchmarkConfig.model_validate({**defaults, **chosen}))


def _asked(sample: BenchmarkSample) -> UserStimulus:
    (stimulus,) = sample.execution_sequence
    assert isinstance(stimulus, UserStimulus)
    return stimulus


def _told(sample: BenchmarkSample) -> list[str]:
    assert sample.history is not None
    return [event.content for event in sample.history.events if event.type == "turn"]


def _seed(**chosen: Any) -> MemoryAgentBenchBenchmark:
    return _benchmark(_SEED, entity_file=_SEED / "entity2id.json", chunk_tokens=80, **chosen)


def test_the_seed_set_has_every_competency() -> None:
    benchmark = _seed()
    assert Counter(sample.tags["competency"] for sample in benchmark.samples) == {
        "Accurate_Retrieval": 12,
        "Test_Time_Learning": 12,
        "Long_Range_Understanding": 7,
        "Conflict_Resolution": 12,
    }
    assert len({sample.id for sample in benchmark.samples}) == 43
    assert not benchmark.skipped


def test_every_source_is_in_the_headline_by_its_own_metric() -> None:
    headline = MemoryAgentBenchBenchmarkConfig.report_info.headline_metrics
    assert {rule.headline for rule in RULES.values()} == set(headline)


@pytest.mark.parametrize("write", [_write_lines, _write_table])
def test_both_formats_give_the_same_samples(tmp_path: Path, write: Callable[..., None]) -> None:
    rows = [
        _row(metadata={"qa_pair_ids": ["no0"], "question_types": ["single"], "outdated_answers": [["Vell"]]}),
        _row(
            "longmemeval_s*",
            "A talk.",
            metadata={"qa_pair_ids": ["q_abs"], "question_dates": ["2023/05/30 (Tue) 23:40"]},
        ),
    ]
    write(tmp_path, "Conflict_Resolution", rows)
    first, second = _benchmark(tmp_path).samples
    assert (first.id, _told(first)) == ("Conflict_Resolution-1/q1", [_FACTS])
    assert first.tags == {
        "competency": "Conflict_Resolution",
        "source": "factconsolidation_sh_6k",
        "row": "1",
        "question_type": "single",
    }
    assert _asked(first).content == "Q: Where does Ada live?"
    assert _asked(first).recall_query == "Where does Ada live?"
    assert _asked(first).step_evaluation_markers == {
        "source": "factconsolidation_sh_6k",
        "expected_answer": ["Merrow", "in Merrow"],
        "outdated_answers": ["Vell"],
        "question_id": "no0",
        "question_type": "single",
    }
    assert _told(second) == ["A talk."]
    assert _asked(second).at == datetime(2023, 5, 30, 23, 40, tzinfo=UTC)
    assert _asked(second).step_evaluation_markers["abstention"] is True


def test_a_context_is_shared_by_its_questions_and_few_are_held(tmp_path: Path) -> None:
    rows = [
        _row(context=f"0. Ada lives in {place}.", questions=["Where?", "Who?"], answers=["x", "y"]) for place in "ABC"
    ]
    _write_lines(tmp_path, "Conflict_Resolution", rows)
    samples = _benchmark(tmp_path).samples
    assert samples[0].history is samples[1].history
    assert samples[0].history != samples[2].history
    assert [sample.id for sample in _benchmark(tmp_path, questions_per_context=1, limit=2).samples] == [
        "Conflict_Resolution-1/q1",
        "Conflict_Resolution-2/q1",
    ]


@given(st.lists(st.text(alphabet="abc ", min_size=1, max_size=20), min_size=1, max_size=30), st.sampled_from([24, 60]))
@settings(max_examples=15)
def test_no_numbered_fact_is_cut_and_none_is_lost(facts: list[str], size: int) -> None:
    lines = [f"{number}. fact {fact.strip()}." for number, fact in enumerate(facts)]
    pieces = chunks("\n".join(lines), size)
    assert [line for piece in pieces for line in piece.split("\n")] == lines
    assert all(count_tokens(piece) <= size for piece in pieces)


def test_paragraphs_are_kept_before_lines() -> None:
    examples = [f"The parcel number {number} is late.\nlabel: {number}" for number in range(9)]
    pieces = chunks("\n\n".join(examples), 40)
    assert 1 < len(pieces) < 9
    assert [example for piece in pieces for example in piece.split("\n\n")] == examples


def test_prompts_and_further_evaluators_go_by_source(tmp_path: Path) -> None:
    _write_lines(tmp_path, "Test_Time_Learning", [_row("icl_trec", "x\nlabel: 1"), _row("other_source")])
    benchmark = _benchmark(tmp_path, evaluators_of={"icl": [{"type": "task_qa", "match_mode": "exact"}]})
    icl, other = benchmark.samples
    assert _asked(icl).content == "L: Where does Ada live?"
    assert [one.type for one in icl.evaluators] == ["memoryagentbench", "task_qa"]  # type: ignore[attr-defined]
    assert len(other.evaluators) == 1
    with pytest.raises(ValidationError, match="both give the metric"):
        _benchmark(tmp_path, evaluators_of={"icl": [{"type": "memoryagentbench"}]})


def test_every_defect_is_named(tmp_path: Path) -> None:
    asked: dict[str, Any] = {"questions": ["Where?", "Who?"], "answers": [["", "Vell"], []]}
    rows = [
        _row(context=" \n"),
        _row(answers=[]),
        _row(context="1. A.\n0. B.", **asked),
        _row("longmemeval_s", metadata={"question_dates": ["soon"], "question_types": ["a", "b"]}),
        _row("ruler_qa1", questions=["  "]),
        _row("infbench_sum_eng"),
        _row("unheard of"),
        _row("unheard of"),
        _row("recsys_x", answers=[["0", "7"]]),
    ]
    _write_lines(tmp_path, "Conflict_Resolution", rows)
    _write_lines(tmp_path, "Accurate_Retrieval", [])
    (tmp_path / "entity2id.json").write_text('{"Up": 0}')
    without, with_films = _benchmark(tmp_path), _benchmark(tmp_path, entity_file=tmp_path / "entity2id.json")
    found = [(note.record_id.removeprefix("Conflict_Resolution-"), note.rule, note.kind) for note in without.skipped]
    assert found == [
        ("Accurate_Retrieval", "no_rows", "skipped"),
        ("1", "empty_context", "skipped"),
        ("2", "answers_do_not_line_up", "skipped"),
        ("3", "serials_out_of_order", "repaired"),
        ("3/q1", "blank_alternative", "repaired"),
        ("3/q2", "no_answer", "skipped"),
        ("4", "labels_do_not_line_up", "dropped_label"),
        ("4/q1", "unreadable_date", "dropped_label"),
        ("5/q1", "blank_question", "skipped"),
        ("6", "no_keypoints", "dropped_label"),
        ("7", "unknown_source", "repaired"),
        ("8", "repeated_row", "skipped"),
        ("9", "no_entity_file", "skipped"),
    ]
    assert with_films.skipped[-1].rule == "unknown_film"
    assert _asked(with_films.samples[-1]).step_evaluation_markers["film_numbers"] == ["0"]
    assert {note.rule for note in (*without.skipped, *with_films.skipped)} == set(DEFECTS)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (
            {"questions": ["?"], "answers": ["x"], "metadata": {"source": "x"}},
            r"Conflict_Resolution.jsonl:1: context: not given",
        ),
        (_row(questions="?"), r"jsonl:1: questions: found"),
        (_row(metadata={"source": ""}), r"metadata, source"),
        (_row(answers=[[3]]), r"answers"),
    ],
)
def test_a_bad_row_is_refused_with_line_and_field(tmp_path: Path, row: dict[str, Any], message: str) -> None:
    _write_lines(tmp_path, "Conflict_Resolution", [row])
    with pytest.raises(DatasetFormatError, match=message):
        _benchmark(tmp_path)


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(DatasetFormatError, match=r"found no <competency>\.jsonl"):
        _benchmark(tmp_path)
    _write_lines(tmp_path, "Accurate_Retrieval", [_row()])
    with pytest.raises(DatasetFormatError, match=r"found no Conflict_Resolution\.jsonl"):
        _benchmark(tmp_path, competencies=["Conflict_Resolution"])
    with pytest.raises(DatasetFormatError, match="no row is of the chosen sources"):
        _benchmark(tmp_path, sources=["eventqa"])
    _write_table(tmp_path, "Accurate_Retrieval", [_row()])
    with pytest.raises(DatasetFormatError, match="found several files for Accurate_Retrieval"):
        _benchmark(tmp_path)


def test_a_table_in_another_layout_is_refused(tmp_path: Path) -> None:
    _write_table(tmp_path, "Accurate_Retrieval", [{"context": "x", "metadata": {"kind": "y"}}])
    with pytest.raises(DatasetFormatError, match="found no field 'source'"):
        _benchmark(tmp_path)
    (tmp_path / "Accurate_Retrieval-00000-of-00001.parquet").write_bytes(b"no table")
    with pytest.raises(DatasetFormatError, match="expected a table with the columns"):
        _benchmark(tmp_path)


async def test_a_perfect_agent_scores_1_and_a_refusing_one_0() -> None:
    for said, score in ((_gold, 1.0), (lambda _: "That was not mentioned.", 0.0)):
        for sample in _seed().samples:
            scores = await _scores(sample, said(sample))
            headline = RULES[family_of(sample.tags["source"])].headline
            assert scores[headline] == score
            assert scores.get(NEWEST, score) == score


async def test_reciting_the_whole_context_wins_no_conflict() -> None:
    samples = [one for one in _seed().samples if one.tags["competency"] == COMPETENCIES[3]]
    scores = [await _scores(sample, "\n".join(_told(sample))) for sample in samples]
    assert {one["substring_exact_match"] for one in scores} == {1.0}
    assert {one[NEWEST] for one in scores} == {0.0}


async def _scores(sample: BenchmarkSample, reply: str) -> dict[str, float | None]:
    evaluator = create_evaluator(sample.evaluators[0])
    played = ScenarioOutcome(sample.to_scenario(), [Step(0, _asked(sample), reply=reply)])
    return {record.metric: record.value for record in await evaluator.evaluate(played)}


def _gold(sample: BenchmarkSample) -> str:
    """All liked films, all key points, or the answer."""
    markers = _asked(sample).step_evaluation_markers
    golds: Any = markers["expected_answer"]
    if RUBRIC in markers:
        points: Any = markers[RUBRIC]
        return ". ".join(points)
    return (
        "\n".join(f"{place}. {gold}" for place, gold in enumerate(golds, 1)) if "film_numbers" in markers else golds[0]
    )
