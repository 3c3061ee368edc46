"""``preference_checks``: does a reply follow a preference, by four questions to a judge (PrefEval's generation task).

The judge sees the marker ``preference`` of the step. How the checks add up: ``preference_errors``.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from heams.evaluation.base import BaseEvaluator, ExpectedRecord, NotJudged, register_evaluator
from heams.evaluation.llm_judge_config import LLMJudgeEvaluatorConfig
from heams.evaluation.llm_judge_material import MissingMaterial, materials
from heams.evaluation.llm_judge_panel import judges_of
from heams.evaluation.markers import PREFERENCE, stimulus_steps
from heams.evaluation.preference_errors import ACKNOWLEDGE, CHECKS, HALLUCINATE, HELPFUL, VIOLATE, Findings
from heams.evaluation.preference_errors import official_findings as read_officially
from heams.evaluation.records import EvaluationRecord
from heams.scenarios.outcome import ScenarioOutcome, Step
from heams.scenarios.scenario import Scenario
from heta_framework.common.config import WholeNumber
from heta_framework.common.judge import Judge, Judgement, Tie
from heta_framework.common.models.many import in_order
from heta_framework.common.models.settings import LanguageModelConfig

FOLLOWED: Final = "preference_followed"
LEGACY: Final = "preference_followed_legacy"
METRICS: Final = (
    FOLLOWED,
    "no_unaware_violation",
    "no_hallucinated_violation",
    "no_inconsistency",
    "helpful",
    "acknowledged",
)


class PreferenceChecksEvaluatorConfig(BaseModel):
    """Does a reply follow the preference: acknowledged, violated, hallucinated, helpful, each put to a judge.

    ``judges``, ``votes``, ``tie`` and ``reminders`` as in ``llm_judge``. ``legacy`` adds
    ``preference_followed_legacy``, where a reply of the judge that cannot be read counts as the official code has it.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    type: Literal["preference_checks"] = "preference_checks"
    judges: tuple[LanguageModelConfig, ...] = Field(min_length=1)
    votes: WholeNumber = Field(default=1, ge=1, le=99)
    tie: Tie = "unscored"
    reminders: WholeNumber = Field(default=2, ge=0, le=9)
    legacy: bool = False

    @property
    def metrics(self) -> tuple[str, ...]:
        """``preference_followed``, the kinds of errors (1: not made), and what else the checks say."""
        return (*METRICS, LEGACY) if self.legacy else METRICS

    @cached_property
    def judge_configs(self) -> Mapping[str, LLMJudgeEvaluatorConfig]:
        """The judge of each check."""
        asked = {"judges": self.judges, "votes": self.votes, "tie": self.tie, "reminders": self.reminders}
        return {
            check: LLMJudgeEvaluatorConfig.model_validate({**asked, "policy": f"prefeval_{check}"}) for check in CHECKS
        }


@register_evaluator("preference_checks")
class PreferenceChecksEvaluator(BaseEvaluator):
    """One record per answered step and metric; ``unscored`` where a check could not be read, or there is no label.

    Raises:
        ModelSetupError: a model cannot be called as it is configured.
    """

    config: PreferenceChecksEvaluatorConfig

    def __init__(self, config: PreferenceChecksEvaluatorConfig, judges: Mapping[str, Judge] | None = None) -> None:
        super().__init__(config)
        self._judges = judges or {
            check: next(iter(judges_of(one).values())) for check, one in config.judge_configs.items()
        }

    async def evaluate(self, outcome: ScenarioOutcome) -> Sequence[EvaluationRecord]:
        steps = [step for step in outcome.answered() if step.reply is not None]
        judged = [(step, await self._ask(step, outcome)) for step in steps]
        records = [record for step, found in judged for record in self._records(step, outcome, found)]
        if any(one.to_be_repeated for _, found in judged for one in (found or {}).values()):
            raise NotJudged("the judge could not be reached", records)
        return records

    def expected_records(self, scenario: Scenario) -> Sequence[ExpectedRecord]:
        return [
            ExpectedRecord(index, metric) for index, _ in stimulus_steps(scenario) for metric in self.config.metrics
        ]

    async def _ask(self, step: Step, outcome: ScenarioOutcome) -> Mapping[str, Judgement] | None:
        """The judgement of each check; None for a step without a preference."""
        try:
            shown = [materials(judge.policy, step, outcome)[0] for judge in self._judges.values()]
        except MissingMaterial:
            return None
        judged = await in_order(judge.ask(one) for judge, one in zip(self._judges.values(), shown, strict=True))
        return dict(zip(self._judges, judged, strict=True))

    def _records(
        self, step: Step, outcome: ScenarioOutcome, found: Mapping[str, Judgement] | None
    ) -> list[EvaluationRecord]:
        common: dict[str, Any] = {
            "evaluator": self.type,
            "step_index": step.index,
            "expected": outcome.scenario.markers(step.index).get(PREFERENCE),
            "observed": step.reply,
        }
        if found is None:
            reason = f"the step has no marker {PREFERENCE!r}"
            return [_without_value(common, metric, reason) for metric in self.config.metrics]
        common["audit"] = {"checks": {check: _audit(judgement) for check, judgement in found.items()}}
        records = _by_findings(common, found)
        if self.config.legacy:
            followed = read_officially({check: _said(judgement) for check, judgement in found.items()}).followed
            records.append(_verdict(common, LEGACY, followed, "read as the official code does"))
        return records


def _by_findings(common: Mapping[str, Any], found: Mapping[str, Judgement]) -> list[EvaluationRecord]:
    unread = [check for check in CHECKS if found[check].label is None]
    if unread:
        reason = f"{unread[0]}: {found[unread[0]].problem}"
        return [_without_value(common, metric, reason) for metric in METRICS]
    said = {check: found[check].label == "yes" for check in CHECKS}
    findings = Findings(said[ACKNOWLEDGE], said[VIOLATE], said[HALLUCINATE], said[HELPFUL])
    values = (
        findings.followed,
        not findings.unaware_violation,
        not findings.hallucinated_violation,
        not findings.inconsistent,
        findings.helpful,
        findings.acknowledged,
    )
    reason = ", ".join(f"{check}: {found[check].label}" for check in CHECKS)
    return [_verdict(common, metric, value, reason) for metric, value in zip(METRICS, values, strict=True)]


def _verdict(common: Mapping[str, Any], metric: str, passed: bool, reason: str) -> EvaluationRecord:
    return EvaluationRecord(**common, metric=metric, value=float(passed), passed=passed, reason=reason)


def _without_value(common: Mapping[str, Any], metric: str, reason: str) -> EvaluationRecord:
    return EvaluationRecord(**common, metric=metric, outcome="unscored", reason=reason)


def _said(judgement: Judgement) -> str:
    """The verdict, or where none could be read the judge's last words."""
    replies = [reply for vote in judgement.votes for reply in vote.raw[-1:]]
    return judgement.label or next(iter(replies), "")


def _audit(judgement: Judgement) -> dict[str, Any]:
    votes = [vote.model_dump(mode="json", exclude_defaults=True) for vote in judgement.votes]
    return {**judgement.model_dump(mode="json", include={"policy", "label", "problem", "models"}), "votes": votes}
