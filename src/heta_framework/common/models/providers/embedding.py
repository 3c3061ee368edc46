"""Embedding models of pydantic-ai behind the call path, a batch a call."""

import math
from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import Any, cast

from pydantic import JsonValue
from pydantic_ai.embeddings import EmbeddingSettings
from pydantic_ai.embeddings.result import EmbeddingResult, EmbedInputType

from heta_framework.common.models.calls.call import ModelCall, ModelReply
from heta_framework.common.models.calls.runtime import current_runtime
from heta_framework.common.models.calls.scope import present_epoch
from heta_framework.common.models.errors import CallFailed, ModelSetupError
from heta_framework.common.models.providers.bedrock import bedrock_client
from heta_framework.common.models.providers.building import Built, missing_package, usable_key
from heta_framework.common.models.providers.clients import http_client, openai_client
from heta_framework.common.models.providers.endpoint import Endpoint
from heta_framework.common.models.providers.vectors import packed
from heta_framework.common.models.settings import EmbeddingModelConfig, EndpointConfig, split_model
from heta_framework.common.models.usage import UsageRole
from heta_framework.common.text.surrogates import replace_surrogates


class PathEmbedder:
    """The embedding model of a configuration, its calls metered for ``role``.

    Raises:
        ModelSetupError: there is no key, no package, or the provider has no embedding models.
    """

    def __init__(self, config: EmbeddingModelConfig, role: UsageRole, *, api_key: str | None = None) -> None:
        self._config = config
        self._role = role
        self._endpoint = Endpoint(config, usable_key(config, api_key), build_embedding_model)
        self._endpoint.described()

    async def embed(self, texts: Sequence[str], options: Mapping[str, Any] | None = None) -> ModelReply:
        """Embed the texts of one batch; the body of the reply is for ``vectors.unpacked``.

        Raises:
            CallFailed, CostLimitReached, ReplayMiss: see ``ModelRuntime.ask``.
        """
        extra = dict(options or {})
        input_type: EmbedInputType = extra.pop("input_type", "document")
        settings = self._settings(extra)
        sent = [replace_surrogates(text) for text in texts]
        asked = {"texts": sent, "input_type": input_type, "settings": settings}

        async def attempt() -> ModelReply:
            model = await self._endpoint.here()
            began = perf_counter()
            with self._endpoint.failures():
                result: EmbeddingResult = await model.embed(sent, input_type=input_type, settings=settings)
            return _reply(result, len(sent), self._config.dimensions, perf_counter() - began)

        call = ModelCall(
            kind="embedding",
            endpoint=self._config,
            request=cast("dict[str, JsonValue]", asked),
            send=attempt,
            role=self._role,
            epoch=present_epoch(),
        )
        return await current_runtime().ask(call)

    def _settings(self, extra: dict[str, Any]) -> EmbeddingSettings:
        chosen = {"dimensions": self._config.dimensions, "extra_body": extra}
        return cast("EmbeddingSettings", {name: value for name, value in chosen.items() if value})


def build_embedding_model(config: EndpointConfig, key: str | None) -> Built:
    """The provider's embedding model, without contacting it.

    Raises:
        ModelSetupError: its package is not installed, or the provider has none.
    """
    provider, name = split_model(config.model)
    with missing_package(config):
        match provider:
            case "openai":
                return _openai(name, config, key)
            case "google":
                return _google(name, config, key)
            case "bedrock":
                return _bedrock(name, config, key)
    raise ModelSetupError(
        f"provider {provider!r} has no embedding models here: take openai, google or bedrock, "
        f"or 'openai:<model>' with the 'base_url' of an OpenAI-compatible endpoint"
    )


def _openai(name: str, config: EndpointConfig, key: str | None) -> Built:
    from pydantic_ai.embeddings.openai import OpenAIEmbeddingModel
    from pydantic_ai.providers.openai import OpenAIProvider

    client = openai_client(config, key)
    return Built(OpenAIEmbeddingModel(name, provider=OpenAIProvider(openai_client=client)), client.close)


def _google(name: str, config: EndpointConfig, key: str | None) -> Built:
    from pydantic_ai.embeddings.google import GoogleEmbeddingModel
    from pydantic_ai.providers.google import GoogleProvider

    http = http_client(config)
    provider = GoogleProvider(api_key=key, base_url=config.base_url, http_client=http)
    return Built(GoogleEmbeddingModel(name, provider=provider), http.aclose)


def _bedrock(name: str, config: EndpointConfig, key: str | None) -> Built:
    from pydantic_ai.embeddings.bedrock import BedrockEmbeddingModel
    from pydantic_ai.providers.bedrock import BedrockProvider

    client = bedrock_client(config, key)

    async def close() -> None:
        client.close()

    return Built(BedrockEmbeddingModel(name, provider=BedrockProvider(bedrock_client=client)), close)


def _reply(result: EmbeddingResult, wanted: int, dimensions: int | None, seconds: float) -> ModelReply:
    vectors = result.embeddings
    checked(vectors, wanted, dimensions)
    return ModelReply(
        body={"model": result.model_name or "", **packed(vectors)},
        input_tokens=result.usage.input_tokens or None,
        seconds=seconds,
    )


def checked(vectors: Sequence[Sequence[float]], wanted: int, dimensions: int | None) -> None:
    if len(vectors) != wanted:
        raise _unusable(f"the endpoint sent {len(vectors)} vectors for {wanted} texts")
    lengths = {len(vector) for vector in vectors}
    if len(lengths) > 1:
        raise _unusable(f"the endpoint sent vectors of different dimensions: {sorted(lengths)}")
    found = next(iter(lengths), 0)
    if wanted and not found:
        raise _unusable("the endpoint sent empty vectors")
    if dimensions is not None and wanted and found != dimensions:
        raise _unusable(f"the endpoint sent vectors of {found} dimensions where 'dimensions' asks for {dimensions}")
    if not all(math.isfinite(number) for vector in vectors for number in vector):
        raise _unusable("the endpoint sent a vector with a number that is not finite")


def _unusable(message: str) -> CallFailed:
    return CallFailed(message, kind="response", retryable=True, possibly_billed=True)
