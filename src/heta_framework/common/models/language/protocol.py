"""What every language model offers, behind an endpoint or not."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Protocol, runtime_checkable

from heta_framework.common.models.language.types import (
    ModelChunk,
    ModelRequest,
    ModelResult,
    ToolCallingResult,
    ToolSpec,
    ToolTurn,
)


@runtime_checkable
class LanguageModelProtocol(Protocol):
    """Answers questions in words."""

    @property
    def model_name(self) -> str:
        """Which model answers."""
        ...

    async def invoke(self, request: ModelRequest) -> ModelResult:
        """Answer one request.

        Raises:
            ModelRequestError, ModelResponseError: there is no answer, or none that can be used.
        """
        ...

    async def invoke_many(self, requests: Sequence[ModelRequest]) -> list[ModelResult]:
        """Answer several requests at once; results in the order of the requests."""
        ...

    def stream(self, request: ModelRequest) -> AsyncIterator[ModelChunk]:
        """Answer one request piece by piece."""
        ...


@runtime_checkable
class ToolCallingLanguageModelProtocol(LanguageModelProtocol, Protocol):
    """Answers in words or by calling tools."""

    async def invoke_with_tools(
        self, request: ModelRequest, tools: Sequence[ToolSpec], turns: Sequence[ToolTurn] = ()
    ) -> ToolCallingResult:
        """Answer one request after ``turns`` of tool calls that were made already."""
        ...
