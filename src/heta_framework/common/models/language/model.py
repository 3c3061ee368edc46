"""A language model behind an endpoint; every request takes the call path."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING, Self

from heta_framework.common.models.arguments import config_of
from heta_framework.common.models.endpoint_model import EndpointModel
from heta_framework.common.models.errors import ModelRequestError, ModelResponseError, failed_calls_as
from heta_framework.common.models.language.types import (
    ModelChunk,
    ModelRequest,
    ModelResult,
    ToolCallingResult,
    ToolSpec,
    ToolTurn,
)
from heta_framework.common.models.many import in_order
from heta_framework.common.models.settings import LanguageModelConfig
from heta_framework.common.models.usage import UsageRole

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelResponse
    from pydantic_ai.settings import ModelSettings

    from heta_framework.common.models.providers.chat import PathModel


class LanguageModel(EndpointModel):
    """A `LanguageModelProtocol` over any provider.

    ``model_name`` is ``provider:model`` or ``provider/model``; a name without a known provider in front is a model of
    the OpenAI-compatible endpoint at ``api_base``. Without ``api_key``, the provider's environment variable is read.
    ``request_timeout`` is seconds of one attempt; a call is tried ``max_retries`` times more. ``temperature``,
    ``top_p``, ``max_tokens`` and ``seed`` hold for all requests whose own options say nothing.

    Raises:
        ModelSetupError: there is no key, or the provider's extra is not installed.
        ValueError: an argument is out of its range.
    """

    _config: LanguageModelConfig

    def __init__(
        self,
        *,
        model_name: str,
        api_key: str | None = None,
        api_base: str | None = None,
        request_timeout: float = 120.0,
        max_retries: int = 3,
        max_concurrent_requests: int = 10,
        temperature: float | None = None,
        top_p: float | None = None,
        max_tokens: int | None = None,
        seed: int | None = None,
        role: UsageRole = "agent",
    ) -> None:
        config = config_of(
            LanguageModelConfig,
            model_name=model_name,
            api_base=api_base,
            request_timeout=request_timeout,
            max_retries=max_retries,
            max_concurrent_requests=max_concurrent_requests,
            temperature=temperature,
            top_p=top_p,
            max_tokens=max_tokens,
            seed=seed,
        )
        self._open(config, role, api_key)

    @classmethod
    def from_config(cls, config: LanguageModelConfig, *, role: UsageRole) -> Self:
        """The model of a configuration, its calls metered for ``role``."""
        opened = cls.__new__(cls)
        opened._open(config, role, None)
        return opened

    def _open(self, config: LanguageModelConfig, role: UsageRole, api_key: str | None) -> None:
        from heta_framework.common.models.providers.chat import PathModel

        self._config = config
        self._role = role
        self._given_key = bool(api_key)
        self._path: PathModel = PathModel(config, role, api_key=api_key)

    async def invoke(self, request: ModelRequest) -> ModelResult:
        """Answer one request.

        Raises:
            ModelRequestError: the endpoint could not be reached, refused, or gave up.
            ModelResponseError: its answer cannot be used.
            CostLimitReached, ReplayMiss: the run may not ask.
        """
        from heta_framework.common.models.providers.answering import result_of

        with failed_calls_as(ModelRequestError, ModelResponseError, request.trace_context):
            return result_of(await self._ask(request), request, self.model_name)

    async def invoke_many(self, requests: Sequence[ModelRequest]) -> list[ModelResult]:
        """Answer several requests at once; results in the order of the requests. The first failure ends them all."""
        return await in_order(self.invoke(request) for request in requests)

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelChunk]:
        """Answer one request piece by piece, as the provider sends it.

        A reply that breaks off before its first piece is asked for again; after it, that is an error. What comes from
        the cache or a cassette comes in one piece.

        Raises:
            ModelRequestError, ModelResponseError, CostLimitReached, ReplayMiss: as ``invoke``.
        """
        from heta_framework.common.models.providers.streaming import streamed

        settings = self._settings(request)
        with failed_calls_as(ModelRequestError, ModelResponseError, request.trace_context):
            async for chunk in streamed(self._path, request, settings):
                yield chunk

    async def _ask(
        self, request: ModelRequest, tools: Sequence[ToolSpec] = (), turns: Sequence[ToolTurn] = ()
    ) -> ModelResponse:
        from heta_framework.common.models.providers.asking import messages_of, parameters_of
        from heta_framework.common.models.providers.instrumentation import traced

        mode = self._path.structured_output
        parameters = parameters_of(request.response_schema, mode, tools)
        return await traced(self._path, request.vote).request(
            messages_of(request, mode, turns), self._settings(request), parameters
        )

    def _settings(self, request: ModelRequest) -> ModelSettings | None:
        from heta_framework.common.models.providers.asking import settings_of

        return settings_of(request.options, self._config)


class ToolCallingLanguageModel(LanguageModel):
    """A `ToolCallingLanguageModelProtocol` over any provider; see ``LanguageModel`` for the arguments."""

    async def invoke_with_tools(
        self, request: ModelRequest, tools: Sequence[ToolSpec], turns: Sequence[ToolTurn] = ()
    ) -> ToolCallingResult:
        """Answer one request, or ask for calls of ``tools``, after the ``turns`` that were made already.

        Raises:
            ModelRequestError, ModelResponseError, CostLimitReached, ReplayMiss: as ``invoke``.
        """
        from heta_framework.common.models.providers.answering import tool_result_of

        with failed_calls_as(ModelRequestError, ModelResponseError, request.trace_context):
            return tool_result_of(await self._ask(request, tools, turns), request, self.model_name)
