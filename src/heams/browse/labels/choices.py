"""The words that a person can choose from: pass and fail, or those of the judge's policy where it has more."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import TypeAdapter, ValidationError

from heams.browse.labels.shown import ShownResult
from heams.evaluation.llm_judge_config import PolicyChoice
from heams.reporting.load import ExperimentResults
from heams.reporting.saved import part
from heta_framework.common.judge import FAMILIES, JudgePolicy, LabelPolicy, ScalePolicy, built_in_policy, policy_names

_CHOICE: TypeAdapter[Any] = TypeAdapter(PolicyChoice)


@dataclass(frozen=True, slots=True)
class Choice:
    """A word, whether it passes, and how the policy writes it (None where there is no policy to ask)."""

    words: str
    verdict: Literal["pass", "fail"]
    label: str | None


_PLAIN = (Choice("Pass", "pass", None), Choice("Fail", "fail", None))


def choices_of(results: ExperimentResults, result: ShownResult) -> tuple[Choice, ...]:
    """What a person can say about a result, from best to worst."""
    return policy_choices(policy_of(results, result.policy))


def policy_choices(policy: JudgePolicy | None) -> tuple[Choice, ...]:
    """The choices of a policy: a label has to say whether it passes, a number of a scale too."""
    found = sorted(_labels(policy), key=lambda one: one[1:], reverse=True)
    named = [Choice(name, "pass" if passes else "fail", name) for name, passes, _ in found]
    if sorted(one.verdict for one in named) == ["fail", "pass"]:
        return tuple(Choice(plain.words, plain.verdict, one.label) for plain, one in zip(_PLAIN, named, strict=True))
    return tuple(named) if {one.verdict for one in named} == {"pass", "fail"} else _PLAIN


def policy_of(results: ExperimentResults, name: str | None) -> JudgePolicy | None:
    """The policy of that name, from the configuration of the experiment or among the built-in ones."""
    for evaluator in part(results.config, "benchmark_config").get("evaluators") or ():
        found = _configured(evaluator.get("policy") if isinstance(evaluator, Mapping) else None)
        if found is not None and found.name == name:
            return found
    known = set(policy_names()).union(*(family.members for family in FAMILIES.values()))
    return built_in_policy(name) if name in known else None


def _configured(written: Any) -> JudgePolicy | None:
    """A policy that was written into the configuration."""
    if not isinstance(written, Mapping):
        return None
    try:
        found: JudgePolicy = _CHOICE.validate_python(written)
    except ValidationError:
        return None  # of another version of heams
    return found


def _labels(policy: JudgePolicy | None) -> list[tuple[str, bool, float]]:
    """Name, whether it passes, and worth of everything that a policy lets a judge say, as far as it is a list."""
    if isinstance(policy, LabelPolicy):
        return [(label.name, label.passes, label.value) for label in policy.labels]
    if isinstance(policy, ScalePolicy) and policy.allowed is not None and policy.passes_from is not None:
        return [(f"{value:g}", value >= policy.passes_from, value) for value in policy.allowed]
    return []
