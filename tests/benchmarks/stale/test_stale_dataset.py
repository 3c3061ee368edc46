"""STALE's file: read lazily, each defect mended by a named rule, each mistake refused with its place."""

import json
from pathlib import Path
from typing import Any

import pytest

from heams.benchmarks import StaleBenchmark, StaleBenchmarkConfig
from heams.evaluation import EvidenceRecallEvaluatorConfig, LLMJudgeEvaluatorConfig, StaleEvaluatorConfig
from heta_framework.common.data_files import json_array
from heta_framework.common.data_files.errors import DatasetFormatError

_QUERIES = {"dim1_query": "Where do I live?", "dim2_query": "Which ferry in Riga?", "dim3_query": "Plan my day."}


def _scenario(**changes: Any) -> dict[str, Any]:
    """A scenario as it is published, without a defect: no phrases, and fields that nobody reads."""
    told = [
        {"role": "user", "content": "I live in Riga.", "has_answer": True},
        {"role": "assistant", "content": "Nice."},
    ]
    scenario = {
        "uid": "T1_0001",
        "type": "T1",
        "M_old": "The user lives in Riga.",
        "M_new": "The user unpacked in Oslo.",
        "explanation": "One home takes the place of the other.",
        "relevant_session_index": [0, 2],
        "timestamps": ["2025-01-01 09:00:00", "2025-01-02 09:00:00", "2025-01-03 09:00:00"],
        "haystack_session": [told, [{"role": "user", "content": "Hello."}], [{"role": "user", "content": "Oslo!"}]],
        "probing_queries": _QUERIES,
        "topic": "home",
    }
    return {**scenario, **changes}


def _benchmark(folder: Path, *scenarios: Any, text: str | None = None, **settings: Any) -> StaleBenchmark:
    path = folder / "scenarios.json"
    path.write_text(json.dumps(scenarios) if text is None else text)
    given = {"evaluators": (StaleEvaluatorConfig(), EvidenceRecallEvaluatorConfig()), **settings}
    return StaleBenchmark(StaleBenchmarkConfig(data_file=path, question_prompt="Answer: {question}", **given))


def _rules(benchmark: StaleBenchmark) -> list[tuple[str, str]]:
    return [(note.rule, note.kind) for note in benchmark.skipped]


def test_a_scenario_gives_three_probes_on_one_history_under_names_that_tell_nothing(tmp_path: Path) -> None:
    benchmark = _benchmark(tmp_path, _scenario())
    samples = list(benchmark.samples)
    assert [sample.id for sample in samples] == ["scenario-0001-q1", "scenario-0001-q2", "scenario-0001-q3"]
    assert [sample.tags["cell"] for sample in samples] == ["T1 SR", "T1 PR", "T1 IPA"]
    assert {sample.tags["scenario"] for sample in samples} == {"T1_0001"}
    assert len({id(sample.history) for sample in samples}) == 1
    history = samples[0].history
    assert history is not None
    assert [event.type for event in history.events] == [
        "session_boundary", "turn", "turn", "session_boundary", "turn", "session_boundary", "turn",
    ]  # fmt: skip
    (stimulus,) = samples[0].execution_sequence
    assert stimulus.type == "user_stimulus"
    assert stimulus.content == "Answer: Where do I live?"
    assert stimulus.recall_query == "Where do I live?"
    assert str(stimulus.at).startswith("2025-01-03 09:00")
    assert stimulus.step_evaluation_markers["evidence"] == ["s3-t1"]
    assert benchmark.skipped == []


def test_the_evidence_of_a_control_is_the_old_state(tmp_path: Path) -> None:
    sample = _benchmark(tmp_path, _scenario(type="control")).samples[0]
    assert sample.execution_sequence[0].step_evaluation_markers["evidence"] == ["s1-t1"]  # type: ignore[union-attr]
    assert sample.tags["cell"] == "Control SR"


