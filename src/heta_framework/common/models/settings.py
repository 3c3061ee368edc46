"""How a model is named and set in YAML: which one, where, with which key, under which limits and prices."""

import os
import re
from collections.abc import Mapping
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue

PROVIDERS: Mapping[str, str] = {
    "openai": "OPENAI_API_KEY",
    "anthropic": "ANTHROPIC_API_KEY",
    "google": "GOOGLE_API_KEY",
    "bedrock": "AWS_BEARER_TOKEN_BEDROCK",
    "mistral": "MISTRAL_API_KEY",
    "groq": "GROQ_API_KEY",
}
"""Providers by the prefix of a model's name, with the variable that holds their key unless ``api_key_env`` says so."""
BASE_URL_ENV: Mapping[str, str] = {"openai": "OPENAI_BASE_URL"}
"""Where a provider's own client looks for another endpoint."""


def split_model(name: str) -> tuple[str, str]:
    """Provider and model of ``openai:gpt-4o-mini``; the spelling ``openai/gpt-4o-mini`` means the same.

    A name without a known provider in front is a model of an OpenAI-compatible endpoint.
    """
    for separator in (":", "/"):
        provider, found, model = name.partition(separator)
        if found and provider in PROVIDERS and model:
            return provider, model
    return "openai", name


def _model_name(name: str) -> str:
    from heta_framework.common.config import nearest

    if not name.strip():
        raise ValueError("a model is named 'provider:model', such as 'openai:gpt-4o-mini'")
    provider, found, model = name.partition(":")
    if found and provider not in PROVIDERS and name.partition("/")[0] not in PROVIDERS:
        near = nearest(provider, list(PROVIDERS))
        hint = f"; did you mean {near}:{model}?" if near else ""
        known = ", ".join(PROVIDERS)
        raise ValueError(
            f"unknown provider {provider!r}{hint} Known providers: {known}. "
            f"A model of an OpenAI-compatible endpoint whose name holds a colon is written 'openai:{name}'"
        )
    if found and not model:
        raise ValueError(f"no model is named after {name!r}")
    return name


ModelName = Annotated[str, AfterValidator(_model_name)]


def _variable_name(name: str) -> str:
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
        raise ValueError("the name of an environment variable is wanted, never a key itself: letters, digits, '_'")
    return name


VariableName = Annotated[str, AfterValidator(_variable_name)]


def _address(address: str) -> str:
    problem = address_problem(address)
    if problem:
        raise ValueError(problem)
    return address


Address = Annotated[str, AfterValidator(_address)]


def address_problem(address: str) -> str | None:
    """What keeps ``address`` from being the base URL of an endpoint; None where nothing does."""
    try:
        parts = urlsplit(address)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is no number, an unclosed bracket
        usable = False
    if usable and not re.search(r"\s", address):
        return None
    return "an address such as https://host:8000/v1 is wanted: http:// or https://, a host, no spaces"


class Prices(BaseModel):
    """What a model costs, in USD per million tokens. ``cached_input`` defaults to the price of fresh input."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    input: float = Field(ge=0, allow_inf_nan=False)
    output: float = Field(default=0.0, ge=0, allow_inf_nan=False)
    cached_input: float | None = Field(default=None, ge=0, allow_inf_nan=False)


class EndpointConfig(BaseModel):
    """Which model, at which endpoint, under which limits.

    ``base_url``: any OpenAI-compatible endpoint; without it the provider's own (or what ``OPENAI_BASE_URL`` says).
    ``api_key_env``: the *name* of the environment variable with the key. ``prices`` override the known list price.
    ``timeout_s`` limits one attempt, ``max_attempts`` how often a call is tried. ``max_concurrency`` is the most calls
    at once; below it the limit adapts itself to what the endpoint bears.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: ModelName
    base_url: Address | None = None
    api_key_env: VariableName | None = None
    prices: Prices | None = None
    timeout_s: float = Field(default=120.0, gt=0, allow_inf_nan=False)
    max_attempts: int = Field(default=6, ge=1)
    max_concurrency: int = Field(default=64, ge=1)
    requests_per_minute: int | None = Field(default=None, ge=1)
    tokens_per_minute: int | None = Field(default=None, ge=1)

    @property
    def provider(self) -> str:
        """The provider's name, such as ``openai``."""
        return split_model(self.model)[0]

    @property
    def model_id(self) -> str:
        """``provider:model``, however it was spelt."""
        return ":".join(split_model(self.model))

    @property
    def key_variable(self) -> str:
        """The environment variable that holds the key."""
        return self.api_key_env or PROVIDERS[self.provider]

    def resolved_base_url(self, env: Mapping[str, str] | None = None) -> str:
        """The endpoint; empty for the provider's own."""
        variable = BASE_URL_ENV.get(self.provider, "")
        return self.base_url or (os.environ if env is None else env).get(variable, "").strip()

    def key_problem(self, env: Mapping[str, str] | None = None) -> str | None:
        """What keeps the key from being sent, in words without it; None where nothing does, or there is none."""
        if all("!" <= character <= "~" for character in self.api_key(env) or ""):
            return None
        return f"the environment variable {self.key_variable} holds spaces or characters that no key can have"

    def api_key(self, env: Mapping[str, str] | None = None) -> str | None:
        """The key without white space around it (files end with a newline), None where the variable is not set."""
        return (os.environ if env is None else env).get(self.key_variable, "").strip() or None


class LanguageModelConfig(EndpointConfig):
    """A language model with its sampling. What is None is left to the provider.

    ``structured_output``: how a schema is asked for: the endpoint's own ``json_schema``, a ``tool``, or in the
    ``prompt``. ``provider_options`` are added to the request body as they are.
    """

    temperature: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    top_p: float | None = Field(default=None, gt=0, le=1)
    max_tokens: int | None = Field(default=None, ge=1)
    seed: int | None = None
    structured_output: Literal["json_schema", "tool", "prompt"] = "json_schema"
    provider_options: Mapping[str, JsonValue] = Field(default_factory=dict)


class EmbeddingModelConfig(EndpointConfig):
    """An embedding model behind an endpoint; ``wordllama`` and ``minilm`` need none.

    ``dimensions`` shortens vectors where the model can; ``batch_size`` is the most texts of one call.
    """

    dimensions: int | None = Field(default=None, ge=1)
    batch_size: int = Field(default=128, ge=1)


class RerankModelConfig(EndpointConfig):
    """A reranker behind an endpoint that offers ``POST {base_url}/rerank`` (Jina, Cohere, vLLM, TEI ...)."""
