"""``memoryagentbench``: each source by its own rule, and the published code beside it."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heams.evaluation import EvaluationRecord, MemoryAgentBenchEvaluatorConfig, create_evaluator
from heams.evaluation.memoryagentbench_official import official_scores
from heams.evaluation.memoryagentbench_recommendations import names, recall_of_liked, recommended_titles
from heams.evaluation.memoryagentbench_rules import any_given, best_f1, exact_match, is_newest, share_given
from heams.evaluation.memoryagentbench_sources import RULES, family_of
from heams.scenarios.actions import UserStimulus
from heams.scenarios.outcome import ScenarioOutcome, Step
from heams.scenarios.scenario import Scenario

pytestmark = pytest.mark.anyio


async def _records(
    reply: str, source: str, golds: list[str], config: Any = None, **markers: Any
) -> dict[str, EvaluationRecord]:
    evaluator = create_evaluator(config or MemoryAgentBenchEvaluatorConfig())
    asked = UserStimulus(content="?", step_evaluation_markers={"source": source, "expected_answer": golds, **markers})
    scenario = Scenario(id="s", name="s", actions=[asked], evaluators=[evaluator.config])
    found = await evaluator.evaluate(ScenarioOutcome(scenario, [Step(0, asked, reply=reply)]))
    owed = [record.metric for record in evaluator.expected_records(scenario)]
    assert [record.metric for record in found] == owed
    assert set(owed) <= set(evaluator.config.metrics)
    return {record.metric: record for record in found}


@pytest.mark.parametrize(
    ("source", "family"),
    [
        ("eventqa_65536", "eventqa"),
        ("ruler_qa1_197K", "ruler_qa"),
        ("longmemeval_s*", "longmemeval"),
        ("icl_banking77_5900shot_balance", "icl"),
        ("recsys_redial_full", "recsys"),
        ("factconsolidation_mh_262k", "factconsolidation"),
        ("something new", "other"),
    ],
)
def test_a_part_of_the_name_tells_the_family(source: str, family: str) -> None:
    assert family_of(source) == family


@pytest.mark.parametrize(
    ("reply", "gold", "official", "corrected"),
    [
        ("30", "3.0", True, False),
        ("It is 3.0.", "3.00", False, True),
        ("Nobody knows", "no", True, False),
        ("012", "12", True, False),
        ("anything", "A", True, False),
        ("It is not Lisbon.", "Lisbon", True, False),
        ("On 5 January 2026", "2026-01-05", False, True),
        ("It is Lisbon, not Porto.", "Lisbon", True, True),
        ("No", "no", True, True),
        ("He did not go, she said, but stayed at home.", "he did not go, she said, but stayed at home", True, True),
    ],
)
def test_the_corrected_substring_match_differs_where_the_official_one_is_wrong(
    reply: str, gold: str, official: bool, corrected: bool
) -> None:
    assert official_scores(reply, [gold], "ruler_qa1")["substring_exact_match"] == official
    assert any_given(reply, [gold]) == corrected


@pytest.mark.parametrize(
    ("reply", "gold", "right"),
    [
        ("label: 12", "12", True),
        ("I choose:\n12", "12", False),
        ("I thought.\n**Answer:** 12", "12", True),
        ("Answer: 13\nAnswer: 12", "12", True),
        ("label 13", "12", False),
        ("30", "3.0", False),
        ("The Heron.", "heron", True),
        ("!!!", "!!!", True),
    ],
)
def test_an_exact_match_reads_what_is_marked_as_the_answer(reply: str, gold: str, right: bool) -> None:
    assert exact_match(reply, [gold]) == right


@settings(max_examples=40)
@given(st.text(max_size=30).filter(str.strip))
def test_every_answer_gives_itself(text: str) -> None:
    assert exact_match(text, [text])
    assert any_given(text, [text])
    assert share_given(text, [text]) == 1
    assert best_f1(text, ["\x00", text]) == 1


@settings(max_examples=40)
@given(st.text(max_size=40), st.text(max_size=20))
def test_the_newest_fact_needs_an_answer(reply: str, gold: str) -> None:
    assert is_newest(reply, [gold], []) == any_given(reply, [gold])


def test_reciting_old_and_new_is_not_the_newest_fact() -> None:
    assert not is_newest("first the oboe, then the cello", ["cello"], ["oboe"])
    assert is_newest("the cello, no longer the oboe", ["cello"], ["oboe"])


@pytest.mark.parametrize(
    ("reply", "titles"),
    [
        ("Gladly:\n1. Up (2009)\n2) 12 Moons\n3. Up (2009)", ["Up", "12 Moons"]),
        ("Up, Salt and Rail", ["Up", "Salt and Rail"]),
        ("- **Up**\n- _Seven Wells_", ["Up", "Seven Wells"]),
        ("I cannot recommend anything, there is no information about it.", []),
        ("", []),
    ],
)
def test_titles_are_read_from_lists(reply: str, titles: list[str]) -> None:
    assert recommended_titles(reply) == titles


def test_a_title_may_have_slips_but_no_other_number() -> None:
    assert names("Harbor of Glas", "Harbour of Glass")
    assert not names("Harbr of Glas", "Harbour of Glass")
    assert names("Harbour of Glas - a quiet story", "The Harbour of Glass")
    assert not names("Part 3", "Part 2")
    assert recall_of_liked("1. Up\n2. Down", ["Down", "Elsewhere"], 1) == 0
    assert recall_of_liked("1. Up\n2. Down", ["Down", "Elsewhere"], 5) == 0.5


async def test_each_source_has_metrics_of_its_own() -> None:
    assert set(await _records("x", "icl_x", ["12"])) == {"exact_match"}
    conflict = await _records("cello and oboe", "factconsolidation_sh", ["cello"], outdated_answers=["oboe"])
    assert {name: record.value for name, record in conflict.items() if record.passed is not None} == {
        "substring_exact_match": 1,
        "newest_fact": 0,
    }
    assert conflict["newest_fact"].reason == "gives what a later fact has overruled"
    assert (await _records("red", "ruler_niah_x", ["red", "blue"]))["ruler_recall"].value == 0.5
    assert all(set(rule.metrics) <= set(MemoryAgentBenchEvaluatorConfig().metrics) for rule in RULES.values())


async def test_proxies_stand_where_a_judge_is_official() -> None:
    declined = await _records("That was not mentioned.", "longmemeval_s*", ["-"], abstention=True)
    assert declined["answer_proxy"].value == 1
    said = await _records("The cup was hidden under a boat.", "infbench_sum", ["x"], rubric=["cup hidden under a boat"])
    assert said["keypoints_proxy"].value == 1
    without = await _records("The cup.", "infbench_sum", ["x"])
    assert (without["keypoints_proxy"].outcome, without["f1"].outcome) == ("unscored", "scored")


async def test_a_question_without_answer_is_unscored() -> None:
    records = await _records("x", "ruler_qa1", [], MemoryAgentBenchEvaluatorConfig(legacy=True))
    assert {record.outcome for record in records.values()} == {"unscored"}
    assert records["f1"].reason == "the step has no expected answer"
    assert records["f1_legacy"].reason == "the official code fails here: there is no gold answer to compare with"


async def test_the_published_code_stands_beside(tmp_path: Path) -> None:
    config = MemoryAgentBenchEvaluatorConfig(legacy=True, entity_file=tmp_path / "entity2id.json")
    (tmp_path / "entity2id.json").write_text(json.dumps({"/m/Up_(2009)": 3, "/m/Down": 4}))
    records = await _records("30", "ruler_qa1", ["3.0"], config)
    assert (records["substring_exact_match"].value, records["substring_exact_match_legacy"].value) == (0, 1)
    films = await _records("I cannot.", "recsys_redial", ["Up"], config, film_numbers=["3"])
    assert films["recsys_recall@1"].value == 0
    assert films["recsys_recall@1_legacy"].value in (0, 1)
    without = await _records("Up", "recsys", ["Up"], MemoryAgentBenchEvaluatorConfig(legacy=True), film_numbers=["3"])
    assert "need 'entity_file'" in without["recsys_recall@5_legacy"].reason
