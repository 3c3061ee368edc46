"""The three levels at which a step can give something away: its answer, what was recalled, what the memory stores."""

from collections.abc import Sequence

from heams.evaluation.records import EvaluationRecord
from heams.memory.base import MemoryItem
from heams.scenarios.outcome import ScenarioOutcome, Step


def context_of(step: Step) -> list[str]:
    """The texts of all items that reached the agent in a step."""
    return [item.text for item in step.recalled]


def dump_after(outcome: ScenarioOutcome, step_index: int) -> list[str] | None:
    """The texts that the memory held after a step, by the inspection that follows it before the next question.

    None where there is no such inspection, or the memory does not show what it stores.
    """
    dump = _inspection_after(outcome, step_index)
    return None if dump is None else [item.text for item in dump]


def without_dump(evaluator: str, metric: str, step_index: int) -> EvaluationRecord:
    """The record of a verdict that needs to know what is stored, for a memory that does not show it."""
    return EvaluationRecord(
        evaluator=evaluator,
        metric=metric,
        step_index=step_index,
        outcome="unscored",
        reason="the memory does not show what it stores",
        tags={"dump": "unavailable"},
    )


def _inspection_after(outcome: ScenarioOutcome, step_index: int) -> Sequence[MemoryItem] | None:
    for step in outcome.steps[step_index + 1 :]:
        if step.action.type == "memory_inspection":
            return step.dump
        if step.action.type == "user_stimulus":
            return None
    return None
