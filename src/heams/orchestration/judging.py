"""Asks a scenario's evaluators for their records, so that none is lost when an evaluator or the scenario fails."""

import asyncio
from collections.abc import Sequence
from typing import NamedTuple

from pydantic import BaseModel

from heams.evaluation.base import BaseEvaluator, NotJudged
from heams.evaluation.factory import create_evaluator
from heams.evaluation.records import EvaluationRecord, Outcome
from heams.orchestration.errors import RunRefused, describe_error
from heams.orchestration.results import ErrorInfo
from heams.orchestration.run_ends import run_ending
from heams.scenarios.outcome import ScenarioOutcome
from heams.scenarios.scenario import Scenario
from heta_framework.common.models.errors import CallFailed, EmbeddingError, ModelError, RerankError

_OF_MODELS = (ModelError, EmbeddingError, RerankError, CallFailed)


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


class Verdicts(NamedTuple):
    """All records of a scenario, and the ``failure`` of a model because of which it is to be judged again."""

    records: list[EvaluationRecord]
    failure: Exception | None = None


async def judge(outcome: ScenarioOutcome, evaluators: Sequence[BaseEvaluator]) -> Verdicts:
    """All records of a scenario that was played to its end, tagged with the sample's tags.

    Evaluators are asked at the same time (they keep no state); their records come in the evaluators' order. One whose
    model fails leaves its records ``unscored``: an endpoint that is down says nothing about what is judged.

    Raises:
        RunRefused, StoreError, CostLimitReached: an evaluator met what ends the run.
    """
    if len(evaluators) == 1:
        return await _ask(evaluators[0], outcome)
    asking = [asyncio.create_task(_ask(evaluator, outcome)) for evaluator in evaluators]
    try:
        given = await asyncio.gather(*asking)
        records = [record for verdicts in given for record in verdicts.records]
        return Verdicts(records, next((each.failure for each in given if each.failure is not None), None))
    finally:
        for task in asking:
            task.cancel()


def failed_records(scenario: Scenario, evaluators: Sequence[BaseEvaluator], error: ErrorInfo) -> list[EvaluationRecord]:
    """The records that a failed scenario owes, each with outcome ``error``."""
    reason = f"{error.phase}: {error.type}: {error.message}"[:500]
    return [record for evaluator in evaluators for record in _owed(evaluator, scenario, "error", reason)]


def _owed(evaluator: BaseEvaluator, scenario: Scenario, outcome: Outcome, reason: str) -> list[EvaluationRecord]:
    try:
        return evaluator.records_without_verdict(scenario, outcome, reason)
    except Exception as cause:  # noqa: BLE001 - an evaluator that cannot even say what it owes
        why = f"{reason}; the evaluator cannot say what it owes: {type(cause).__name__}"
        record = EvaluationRecord(
            evaluator=evaluator.type, metric="(unknown)", outcome=outcome, reason=why, tags=scenario.tags
        )
        return [record]


async def _ask(evaluator: BaseEvaluator, outcome: ScenarioOutcome) -> Verdicts:
    try:
        return Verdicts(_complete(await evaluator.evaluate(outcome), evaluator, outcome))
    except NotJudged as failure:
        return Verdicts(_complete(failure.records, evaluator, outcome), failure)
    except _OF_MODELS as failure:
        return Verdicts(_owed(evaluator, outcome.scenario, "unscored", _reason(evaluator, failure)), failure)
    except Exception as cause:  # an evaluator may fail in any way; it costs only its own records
        if (ending := run_ending(cause)) is not None:
            raise ending from cause
        return Verdicts(_owed(evaluator, outcome.scenario, "error", _reason(evaluator, cause)))


def _reason(evaluator: BaseEvaluator, cause: Exception) -> str:
    error = describe_error(f"evaluator {evaluator.type!r}", cause, 0)
    return f"{error.phase}: {error.type}: {error.message}"[:500]


def _complete(
    given: Sequence[EvaluationRecord], evaluator: BaseEvaluator, outcome: ScenarioOutcome
) -> list[EvaluationRecord]:
    """Tagged records, without those of steps that were refused: these are owed as ``unsupported``."""
    scenario = outcome.scenario
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
    tags = scenario.tags_of(record.step_index)
    return record.model_copy(update={"tags": {**tags, **record.tags}}) if tags else record
