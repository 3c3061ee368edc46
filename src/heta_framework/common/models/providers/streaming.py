"""A reply that is handed on while it arrives, and still takes the call path as one whole."""

import asyncio
from collections.abc import AsyncIterator

from pydantic_ai.messages import ModelMessage, ModelResponse, PartDeltaEvent, PartStartEvent, TextPart, TextPartDelta
from pydantic_ai.models import Model, ModelRequestParameters, StreamedResponse
from pydantic_ai.settings import ModelSettings

from heta_framework.common.models.errors import CallFailed
from heta_framework.common.models.language.types import ModelChunk, ModelRequest
from heta_framework.common.models.providers.answering import text_of
from heta_framework.common.models.providers.asking import messages_of, parameters_of
from heta_framework.common.models.providers.chat import PathModel
from heta_framework.common.models.providers.failures import call_failures


async def streamed(path: PathModel, request: ModelRequest, settings: ModelSettings | None) -> AsyncIterator[ModelChunk]:
    """Pieces of the reply as the provider sends them, then one with the reason for its end.

    A reply that no provider was asked for (cache, cassette, another task's call) comes in one piece.

    Raises:
        CallFailed: as the path says, or the reply broke off after its first piece.
    """
    pieces = _Pieces()
    asking = asyncio.create_task(_ask(path, request, settings, pieces))
    try:
        while (piece := await pieces.queue.get()) is not None:
            yield ModelChunk(piece)
        response = await asking
        yield ModelChunk("" if pieces.begun else text_of(response), response.finish_reason)
    finally:
        asking.cancel()
        await asyncio.wait([asking])


class _Pieces:
    """What has arrived and was not handed on yet; None ends it."""

    def __init__(self) -> None:
        self.queue: asyncio.Queue[str | None] = asyncio.Queue()
        self.begun = False

    def add(self, text: str) -> None:
        self.begun = True
        self.queue.put_nowait(text)

    async def send(
        self,
        model: Model,
        messages: list[ModelMessage],
        settings: ModelSettings | None,
        parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """Ask a provider once, if nothing of an earlier attempt was handed on already."""
        if self.begun:
            raise CallFailed("the reply broke off after its first piece", kind="response")
        try:
            with call_failures():
                async with model.request_stream(messages, settings, parameters) as stream:
                    await self._take(stream)
                return stream.get()
        except CallFailed as failure:
            if self.begun:
                failure.kind, failure.retryable, failure.possibly_billed = "response", False, True
            raise

    async def _take(self, stream: StreamedResponse) -> None:
        async for event in stream:
            match event:
                case (
                    PartStartEvent(part=TextPart(content=text))
                    | PartDeltaEvent(delta=TextPartDelta(content_delta=text))
                ) if text:
                    self.add(text)


async def _ask(
    path: PathModel, request: ModelRequest, settings: ModelSettings | None, pieces: _Pieces
) -> ModelResponse:
    try:
        return await path.ask(
            messages_of(request, path.structured_output),
            settings,
            parameters_of(request.response_schema, path.structured_output),
            vote=request.vote,
            send=pieces.send,
        )
    finally:
        pieces.queue.put_nowait(None)
