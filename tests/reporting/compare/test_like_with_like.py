"""Comparisons that are refused, the names that lift a refusal, and what may differ anyway."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from heams.reporting.compare import UnlikeExperiments

Two = Callable[..., tuple[Any, Any]]
BUDGET = {"recall_budget": {"items": 5, "tokens": None}}


def _judge(model: str) -> dict[str, Any]:
    return {"evaluators": [{"type": "llm_judge", "judges": [{"model_id": model}], "policy": "correctness"}]}


def _played(two: Two, record: Any, b: Mapping[str, Any], **fields: Any) -> tuple[Any, Any]:
    sides = two(b)
    for saved in sides:
        saved.add("q", record(1, **fields))
    return sides


def test_everything_that_differs_is_named_and_can_be_allowed(two: Two, comparing: Any, record: Any) -> None:
    settings = BUDGET | {"repeats": 3, "seed": 7, "ingestion": "through_agent"}
    benchmark = {"question_prompt": "Say: {q}", "split": "test", "limit": 3}
    sides = _played(two, record, {"sha256": "1" * 64, "settings": settings, "benchmark": benchmark})
    with pytest.raises(UnlikeExperiments) as refused:
        comparing(*sides)
    said = {
        "data": "data: data_file is sha256 000000000000 in A and sha256 111111111111 in B",
        "prompt": 'benchmark: question_prompt is not saved in A and "Say: {q}" in B',
        "benchmark": 'benchmark: split is not saved in A and "test" in B',
        "limit": "benchmark: limit is not saved in A and 3 in B",
        "budget": "recall budget: items is 10 in A and 5 in B",
        "repeats": "repeats is 1 in A and 3 in B",
        "seed": "seed is 0 in A and 7 in B",
        "ingestion": "ingestion is direct in A and through_agent in B",
    }
    assert {one.name: str(one) for one in refused.value.differences} == said
    assert all(f"\n  {name}: {words.removeprefix(name + ': ')}\n" in str(refused.value) for name, words in said.items())
    with pytest.raises(UnlikeExperiments) as once_more:
        comparing(*sides, allow=set(said) - {"seed", "data"})
    assert once_more.value.names == ("data", "seed")
    assert {one.name for one in comparing(*sides, allow=said).allowed} == set(said)


def test_one_component_may_differ_and_its_settings_are_what_is_compared(two: Two, comparing: Any, record: Any) -> None:
    found = comparing(*_played(two, record, {}))
    assert [str(one) for one in found.components] == ['memory system: type is "lexical" in A and "vector" in B']


def test_two_components_may_not_differ_unless_one_is_allowed(two: Two, comparing: Any, record: Any) -> None:
    sides = _played(two, record, {"agent": "reciting"})
    with pytest.raises(UnlikeExperiments, match="Of agent and memory_system, one is enough") as refused:
        comparing(*sides)
    assert refused.value.names == ("agent", "memory_system")
    assert comparing(*sides, allow=["agent"]).n == 1


def test_a_reference_is_held_to_no_budget(two: Two, comparing: Any, record: Any) -> None:
    assert comparing(*_played(two, record, {"memory": "full_context", "settings": BUDGET})).n == 1


def test_another_version_is_a_remark_and_no_reason_to_refuse(two: Two, comparing: Any, record: Any) -> None:
    sides = _played(two, record, {"provenance": {"packages": {"heams": "9.9"}}})
    assert comparing(*sides).versions == ("0.1.0", "9.9")


def test_another_judge_matters_to_the_metric_that_it_gives(two: Two, comparing: Any, record: Any) -> None:
    sides = two({"benchmark": _judge("openai:large")}, benchmark=_judge("openai:small"))
    for saved in sides:
        saved.add("q", record(1), record(1, evaluator="llm_judge", metric="judge_correctness"))
    assert comparing(*sides, metric=("judge", "f1")).n == 1
    with pytest.raises(UnlikeExperiments) as refused:
        comparing(*sides, metric=("llm_judge", "judge_correctness"))
    assert refused.value.names == ("judge",)
    assert "openai:small" in str(refused.value)


def test_what_records_say_of_their_judge_is_compared(two: Two, comparing: Any, record: Any) -> None:
    sides = two()
    for saved, policy in zip(sides, ("aaa", "bbb"), strict=True):
        facts = {"models": ["m"], "policy_hashes": {"p": policy}, "votes_per_model": 1}
        saved.add("q", record(1, evaluator="llm_judge", metric="judge_p", audit={"judge": facts}))
    with pytest.raises(UnlikeExperiments) as refused:
        comparing(*sides)
    assert [(one.name, one.what) for one in refused.value.differences] == [("judge", "judge: policy_hashes")]


def test_an_unfinished_run_is_named(two: Two, comparing: Any, record: Any) -> None:
    a, b = _played(two, record, {})
    a.status()
    b.status("interrupted", total=3)
    with pytest.raises(UnlikeExperiments, match="unfinished: what was played is 1 of 1 in A and 1 of 3, interrupted"):
        comparing(a, b)


def test_another_limit_of_the_run_is_named(two: Two, comparing: Any, record: Any) -> None:
    a, b = _played(two, record, {})
    a.status()
    b.status("completed", limit=1)
    with pytest.raises(UnlikeExperiments, match="limit: how many samples were played is all in A and the first 1 in B"):
        comparing(a, b)


def test_values_that_steer_terminals_are_shown_as_signs(two: Two, comparing: Any, record: Any) -> None:
    sides = _played(two, record, {"benchmark": {"split": "\x1b[31mred"}})
    with pytest.raises(UnlikeExperiments) as refused:
        comparing(*sides)
    assert "\x1b" not in str(refused.value)
