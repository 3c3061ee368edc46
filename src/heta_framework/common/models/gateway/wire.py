"""From the body that a library sends to the one that goes to the endpoint: model and sampling of the configuration."""

from collections.abc import Mapping
from typing import Any

from heta_framework.common.models.settings import (
    EmbeddingModelConfig,
    EndpointConfig,
    LanguageModelConfig,
    RerankModelConfig,
    split_model,
)

_TRANSPORT = frozenset({"stream", "stream_options", "user", "store", "metadata"})
"""Fields that decide how an answer travels and who is billed, not what it says."""
_MOST_TOKENS = ("max_tokens", "max_completion_tokens")


def chat_body(given: Mapping[str, Any], config: LanguageModelConfig) -> dict[str, Any]:
    """A chat request to the configured model. A None among ``provider_options`` takes a field out."""
    body = {name: value for name, value in given.items() if name not in _TRANSPORT and value is not None}
    chosen = {"temperature": config.temperature, "top_p": config.top_p, "seed": config.seed}
    body |= {name: value for name, value in chosen.items() if value is not None}
    if config.max_tokens is not None:
        used = next((name for name in _MOST_TOKENS if name in body), _MOST_TOKENS[0])
        body[used] = config.max_tokens
    return _to_model(body | dict(config.provider_options), config)


def embedding_body(given: Mapping[str, Any], config: EmbeddingModelConfig) -> dict[str, Any]:
    """An embedding request to the configured model. Vectors come as numbers: the seat encodes them as asked for."""
    body = {name: value for name, value in given.items() if name not in _TRANSPORT and value is not None}
    body["input"] = texts_in(given)
    body["encoding_format"] = "float"
    if config.dimensions is not None:
        body["dimensions"] = config.dimensions
    return _to_model(body, config)


def rerank_body(given: Mapping[str, Any], config: RerankModelConfig) -> dict[str, Any]:
    """A rerank request to the configured model."""
    return _to_model(dict(given), config)


def texts_in(given: Mapping[str, Any]) -> list[str]:
    """The texts of an embedding request.

    Raises:
        ValueError: it holds something else, such as token ids, which mean nothing without the library's tokenizer.
    """
    wanted = given.get("input")
    texts = [wanted] if isinstance(wanted, str) else wanted
    if not isinstance(texts, list) or not texts or not all(isinstance(text, str) for text in texts):
        raise ValueError("'input' must be a text or a list of texts")
    return texts


def _to_model(body: dict[str, Any], config: EndpointConfig) -> dict[str, Any]:
    body["model"] = split_model(config.model)[1]
    return {name: value for name, value in body.items() if value is not None}
