"""`llm_judge`: answers judged by language models. A deterministic evaluator should always stand beside it."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import JsonValue

from heams.evaluation.base import BaseEvaluator, ExpectedRecord, NotJudged, register_evaluator
from heams.evaluation.llm_judge_config import LLMJudgeEvaluatorConfig
from heams.evaluation.llm_judge_material import MissingMaterial, attribute_names, materials
from heams.evaluation.llm_judge_panel import Judged, JudgedPages, judges_of
from heams.evaluation.llm_judge_records import facts_of_judge, judged_records, unjudged_records
from heams.evaluation.records import EvaluationRecord
from heams.scenarios.outcome import ScenarioOutcome, Step
from heams.scenarios.scenario import Scenario
from heta_framework.common.judge import FAMILIES, Judge
from heta_framework.common.models.many import in_order


@register_evaluator("llm_judge")
class LLMJudgeEvaluator(BaseEvaluator):
    """One record per judged step (two under a policy about claims).

    Policies that show an ``answer`` judge every answered step, others (such as ``poisoning``) every inspection of the
    memory. A step without the labels that its policy shows is ``unscored``, and so is one whose judge gave no readable
    verdict: a judge's failure never counts against what it judges. Where models could not be reached, the records of
    the other steps stand, and ``NotJudged`` asks for another try.

    Raises:
        ModelSetupError: a model cannot be called as it is configured.
        ValueError: ``calibration_file`` is of another judge, or cannot be read.
    """

    config: LLMJudgeEvaluatorConfig

    def __init__(self, config: LLMJudgeEvaluatorConfig, judges: Mapping[str, Judge] | None = None) -> None:
        super().__init__(config)
        self._judges = judges_of(config) if judges is None else judges
        self._facts: Mapping[str, JsonValue] = facts_of_judge(config, self._judges)
        self._action = "user_stimulus" if _judges_answers(config) else "memory_inspection"

    async def evaluate(self, outcome: ScenarioOutcome) -> Sequence[EvaluationRecord]:
        steps = [step for step in outcome.steps if self._concerns(step)]
        asked = await in_order(self._judge(step, outcome) for step in steps)
        records = [record for _, records in asked for record in records]
        problem = next((each.problem for judged, _ in asked for each in judged if each.to_be_repeated), None)
        if problem is not None:
            raise NotJudged(f"the judge could not be reached: {problem}", records)
        return records

    def expected_records(self, scenario: Scenario) -> Sequence[ExpectedRecord]:
        return [
            ExpectedRecord(index, metric)
            for index, action in enumerate(scenario.actions)
            if action.type == self._action
            for metric in self.config.metrics
        ]

    def _concerns(self, step: Step) -> bool:
        if step.action.type != self._action:
            return False
        return step.reply is not None if self._action == "user_stimulus" else step.dump is not None

    async def _judge(self, step: Step, outcome: ScenarioOutcome) -> tuple[Sequence[Judged], Sequence[EvaluationRecord]]:
        markers = outcome.scenario.markers(step.index)
        try:
            judge = self._judges[self._policy_name(markers, outcome.scenario)]
            shown = materials(judge.policy, step, outcome)
        except MissingMaterial as missing:
            return (), unjudged_records(self.config, step, markers, str(missing), self._facts)
        pages = JudgedPages(judge, self.config.entries_per_call)
        judged = await in_order(pages.ask(material) for material in shown)
        return judged, judged_records(self.config, step, markers, judged, self._facts, attribute_names(markers))

    def _policy_name(self, markers: Mapping[str, Any], scenario: Scenario) -> str:
        family = FAMILIES.get(self.config.policy_name) if isinstance(self.config.policy, str) else None
        if family is None:
            return self.config.policy_name
        known = {"question_id": scenario.id, **scenario.tags, **markers}
        missing = [fact for fact in family.needs if fact not in known]
        if missing:
            raise MissingMaterial(f"the step has no marker {missing[0]!r}, which decides how it is judged")
        try:
            return family.choose({fact: str(known[fact]) for fact in family.needs})
        except ValueError as unknown:
            raise MissingMaterial(str(unknown)) from None


def _judges_answers(config: LLMJudgeEvaluatorConfig) -> bool:
    return any("answer" in policy.gaps for policy in config.policies.values())
