"""ee: streams become scenarios with one memory each; what is told comes after the answer, in every order the same."""

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from heams.benchmarks import EEBenchmark, EEBenchmarkConfig
from heams.scenarios.actions import Action, Feedback, UserStimulus
from heta_framework.common.data_files.errors import DatasetFormatError

_SEED = Path(__file__).parents[3] / "datasets" / "ee" / "streams.jsonl"
_ITEMS = [
    {"id": "a1", "input": "1 and 2?", "target": "3", "template": "sum"},
    {"id": "a2", "input": "3 and 4?", "target": "7", "template": "sum"},
    {"id": "a3", "input": "5 and 6?", "target": "11", "template": "sum", "phase": "test"},
    {"id": "b1", "input": "Sign K?", "target": "62"},
]


def _stream(**changes: Any) -> dict[str, Any]:
    return {"stream_id": "s", "task": "aime", "feedback": "gold", "items": _ITEMS, **changes}


def _file(folder: Path, *rows: Any, name: str = "streams.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def _benchmark(**settings: Any) -> EEBenchmark:
    defaults = {"splits": ["plain"], "question_prompt": "Solve: {problem}", "evaluators": [{"type": "aime"}]}
    return EEBenchmark(EEBenchmarkConfig.model_validate({**defaults, **settings}))


def _items(actions: Sequence[Action]) -> list[str]:
    return [_tags(action)["item"] for action in actions if isinstance(action, UserStimulus)]


def _tags(action: Action) -> Any:
    assert isinstance(action, UserStimulus)
    return action.step_evaluation_markers["tags"]


def test_a_stream_is_played_once_for_each_split_and_order(tmp_path: Path) -> None:
    path = _file(tmp_path, _stream(), _stream(stream_id="t", feedback="none"))
    samples = _benchmark(streams_file=path, splits=["plain", "isomorphic"], orders=[0, 7]).samples
    assert [sample.id for sample in samples][:4] == [
        "s-plain-order0", "s-plain-order7", "s-isomorphic-order0", "s-isomorphic-order7",
    ]  # fmt: skip
    assert len(samples) == 8
    assert samples[0].tags == {"stream": "s", "split": "plain", "order": "0", "feedback": "gold"}
    assert samples[4].tags["feedback"] == "none"
    assert [sample.id for sample in _benchmark(streams_file=path, limit=1).samples] == ["s-plain-order0"]
    assert _benchmark(streams_file=path, feedback="correctness").samples[4].tags["feedback"] == "correctness"


def test_every_problem_begins_a_session_and_is_followed_by_what_is_told(tmp_path: Path) -> None:
    path = _file(tmp_path, _stream())
    actions = list(_benchmark(streams_file=path).samples[0].execution_sequence)
    assert [action.type for action in actions] == ["session_boundary", "user_stimulus", "feedback"] * 4
    for step, action in enumerate(actions):
        if isinstance(action, Feedback):
            assert (action.of_step, action.kind) == (step - 1, "gold")
    asked = actions[1]
    assert isinstance(asked, UserStimulus)
    assert asked.content == f"Solve: {asked.recall_query}"
    one_session = list(_benchmark(streams_file=path, fresh_sessions=False).samples[0].execution_sequence)
    assert [action.type for action in one_session] == ["user_stimulus", "feedback"] * 4
    assert [action.of_step for action in one_session if isinstance(action, Feedback)] == [0, 2, 4, 6]


def test_an_order_depends_on_its_seed_and_on_ids_alone(tmp_path: Path) -> None:
    streams = {"first": _stream(), "other": _stream(items=[{**item, "input": "?"} for item in reversed(_ITEMS)])}
    orders = {
        name: [
            _items(list(sample.execution_sequence))
            for sample in _benchmark(streams_file=_file(tmp_path, stream, name=name), orders=range(8)).samples
        ]
        for name, stream in streams.items()
    }
    assert orders["first"] == orders["other"]
    assert len({tuple(order) for order in orders["first"]}) > 4
    assert all(sorted(order) == ["a1", "a2", "a3", "b1"] for order in orders["first"])


def test_the_repeat_split_asks_everything_twice(tmp_path: Path) -> None:
    (sample,) = _benchmark(streams_file=_file(tmp_path, _stream()), splits=["repeat"], orders=[0]).samples
    asked = [action for action in sample.execution_sequence if isinstance(action, UserStimulus)]
    assert Counter(_items(asked[:4])) == Counter(_items(asked[4:]))
    assert [_tags(action)["exposure"] for action in asked] == ["first"] * 4 + ["repeat"] * 4
    thirds = ["first"] * 3 + ["middle"] * 3 + ["last"] * 2
    assert [_tags(action)["third"] for action in asked] == thirds


def test_the_isomorphic_split_tests_with_new_numbers_and_tells_nothing(tmp_path: Path) -> None:
    (sample,) = _benchmark(streams_file=_file(tmp_path, _stream()), splits=["isomorphic"], orders=[0]).samples
    actions = list(sample.execution_sequence)
    assert set(_items(actions[:6])) == {"a1", "a2"}, "b1 has no template that is tested"
    assert [action.type for action in actions[6:]] == ["session_boundary", "user_stimulus"]
    assert _tags(actions[7])["exposure"] == "isomorphic"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"items": [{**_ITEMS[0], "target": "1000"}]}, "the target '1000' is no integer from 0 to 999"),
        ({"items": [_ITEMS[0], _ITEMS[0]]}, "share the id 'a1'"),
        ({"items": [{**_ITEMS[2], "template": "other"}, _ITEMS[0]]}, "no item of phase 'learn' has its template"),
        ({"items": []}, "items"),
        ({"feedback": "always"}, "feedback"),
        ({"stream_id": "first"}, "found the id 'first' again"),
    ],
)
def test_a_bad_stream_is_refused_with_its_line(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(DatasetFormatError, match=message) as refused:
        _benchmark(streams_file=_file(tmp_path, _stream(stream_id="first"), _stream(**changes)))
    assert "streams.jsonl:2" in str(refused.value)


def test_the_isomorphic_split_needs_something_to_test(tmp_path: Path) -> None:
    with pytest.raises(DatasetFormatError, match="needs some"):
        _benchmark(streams_file=_file(tmp_path, _stream(items=_ITEMS[:2])), splits=["isomorphic"])


def test_targets_of_other_tasks_are_free(tmp_path: Path) -> None:
    path = _file(tmp_path, _stream(task="capitals", items=[{"id": "x", "input": "Of Arlen?", "target": "Nimra"}]))
    assert len(_benchmark(streams_file=path).samples) == 3


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({}, "either 'streams_file' or 'aime_files'"),
        ({"streams_file": "a", "aime_files": ["b"]}, "either 'streams_file' or 'aime_files'"),
        ({"aime_files": ["b"]}, "say what 'feedback' is"),
        ({"aime_files": ["b"], "feedback": "gold", "splits": ["isomorphic"]}, "AIME files have none"),
        ({"streams_file": "a", "orders": [1, 1]}, "each may be named once"),
        ({"streams_file": "a", "splits": []}, "splits"),
        ({"streams_file": "a", "question_prompt": "?"}, "problem"),
    ],
)
def test_a_bad_configuration_is_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        _benchmark(**settings)


