"""Asks a scenario's evaluators for their records, so that none is lost when an evaluator or the scenario fails."""

import asyncio
from collections.abc import Sequence

from pydantic import BaseModel

from heams.evaluation.base import BaseEvaluator
from heams.evaluation.factory import create_evaluator
from heams.evaluation.records import EvaluationRecord
from heams.orchestration.errors import RunRefused, describe_error
from heams.orchestration.results import ErrorInfo
from heams.orchestration.run_ends import run_ending
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
        try:
            evaluator = create_evaluator(config)
        except Exception as cause:  # an evaluator may be anybody's code
            raise RunRefused(f"an evaluator of the benchmark cannot be built: {cause}") from cause
        if len(self._by_identity) > 1_000:
            self._by_identity.clear()
        self._by_identity[id(config)] = (config, evaluator)
        return evaluator


async def judge(outcome: ScenarioOutcome, evaluators: Sequence[BaseEvaluator]) -> list[EvaluationRecord]:
    """All records of a scenario that was played to its end, tagged with the sample's tags.

    Evaluators are asked at the same time (they keep no state); their records come in the evaluators' order.

    Raises:
        RunRefused, StoreError, CostLimitReached: an evaluator met what ends the run.
    """
    if len(evaluators) == 1:
        return await _ask(evaluators[0], outcome)
    asking = [asyncio.create_task(_ask(evaluator, outcome)) for evaluator in evaluators]
    try:
        return [record for records in await asyncio.gather(*asking) for record in records]
    finally:
        for task in asking:
            task.cancel()


def failed_records(scenario: Scenario, evaluators: Sequence[BaseEvaluator], error: ErrorInfo) -> list[EvaluationRecord]:
    """The records that a failed scenario owes, each with outcome ``error``."""
    reason = f"{error.phase}: {error.type}: {error.message}"[:500]
    return [record for evaluator in evaluators for record in _owed(evaluator, scenario, reason)]


def _owed(evaluator: BaseEvaluator, scenario: Scenario, reason: str) -> list[EvaluationRecord]:
    try:
        return evaluator.records_without_verdict(scenario, "error", reason)
    except Exception as cause:  # noqa: BLE001 - an evaluator that cannot even say what it owes
        why = f"{reason}; the evaluator cannot say what it owes: {type(cause).__name__}"
        record = EvaluationRecord(
            evaluator=evaluator.type, metric="(unknown)", outcome="error", reason=why, tags=scenario.tags
        )
        return [record]


async def _ask(evaluator: BaseEvaluator, outcome: ScenarioOutcome) -> list[EvaluationRecord]:
    scenario = outcome.scenario
    try:
        given = await evaluator.evaluate(outcome)
    except Exception as cause:  # an evaluator may fail in any way; it costs only its own records
        if (ending := run_ending(cause)) is not None:
            raise ending from cause
        error = describe_error(f"evaluator {evaluator.type!r}", cause, 0)
        return _owed(evaluator, scenario, f"{error.phase}: {error.type}: {error.message}"[:500])
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
