"""Asks a scenario's evaluators for their records, so that none is lost when an evaluator or the scenario fails."""

from collections.abc import Sequence

from pydantic import BaseModel

from heams.evaluation.base import BaseEvaluator
from heams.evaluation.factory import create_evaluator
from heams.evaluation.records import EvaluationRecord
from heams.scenarios.outcome import ScenarioOutcome
from heams.scenarios.scenario import Scenario


class EvaluatorPool:
    """Builds each evaluator once; samples of a benchmark share their evaluator configurations."""

    def __init__(self) -> None:
        self._by_identity: dict[int, tuple[BaseModel, BaseEvaluator]] = {}

    def for_scenario(self, scenario: Scenario) -> list[BaseEvaluator]:
        """The evaluators of a scenario, in its order."""
        return [self._get(config) for config in scenario.evaluators]

    def _get(self, config: BaseModel) -> BaseEvaluator:
        known = self._by_identity.get(id(config))
        if known is not None and known[0] is config:
            return known[1]
        evaluator = create_evaluator(config)
        if len(self._by_identity) > 1_000:
            self._by_identity.clear()
        self._by_identity[id(config)] = (config, evaluator)
        return evaluator


async def judge(outcome: ScenarioOutcome, evaluators: Sequence[BaseEvaluator]) -> list[EvaluationRecord]:
    """All records of a scenario that was played to its end, tagged with the sample's tags."""
    records: list[EvaluationRecord] = []
    for evaluator in evaluators:
        records += await _ask(evaluator, outcome)
    return records


def failed_records(scenario: Scenario, evaluators: Sequence[BaseEvaluator], reason: str) -> list[EvaluationRecord]:
    """The records that a failed scenario owes, each with outcome ``error``."""
    return [
        record for evaluator in evaluators for record in evaluator.records_without_verdict(scenario, "error", reason)
    ]


async def _ask(evaluator: BaseEvaluator, outcome: ScenarioOutcome) -> list[EvaluationRecord]:
    scenario = outcome.scenario
    try:
        given = await evaluator.evaluate(outcome)
    except Exception as cause:  # noqa: BLE001 - an evaluator may fail in any way; it costs only its own records
        reason = f"evaluator {evaluator.type!r} failed: {type(cause).__name__}: {cause}"
        return evaluator.records_without_verdict(scenario, "error", reason)
    refused = {step.index: step.note or "" for step in outcome.steps if step.status == "unsupported"}
    tagged = [_tagged(record, scenario) for record in given if record.step_index not in refused]
    if not refused:
        return tagged
    owed = evaluator.records_without_verdict(scenario, "unsupported", "")
    return tagged + [
        record.model_copy(update={"reason": refused[record.step_index]})
        for record in owed
        if record.step_index is not None and record.step_index in refused
    ]


def _tagged(record: EvaluationRecord, scenario: Scenario) -> EvaluationRecord:
    if not scenario.tags:
        return record
    return record.model_copy(update={"tags": {**scenario.tags, **record.tags}})
