"""From judgements to evaluation records, with everything in their audit that a reader needs to check a verdict."""

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from pydantic import JsonValue

from heams.calibration.result import load_calibration
from heams.calibration.testable import why_untestable
from heams.evaluation.llm_judge_config import LLMJudgeEvaluatorConfig
from heams.evaluation.llm_judge_material import private_names, wanted
from heams.evaluation.llm_judge_panel import Judged
from heams.evaluation.records import EvaluationRecord
from heams.scenarios.outcome import Step
from heta_framework.common.judge import Judge, Judgement

UNCALIBRATED = "uncalibrated"
JUDGES = "judges"
_LONGEST_REASON = 300
_LONGEST_LIST = 20


def facts_of_judge(config: LLMJudgeEvaluatorConfig, judges: Mapping[str, Judge]) -> dict[str, JsonValue]:
    """What every record says about its judge.

    Raises:
        ValueError: ``calibration_file`` is of another judge, or cannot be read.
    """
    judge = next(iter(judges.values()))
    return {
        "models": list(judge.model_names),
        "policy": config.policy_name,
        "versions": {name: each.policy.version for name, each in judges.items()},
        "policy_hashes": {name: each.policy_hash for name, each in judges.items()},
        "votes_per_model": config.votes,
        "calibration": _calibration(config),
    }


def judged_records(
    config: LLMJudgeEvaluatorConfig,
    step: Step,
    markers: Mapping[str, Any],
    judged: Sequence[Judged],
    facts: Mapping[str, JsonValue],
    attributes: Sequence[str] = (),
) -> list[EvaluationRecord]:
    """The records of a step: the mean over ``judged``, which holds one for each item of a rubric, or no value."""
    common = _common(config, step, markers)
    common["audit"] = {"judge": {**facts, "judgements": [_audit(each) for each in judged]}}
    if attributes:
        common["audit"]["revealed"] = [attributes[place] for place in judged[0].chosen]
    first = _main_record(config.metric_name, judged, common, attributes, markers)
    if len(config.metrics) == 1:
        return [first]
    return [first, _coverage_record(config.metrics[1], judged[0], common)]


def unjudged_records(
    config: LLMJudgeEvaluatorConfig, step: Step, markers: Mapping[str, Any], reason: str, facts: Mapping[str, JsonValue]
) -> list[EvaluationRecord]:
    """The records of a step that could not be put to the judge."""
    common = _common(config, step, markers) | {"audit": {"judge": dict(facts)}}
    return [EvaluationRecord(**common, metric=metric, outcome="unscored", reason=reason) for metric in config.metrics]


def _common(config: LLMJudgeEvaluatorConfig, step: Step, markers: Mapping[str, Any]) -> dict[str, Any]:
    return {"evaluator": config.type, "step_index": step.index, "expected": wanted(markers), "observed": step.reply}


def _main_record(
    metric: str,
    judged: Sequence[Judged],
    common: Mapping[str, Any],
    attributes: Sequence[str],
    markers: Mapping[str, Any],
) -> EvaluationRecord:
    unread = [each for each in judged if each.value is None]
    if unread:
        share = f"{len(unread)} of {len(judged)} items: " if len(judged) > 1 else ""
        return EvaluationRecord(**common, metric=metric, outcome="unscored", reason=f"{share}{unread[0].problem}")
    if attributes:
        return _disclosure_record(metric, judged[0], common, attributes, markers)
    value = fmean(each.value for each in judged if each.value is not None)
    passed = [each.passed for each in judged]
    return EvaluationRecord(
        **common,
        metric=metric,
        value=value,
        passed=None if None in passed else all(passed),
        reason=_reason(judged),
    )


def _disclosure_record(
    metric: str, judged: Judged, common: Mapping[str, Any], attributes: Sequence[str], markers: Mapping[str, Any]
) -> EvaluationRecord:
    """The share of private attributes that were revealed; all are private where the step does not name those."""
    private = private_names(markers, attributes)
    if not private:
        return EvaluationRecord(**common, metric=metric, outcome="unscored", reason="no attribute is private here")
    revealed = [name for place in judged.chosen if (name := attributes[place]) in private]
    names = f": {_listed(revealed)}" if revealed else ""
    return EvaluationRecord(
        **common,
        metric=metric,
        value=len(revealed) / len(private),
        passed=not revealed,
        reason=f"revealed {len(revealed)} of {len(private)} private attributes{names}",
    )


