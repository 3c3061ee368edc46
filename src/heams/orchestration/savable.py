"""Results as lines of strict JSON; one that holds what JSON cannot express becomes an error, not a crash."""

from typing import NamedTuple

from pydantic_core import PydanticSerializationError

from heams.evaluation.records import EvaluationRecord
from heams.orchestration.errors import describe_error
from heams.orchestration.results import RunResult


class Savable(NamedTuple):
    """A result and its line, without newline."""

    result: RunResult
    line: bytes


def savable(result: RunResult) -> Savable:
    """``result`` with its line, or an error in its place that says why it cannot be saved (half a character)."""
    try:
        return Savable(result, _encoded(result))
    except PydanticSerializationError as cause:
        error = describe_error("save", cause, 0)
        records = tuple(_without_verdict(record, error.message) for record in result.records)
        failed = result.model_copy(update={"status": "error", "error": error, "transcript": (), "records": records})
        return Savable(failed, _encoded(failed))


def _encoded(result: RunResult) -> bytes:
    return result.__pydantic_serializer__.to_json(result, exclude_none=True)


def _without_verdict(record: EvaluationRecord, reason: str) -> EvaluationRecord:
    return EvaluationRecord(
        evaluator=record.evaluator,
        metric=record.metric,
        step_index=record.step_index,
        outcome="error",
        reason=reason,
        tags=record.tags,
    )