def test_aime_files_are_streams_and_their_defects_have_names(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"input": "One?", "target": "25", "metadata": {"ID": "2099-I-1", "Solution": "It is 25."}},
        {"input": "Two?", "target": "025"},
        {"input": "Three?", "target": 7},
        {"input": "Four?", "target": "1000"},
        {"input": "Two?", "target": "25"},
    ]
    path = _file(tmp_path, *rows, name="AIME_2099.jsonl")
    benchmark = _benchmark(aime_files=[path], feedback="gold", orders=[0])
    (sample,) = benchmark.samples
    assert sample.tags["stream"] == "AIME_2099"
    assert sorted(_items(list(sample.execution_sequence))) == ["2099-I-1", "AIME_2099-02", "AIME_2099-03"]
    assert "It is 25." not in sample.model_dump_json()
    assert [(note.record_id, note.rule, note.kind) for note in benchmark.skipped] == [
        ("AIME_2099-02", "target_spelling", "repaired"),
        ("AIME_2099-03", "number_as_target", "repaired"),
        ("AIME_2099-04", "target_out_of_range", "skipped"),
        ("AIME_2099-05", "repeated_problem", "skipped"),
    ]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{"input": "One?"}], "target"),
        ([{"input": "One?", "target": "1", "answer": "1"}], "answer"),
        ([{"input": "One?", "target": "1", "metadata": {"ID": "x"}}] * 2, "found the id 'x' again"),
        ([], "holds no problems"),
    ],
)
def test_a_bad_aime_file_is_refused(tmp_path: Path, rows: list[Any], message: str) -> None:
    with pytest.raises(DatasetFormatError, match=message):
        _benchmark(aime_files=[_file(tmp_path, *rows)], feedback="gold")


def test_the_seed_set_has_repeats_new_numbers_and_things_to_know_by_heart() -> None:
    samples = _benchmark(streams_file=_SEED, splits=["repeat", "isomorphic"]).samples
    assert len(samples) == 12
    exposures = Counter(
        str(_tags(action)["exposure"])
        for sample in samples
        for action in sample.execution_sequence
        if action.type == "user_stimulus"
    )
    assert exposures == {"first": 195, "repeat": 129, "isomorphic": 33}