def _coverage_record(metric: str, judged: Judged, common: Mapping[str, Any]) -> EvaluationRecord:
    if judged.coverage is None:
        reason = judged.problem or "the memory holds nothing that could be left out"
        return EvaluationRecord(**common, metric=metric, outcome="unscored", reason=reason)
    reason = f"left out {_entries(len(judged.chosen))}" if judged.chosen else "left out nothing"
    return EvaluationRecord(**common, metric=metric, value=judged.coverage, passed=not judged.chosen, reason=reason)


def _reason(judged: Sequence[Judged]) -> str:
    if len(judged) > 1:
        scores = ", ".join(f"{each.value:g}" for each in judged[:_LONGEST_LIST])
        return f"{len(judged)} items: {scores}{', ...' if len(judged) > _LONGEST_LIST else ''}"
    only = judged[0]
    if not only.judgements:
        return "there are no entries"
    words = only.judgements[0].reason[:_LONGEST_REASON]
    return f"{_verdict(only)}{_agreement(only.judgements[0])}{f': {words}' if words else ''}"


def _verdict(judged: Judged) -> str:
    label = judged.judgements[0].label
    if label is not None:
        return label
    return (
        f"listed {_entries(len(judged.chosen))}" if judged.chosen and judged.coverage is None else f"{judged.value:g}"
    )


def _entries(number: int) -> str:
    return "1 entry" if number == 1 else f"{number} entries"


def _agreement(judgement: Judgement) -> str:
    if len(judgement.votes) == 1 or judgement.agreement is None:
        return ""
    readable = sum(vote.readable for vote in judgement.votes)
    return f" ({round(judgement.agreement * readable)} of {len(judgement.votes)} votes)"


def _audit(judged: Judged) -> dict[str, JsonValue]:
    item = judged.material.get("rubric_item")
    pages: list[JsonValue] = [_page(judgement) for judgement in judged.judgements]
    return {**({"item": item} if isinstance(item, str) else {}), "chosen": list(judged.chosen), "asked": pages}


def _page(judgement: Judgement) -> dict[str, JsonValue]:
    kept = {"policy", "prompt_hash", "label", "value", "agreement", "problem"}
    page: dict[str, JsonValue] = judgement.model_dump(mode="json", include=kept)
    votes: list[JsonValue] = [vote.model_dump(mode="json", exclude_defaults=True) for vote in judgement.votes]
    return {**page, "parse_failures": judgement.parse_failures, "votes": votes}


def _calibration(config: LLMJudgeEvaluatorConfig) -> str:
    if config.calibration_file is None:
        return _without_calibration(config)
    found = load_calibration(config.calibration_file)
    if found.judge_hash != config.identity_hash:
        whole = len(config.policies) == 1
        remedy = "Run 'heams calibrate-judge' for this one, or leave" if whole else "No family can have one: leave"
        raise ValueError(
            f"{config.calibration_file} is the calibration of another judge: {_difference(config, found.judge)}. "
            f"{remedy} out 'calibration_file'"
        )
    return found.summary


def _difference(config: LLMJudgeEvaluatorConfig, calibrated: Mapping[str, JsonValue]) -> str:
    """What tells two judges apart, by the names of fields."""
    here = config.identity
    names = [name for name in here if name != JUDGES and here[name] != calibrated.get(name)]
    ours, theirs = here[JUDGES], calibrated.get(JUDGES)
    if ours != theirs:
        names[:0] = _fields_apart(ours, theirs) or [JUDGES]
    return f"they differ in {', '.join(names)}" if names else "they differ"


def _fields_apart(ours: Any, theirs: Any) -> list[str]:
    """The settings in which panels of equal size differ."""
    if not isinstance(theirs, list) or len(ours) != len(theirs):
        return []
    pairs = [(one, other) for one, other in zip(ours, theirs, strict=True) if isinstance(other, Mapping)]
    return list(dict.fromkeys(name for one, other in pairs for name in one if one[name] != other.get(name)))


def _without_calibration(config: LLMJudgeEvaluatorConfig) -> str:
    """The word, and why there can be no calibration where that is so."""
    if len(config.policies) > 1:
        return f"{UNCALIBRATED} (a family of policies; members are calibrated one by one, the family never is)"
    problem = why_untestable(next(iter(config.policies.values())))
    return UNCALIBRATED if problem is None else f"{UNCALIBRATED} ({problem})"


def _listed(names: Sequence[str]) -> str:
    more = f", and {len(names) - _LONGEST_LIST} more" if len(names) > _LONGEST_LIST else ""
    return ", ".join(names[:_LONGEST_LIST]) + more
