"""The published scoring of BEAM: every score that its own code gave to invented inputs, and every error it raised."""

import asyncio
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from heams.evaluation import LLMJudgeEvaluator, LLMJudgeEvaluatorConfig
from heams.evaluation.beam_official import align, order_score, report_table, rubric_score
from heams.evaluation.nugget import RUBRIC
from heams.scenarios.actions import UserStimulus
from heams.scenarios.outcome import ScenarioOutcome, Step
from heams.scenarios.scenario import Scenario
from heta_framework.common.judge import Judge
from heta_framework.common.models.language.function import FunctionLanguageModel
from heta_framework.common.models.language.types import ModelRequest

_FILE = Path(__file__).parent / "data" / "beam_event_ordering.jsonl"
_ROWS = [json.loads(line) for line in _FILE.read_text(encoding="utf-8").splitlines()][1:]
_MENDED = {'{"score": 1,}': 1, "{'score': 1}": 1, '{"score": 0.5': 0.5, '{"score": 01}': 1}
"""Replies that are no JSON, as the library reads them that the published code mends them with."""


def _rows(kind: str) -> pytest.MarkDecorator:
    rows = [row for row in _ROWS if row["kind"] == kind]
    return pytest.mark.parametrize("row", rows, ids=[row["id"].rpartition("-")[2] for row in rows])


def _same(found: float, official: Any) -> bool:
    wanted = float(official)
    return math.isnan(found) if math.isnan(wanted) else found == wanted


def test_every_row_is_tested() -> None:
    kinds = [row["kind"] for row in _ROWS]
    assert {kind: kinds.count(kind) for kind in kinds} == {
        "event_ordering": 124, "rubric": 67, "event_ordering_end_to_end": 11, "report": 12,
    }  # fmt: skip


@_rows("event_ordering")
def test_event_ordering_is_scored_as_published(row: dict[str, Any]) -> None:
    _check_order(row["official"], row["reference"], row["system"], row["equivalent"])


@_rows("event_ordering_end_to_end")
def test_a_reply_is_scored_as_published_line_by_line(row: dict[str, Any]) -> None:
    official, replies = row["official"], row["judge_replies"]
    if "official_raises" in official:
        with pytest.raises(Exception, match=r".") as raised:
            rubric_score(_scores(replies), whole=False)
        assert type(raised.value).__name__ == official["official_raises"]
        return
    assert rubric_score(_scores(replies), whole=False) == official.pop("llm_judge_score")
    _check_order(official, row["rubric"], row["llm_response"].split("\n"), row["equivalent"])


@_rows("rubric")
def test_a_rubric_is_summed_as_published_in_both_variants(row: dict[str, Any]) -> None:
    for variant, whole in (("official_int_variant", True), ("official_float_variant", False)):
        official = row[variant]
        if isinstance(official, dict):
            with pytest.raises(Exception, match=r".") as raised:
                rubric_score(_scores(row["judge_replies"]), whole=whole)
            assert type(raised.value).__name__ == official["official_raises"]
        else:
            assert _same(rubric_score(_scores(row["judge_replies"]), whole=whole), official)


@_rows("report")
def test_the_report_has_the_published_table(row: dict[str, Any]) -> None:
    official = row["official"]
    if "official_raises" in official:
        with pytest.raises(Exception, match=r".") as raised:
            report_table(row["directories"], row["row_names"])
        assert type(raised.value).__name__ == official["official_raises"]
    else:
        assert report_table(row["directories"], row["row_names"]) == official["table"]


_WHOLE_VERDICTS = [
    row
    for row in _ROWS
    if row["kind"] == "rubric"
    and row["note"].startswith("scores")
    and all(json.loads(reply)["score"] in (0, 0.5, 1) for reply in row["judge_replies"])
]


def test_judges_give_both_variants_under_names_of_their_own() -> None:
    for row in _WHOLE_VERDICTS:
        assert _judged("nugget", row["judge_replies"]) == ("judge_nugget", row["official_float_variant"])
        assert _judged("nugget_legacy", row["judge_replies"]) == ("judge_nugget_legacy", row["official_int_variant"])


def _check_order(
    official: dict[str, Any], reference: Sequence[str], system: Sequence[str], pairs: Sequence[Sequence[str]]
) -> None:
    same = {(event, entry) for event, entry in pairs}
    alignment = align(reference, system, lambda event, entry: (event, entry) in same)
    score = order_score(reference, alignment.aligned)
    assert alignment.calls == official["equivalence_calls"]
    assert alignment.aligned == official.get("aligned_system", alignment.aligned)
    for name in ("precision", "recall", "f1", "tau_norm", "final_score"):
        assert _same(getattr(score, name), official[name]), name


def _scores(replies: Sequence[str]) -> list[Any]:
    """What the published code takes out of a judge's replies; it fails where a reply holds no score."""
    return [_read(reply)["score"] for reply in replies]


def _read(reply: str) -> Any:
    if reply in _MENDED:
        return {"score": _MENDED[reply]}
    try:
        return json.loads(reply)
    except json.JSONDecodeError:
        start = reply.find("{")
        return "" if start < 0 else json.JSONDecoder().raw_decode(reply[start:])[0]


def _judged(policy: str, replies: Sequence[str]) -> tuple[str, float | None]:
    def answer(request: ModelRequest) -> str:
        asked = str(request)
        return next(reply for place, reply in enumerate(replies) if f"item number {place}." in asked)

    config = LLMJudgeEvaluatorConfig.model_validate({"judges": [{"model": "openai:judge-1"}], "policy": policy})
    model = FunctionLanguageModel(answer, model_name="openai:judge-1")
    judges = {name: Judge(each, [model]) for name, each in config.policies.items()}
    rubric = [f"item number {place}." for place in range(len(replies))]
    stimulus = UserStimulus(content="Which?", step_evaluation_markers={RUBRIC: rubric})
    outcome = ScenarioOutcome(Scenario("s", "s", [stimulus], (config,)), [Step(0, stimulus, reply="That.")])
    (record,) = asyncio.run(LLMJudgeEvaluator(config, judges).evaluate(outcome))
    return record.metric, record.value
