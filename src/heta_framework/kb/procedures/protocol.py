"""What a procedure is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from heta_framework.kb.steps.protocol import KnowledgeStepProtocol


@runtime_checkable
class KnowledgeProcedureProtocol(Protocol):
    """Stands in a recipe for several steps."""

    @property
    def name(self) -> str:
        """The procedure's name."""
        ...

    def steps(self) -> tuple[KnowledgeStepProtocol, ...]:
        """The steps, in the order in which they run."""
        ...
