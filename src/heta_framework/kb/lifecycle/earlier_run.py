"""An earlier run of the same knowledge base: which of its steps need not run again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from heta_framework.kb.context import StepExecutionContext
from heta_framework.kb.lifecycle.json_values import is_json_safe, is_note
from heta_framework.kb.run_record import RecipeRunRecord, StepRunRecord
from heta_framework.kb.steps.protocol import KnowledgeStepProtocol


class EarlierRun:
    """The results of an earlier run, as far as they still stand."""

    def __init__(self, record: RecipeRunRecord | None, identities: tuple[str, ...]) -> None:
        self._artifacts = dict(record.artifacts) if record else {}
        done = {step.index: step for step in (record.step_records if record else ()) if step.done}
        self._records = {
            index: done[index]
            for index, identity in enumerate(identities)
            if index in done and done[index].identity == identity
        }
        self._differs = False
        self._looks_again = record is not None and record.status != "succeeded"

    def record(self, index: int) -> StepRunRecord:
        """What became of the step of this index."""
        return self._records[index]

    async def stands(
        self,
        index: int,
        step: KnowledgeStepProtocol,
        later: Sequence[KnowledgeStepProtocol],
        context: StepExecutionContext,
    ) -> bool:
        """Whether the step need not run; then what it left is in the context.

        It stands where the step, its models and everything before it are as they were, what later steps need of it is
        at hand, and the stores still hold what it put there. In a build that did not finish, the raw documents count
        too: somebody may have mended the one at which it failed.
        """
        if self._differs or index not in self._records or not self._at_hand(index, step, later):
            return False
        before = dict(context.artifacts)
        context.artifacts.update(self._outputs(index))
        if await is_intact(step, context) and not (self._looks_again and await _reads_others(step, context)):
            return True
        context.artifacts.clear()
        context.artifacts.update(before)
        return False

    def compare(self, index: int, before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
        """A step ran again: where it left something else than before, the steps behind it cannot stand."""
        if index not in self._records:
            self._differs = self._differs or bool(self._records)
            return
        for key, value in self._outputs(index).items():
            if is_json_safe(value) and _plain(after.get(key, before.get(key))) != _plain(value):
                self._differs = True

    def _at_hand(self, index: int, step: KnowledgeStepProtocol, later: Sequence[KnowledgeStepProtocol]) -> bool:
        needed = frozenset[str]().union(*(other.requirements.artifacts for other in later))
        return (step.capabilities.artifacts & needed) <= self._outputs(index).keys()

    def _outputs(self, index: int) -> dict[str, Any]:
        """What the step left, without the values that did not outlive the process."""
        keys = self._records[index].output_artifacts
        return {key: self._artifacts[key] for key in keys if not is_note(self._artifacts.get(key, _NOTHING))}


_NOTHING = {"manifest_note": "runtime artifact omitted"}


async def is_intact(step: KnowledgeStepProtocol, context: StepExecutionContext) -> bool:
    """Whether the stores still hold what the step put there; a step that cannot tell is taken at its record."""
    check: Callable[[StepExecutionContext], Awaitable[bool]] | None = getattr(step, "intact", None)
    return True if check is None else await check(context)


async def _reads_others(step: KnowledgeStepProtocol, context: StepExecutionContext) -> bool:
    """Whether the raw documents that the step read are others by now; a step that cannot tell reads none."""
    check: Callable[[StepExecutionContext], Awaitable[bool]] | None = getattr(step, "sources_unchanged", None)
    return check is not None and not await check(context)


def _plain(value: Any) -> Any:
    """The value as JSON gives it back: a tuple and a list of the same items are the same artifact."""
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return value
