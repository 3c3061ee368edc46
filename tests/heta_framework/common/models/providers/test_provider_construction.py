"""Models of every provider are made without contacting anybody; a missing package or region is named."""

import asyncio
import socket
from importlib.util import find_spec
from typing import Any

import pytest

from heta_framework.common.models import EmbeddingModel, LanguageModel, ModelSetupError
from heta_framework.common.models.settings import PROVIDERS

KEY = "sk-canary-of-providers"
MODELS = {
    "openai": "gpt-4o-mini",
    "anthropic": "claude-sonnet-4-5",
    "google": "gemini-2.5-flash",
    "bedrock": "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
    "mistral": "mistral-small-latest",
    "groq": "llama-3.3-70b-versatile",
}
PACKAGES = {
    "openai": "openai",
    "anthropic": "anthropic",
    "google": "google.genai",
    "bedrock": "boto3",
    "mistral": "mistralai",
    "groq": "groq",
}


@pytest.fixture(autouse=True)
def _nobody_to_call(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("a model was made, and somebody was called")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    for name in ("OPENAI_BASE_URL", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")


def installed(provider: str) -> bool:
    try:
        return find_spec(PACKAGES[provider]) is not None
    except ModuleNotFoundError:
        return False


def model(provider: str, separator: str = ":") -> LanguageModel:
    return LanguageModel(model_name=f"{provider}{separator}{MODELS[provider]}", api_key=KEY)


def test_every_provider_is_tried() -> None:
    assert set(MODELS) == set(PACKAGES) == set(PROVIDERS)


@pytest.mark.parametrize("provider", MODELS)
def test_a_model_is_made_without_a_call(provider: str) -> None:
    if not installed(provider):
        pytest.skip(f"the extra {provider} is not installed")
    made = model(provider, "/")
    assert made._path.model_name == MODELS[provider]
    assert made._path.structured_output in ("json_schema", "tool")
    assert KEY not in f"{made!r} {made._path!r} {vars(made)}"


@pytest.mark.parametrize("provider", MODELS)
def test_a_client_tries_once(provider: str) -> None:
    """Our path tries again; a client that does so too would multiply attempts and hide what they cost."""
    if not installed(provider):
        pytest.skip(f"the extra {provider} is not installed")

    async def attempts() -> int:
        wrapped = await model(provider)._path._endpoint.here()
        if provider == "bedrock":
            return int(wrapped.client.meta.config.retries["total_max_attempts"])
        if provider in ("mistral", "google"):
            return int(wrapped.settings["max_retries"]) + 1
        return int(wrapped.client.max_retries) + 1

    assert asyncio.run(attempts()) == 1


@pytest.mark.parametrize("provider", MODELS)
def test_a_missing_package_is_named(provider: str) -> None:
    if installed(provider):
        pytest.skip(f"the extra {provider} is installed")
    with pytest.raises(ModelSetupError, match=rf"pip install 'heams\[{provider}\]'"):
        model(provider)


@pytest.mark.parametrize(
    ("provider", "name"), [("google", "gemini-embedding-001"), ("bedrock", "amazon.titan-embed-text-v2:0")]
)
def test_embedding_models_of_other_providers_are_made(provider: str, name: str) -> None:
    if not installed(provider):
        pytest.skip(f"the extra {provider} is not installed")
    assert EmbeddingModel(model_name=f"{provider}:{name}", api_key=KEY).model_name == f"{provider}:{name}"


def test_bedrock_without_a_region_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("boto3")
    for name in ("AWS_DEFAULT_REGION", "AWS_REGION"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nonexistent")
    with pytest.raises(ModelSetupError, match="AWS_DEFAULT_REGION"):
        LanguageModel(model_name="bedrock:of-no-region", api_key=KEY)


def test_a_key_is_needed_where_nothing_else_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in PROVIDERS.values():
        monkeypatch.delenv(variable, raising=False)
    for provider in set(MODELS) - {"bedrock"}:
        with pytest.raises(ModelSetupError, match=f"{PROVIDERS[provider]} is not set"):
            LanguageModel(model_name=f"{provider}:{MODELS[provider]}")
