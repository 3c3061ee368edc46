"""A language model that is a function: offline, for tests, scripts and baselines."""

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace

from heta_framework.common.models.language.schema import read_as
from heta_framework.common.models.language.types import ModelChunk, ModelRequest, ModelResult


class FunctionLanguageModel:
    """A `LanguageModelProtocol` that answers by calling ``answer``.

    A text that ``answer`` returns is read as the request's ``response_schema``, as a model's would be. It costs nothing
    and takes no part in metering, caching or recording.
    """

    def __init__(self, answer: Callable[[ModelRequest], str | ModelResult], *, model_name: str = "function") -> None:
        self._answer = answer
        self._model_name = model_name

    @property
    def model_name(self) -> str:
        """The name it was given."""
        return self._model_name

    async def invoke(self, request: ModelRequest) -> ModelResult:
        """Answer one request; what ``answer`` raises is raised."""
        given = self._answer(request)
        result = given if isinstance(given, ModelResult) else ModelResult(given, finish_reason="stop")
        schema = request.response_schema
        unread = result.parsed is None and schema is not None
        return replace(
            result,
            parsed=read_as(schema, result.text) if unread else result.parsed,
            model_name=result.model_name or self._model_name,
            trace_context=request.trace_context,
        )

    async def invoke_many(self, requests: Sequence[ModelRequest]) -> list[ModelResult]:
        """Answer several requests in their order, one after another: a function does not wait."""
        return [await self.invoke(request) for request in requests]

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelChunk]:
        """The answer in one piece."""
        result = await self.invoke(request)
        yield ModelChunk(result.text, result.finish_reason)
