"""A scenario: what one agent with one memory lives through, and the evaluators that judge it afterwards."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from heams.scenarios.actions import Action, SharedHistory

if TYPE_CHECKING:
    from pydantic import BaseModel


@dataclass(frozen=True, slots=True)
class Scenario:
    """The mechanical projection of a benchmark sample.

    ``history`` is shared with other scenarios and replayed before ``actions``; step indices count ``actions`` from 0.
    ``evaluators`` are configurations, each a model with a ``type``.
    """

    id: str
    name: str
    actions: Sequence[Action]
    evaluators: "Sequence[BaseModel]" = ()
    history: SharedHistory | None = None
    tags: Mapping[str, str] = field(default_factory=dict)

    def markers(self, step_index: int) -> Mapping[str, Any]:
        """The evaluation markers of a step; empty for actions that carry none."""
        return getattr(self.actions[step_index], "step_evaluation_markers", {})

    def tags_of(self, step_index: int | None) -> Mapping[str, str]:
        """The tags of a verdict: the sample's, and those that the step's marker ``tags`` adds or overrides."""
        own = self.markers(step_index).get("tags") if step_index is not None else None
        return {**self.tags, **{str(name): str(value) for name, value in own.items()}} if own else self.tags