@pytest.mark.parametrize(
    ("changes", "rules"),
    [
        ({"timestamps": ["2025-01-01 09:00:00", "2025-01-02 09:00:00"]}, [("missing_timestamp", "repaired")]),
        ({"timestamps": ["2025-01-01", "soon", "2025-01-03"]}, [("unreadable_timestamp", "repaired")]),
        ({"timestamps": ["2025-01-02", "2025-01-01", "2025-01-03"]}, [("timestamp_out_of_order", "repaired")]),
        ({"relevant_session_index": [0, 3]}, [("unresolved_evidence", "dropped_label")]),
        ({"relevant_session_index": [0]}, [("unresolved_evidence", "dropped_label")]),
        ({"relevant_session_index": None}, [("unresolved_evidence", "dropped_label")]),
        ({"probing_queries": {**_QUERIES, "dim2_query": " "}}, [("missing_query", "skipped")]),
        ({"haystack_session": [[{"role": "user", "content": "a"}], [], [{"role": "user", "content": "b"}]]},
         [("empty_session", "repaired")]),
        ({"haystack_session": [[{"role": "user", "content": "a"}, {"role": "assistant", "content": ""}]],
          "timestamps": ["2025-01-01"], "relevant_session_index": [0, 0]}, [("empty_turn", "repaired")]),
    ],
)  # fmt: skip
def test_a_defect_is_mended_by_its_rule(tmp_path: Path, changes: dict[str, Any], rules: list[Any]) -> None:
    benchmark = _benchmark(tmp_path, _scenario(**changes))
    assert _rules(benchmark) == rules
    assert all(note.record_id == "T1_0001" for note in benchmark.skipped)
    times = [event.at for event in benchmark.samples[0].history.events if event.type == "session_boundary"]  # type: ignore[union-attr]
    assert times == sorted(times)  # type: ignore[type-var]
    assert len(benchmark.samples) == (2 if rules[0][0] == "missing_query" else 3)


@pytest.mark.parametrize(
    ("scenario", "message"),
    [
        (_scenario(type="T3"), "type"),
        (_scenario(haystack_session=[]), "haystack_session"),
        (_scenario(haystack_session=[[{"role": "robot", "content": "a"}]]), "role"),
        (_scenario(probing_queries=None), "probing_queries"),
        (_scenario(phrases={"dim1": {"must_any": []}}), "must_any"),
        (_scenario(phrases={"dim1": {"must_any": ["a"], "must_nott": ["b"]}}), "must_nott"),
        (_scenario(uid="first"), "found the uid 'first' again; it stands in entry 0 too"),
    ],
)
def test_a_mistake_is_refused_with_its_place(tmp_path: Path, scenario: dict[str, Any], message: str) -> None:
    with pytest.raises(DatasetFormatError, match=message) as refused:
        _benchmark(tmp_path, _scenario(uid="first"), scenario)
    assert "scenarios.json: entry 1" in str(refused.value)


def test_a_file_that_is_cut_off_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DatasetFormatError, match="cut off"):
        _benchmark(tmp_path, text=json.dumps([_scenario()])[:-40])


def test_types_and_limit_choose_scenarios_and_no_more_is_read(tmp_path: Path) -> None:
    scenarios = [_scenario(uid=f"u{number}", type=kind) for number, kind in enumerate(("T1", "control", "T2", "T2"))]
    chosen = _benchmark(tmp_path, *scenarios, types=("T2",))
    assert [sample.tags["scenario"] for sample in chosen.samples] == ["u2"] * 3 + ["u3"] * 3
    cut = json.dumps(scenarios)
    assert len(_benchmark(tmp_path, text=cut[: cut.index('"u3"')], limit=7).samples) == 7
    with pytest.raises(DatasetFormatError, match="no scenarios of the types control"):
        _benchmark(tmp_path, _scenario(), types=("control",))


def test_at_most_two_scenarios_are_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    benchmark = _benchmark(tmp_path, *(_scenario(uid=f"u{number}") for number in range(3)))
    read: list[int] = []

    def counted(path: Path, place: Any) -> Any:
        read.append(place.number)
        return json_array.read_at(path, place)

    monkeypatch.setattr("heams.benchmarks.stale.dataset.read_at", counted)
    for _ in range(2):
        assert [benchmark.samples.id_at(place) for place in range(9)] == [one.id for one in benchmark.samples]  # type: ignore[attr-defined]
    assert read == [0, 1, 2, 0, 1, 2]


def test_a_judge_is_asked_about_what_it_knows(tmp_path: Path) -> None:
    judges = [
        LLMJudgeEvaluatorConfig.model_validate({"judges": [{"model": "openai:gpt-4o-mini"}], "policy": policy})
        for policy in ("stale", "stale_still_holds", "lenient")
    ]
    ended, held = (
        _benchmark(tmp_path, _scenario(type=kind), evaluators=tuple(judges)).samples[0].evaluators
        for kind in ("T1", "control")
    )
    assert [one.policy_name for one in ended] == ["stale", "lenient"]  # type: ignore[attr-defined]
    assert [one.policy_name for one in held] == ["stale_still_holds", "lenient"]  # type: ignore[attr-defined]
