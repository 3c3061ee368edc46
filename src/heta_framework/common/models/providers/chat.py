"""A pydantic-ai model whose every request takes the call path, for agents and direct requests alike."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from time import perf_counter
from typing import Any, cast

from pydantic import TypeAdapter
from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import CompletedStreamedResponse, Model, ModelRequestParameters, StreamedResponse
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings, merge_model_settings

from heta_framework.common.models.calls.call import ModelCall, ModelReply
from heta_framework.common.models.calls.runtime import current_runtime
from heta_framework.common.models.calls.scope import present_epoch
from heta_framework.common.models.providers.building import build_chat_model, usable_key
from heta_framework.common.models.providers.endpoint import Endpoint
from heta_framework.common.models.providers.identity import chat_identity
from heta_framework.common.models.providers.verbatim import word_for_word
from heta_framework.common.models.settings import LanguageModelConfig
from heta_framework.common.models.usage import UsageRole

_RESPONSE: TypeAdapter[ModelResponse] = TypeAdapter(ModelResponse)
Send = Callable[[Model, list[ModelMessage], ModelSettings | None, ModelRequestParameters], Awaitable[ModelResponse]]
"""How a provider's model is asked once; raises what pydantic-ai raises."""


class PathModel(WrapperModel):
    """The model of a configuration, its calls metered for ``role``.

    ``api_key`` takes the place of the environment's; it is kept apart from the configuration, which is saved. The
    wrapped model describes the provider; requests are sent by one like it, whose connections belong to the running
    event loop and are shared by all models of the same endpoint.

    Raises:
        ModelSetupError: there is no key, or the provider's extra is not installed.
    """

    def __init__(self, config: LanguageModelConfig, role: UsageRole = "agent", *, api_key: str | None = None) -> None:
        self._endpoint = Endpoint(config, usable_key(config, api_key), build_chat_model)
        self._config = config
        self._role = role
        super().__init__(self._endpoint.described())

    @property
    def structured_output(self) -> str:
        """How this model is asked for answers that follow a schema: through a tool where it knows no JSON schema."""
        wanted = self._config.structured_output
        known = self.profile.get("supports_json_schema_output", False)
        return "tool" if wanted == "json_schema" and not known else wanted

    def prepare_messages(
        self, messages: list[ModelMessage], model_request_parameters: ModelRequestParameters | None = None
    ) -> list[ModelMessage]:
        """The messages in the provider's form, word for word."""
        with word_for_word():
            return super().prepare_messages(messages, model_request_parameters)

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
        *,
        vote: int = 0,
    ) -> ModelResponse:
        """One request. ``vote`` tells repetitions of the same request apart.

        Raises:
            CallFailed, CostLimitReached, ReplayMiss: see ``ModelRuntime.ask``.
        """
        return await self.ask(messages, model_settings, model_request_parameters, vote=vote)

    @asynccontextmanager
    async def request_stream(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
        run_context: Any = None,
    ) -> AsyncGenerator[StreamedResponse]:
        """One request for an agent that wants a stream: it gets the whole reply as one, since the path ends with it."""
        response = await self.request(messages, model_settings, model_request_parameters)
        yield CompletedStreamedResponse(response, model_request_parameters=model_request_parameters, replay_events=True)

    async def ask(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        parameters: ModelRequestParameters,
        *,
        vote: int = 0,
        send: Send | None = None,
    ) -> ModelResponse:
        """Take the path with one request; ``send`` asks the provider in a way of its own."""
        settings = merge_model_settings(sampling_of(self._config), model_settings)

        async def attempt() -> ModelReply:
            model = await self._endpoint.here()
            began = perf_counter()
            with self._endpoint.failures(), word_for_word():
                response = await (send or _whole)(model, messages, settings, parameters)
            return _reply(response, perf_counter() - began)

        call = ModelCall(
            kind="chat",
            endpoint=self._config,
            request=chat_identity(messages, settings, parameters),
            send=attempt,
            role=self._role,
            epoch=present_epoch(vote),
        )
        reply = await current_runtime().ask(call)
        return _RESPONSE.validate_python(reply.body)


async def _whole(
    model: Model, messages: list[ModelMessage], settings: ModelSettings | None, parameters: ModelRequestParameters
) -> ModelResponse:
    return await model.request(messages, settings, parameters)


def sampling_of(config: LanguageModelConfig) -> ModelSettings:
    """The sampling of a configuration, for pydantic-ai."""
    chosen: dict[str, Any] = {
        "temperature": config.temperature,
        "top_p": config.top_p,
        "max_tokens": config.max_tokens,
        "seed": config.seed,
        "extra_body": dict(config.provider_options) or None,
    }
    return cast("ModelSettings", {key: value for key, value in chosen.items() if value is not None})


def _reply(response: ModelResponse, seconds: float) -> ModelReply:
    usage = response.usage
    given = bool(usage.input_tokens or usage.output_tokens)
    return ModelReply(
        body=_RESPONSE.dump_python(response, mode="json"),
        input_tokens=usage.input_tokens if given else None,
        output_tokens=usage.output_tokens if given else None,
        cached_tokens=usage.cache_read_tokens,
        seconds=seconds,
    )
