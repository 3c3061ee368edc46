"""The pydantic-ai model behind a configuration: its provider's client, without retries of its own."""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from heta_framework.common.config.url_secrets import url_secrets
from heta_framework.common.models.calls.runtime import current_runtime
from heta_framework.common.models.errors import ModelSetupError
from heta_framework.common.models.providers.bedrock import bedrock_client
from heta_framework.common.models.providers.clients import http_client, openai_client
from heta_framework.common.models.redaction import register_secret
from heta_framework.common.models.settings import EndpointConfig, split_model

_KEYLESS = "no-key"
"""Sent to endpoints that ask for none, and never sent at all in a replay."""
_OTHER_CREDENTIALS = frozenset({"bedrock"})
"""Providers that can also be reached without a key, here with the account that AWS's own settings name."""


class Built(NamedTuple):
    """A model, and what closes its client's connections."""

    model: Any
    close: Callable[[], Awaitable[None]]


def build_chat_model(config: EndpointConfig, key: str | None) -> Built:
    """The provider's chat model, without contacting it.

    Raises:
        ModelSetupError: the provider's extra is not installed.
    """
    provider, name = split_model(config.model)
    with missing_package(config):
        return _BUILDERS[provider](name, config, key)


@contextmanager
def missing_package(config: EndpointConfig) -> Iterator[None]:
    """Say which extra to install where a provider's package cannot be imported."""
    try:
        yield
    except ImportError as error:
        raise ModelSetupError(
            f"model {config.model_id!r} needs a package that is not installed: pip install 'heams[{config.provider}]'"
        ) from error


def usable_key(config: EndpointConfig, given: str | None = None) -> str | None:
    """The key to call with: the one ``given``, else that of the environment; None where other credentials serve.

    Raises:
        ModelSetupError: the variable with the key is not set, and one is needed; or no header can carry the key.
    """
    key = known_key(config, given)
    if key is not None or config.provider in _OTHER_CREDENTIALS:
        return key
    if current_runtime().replaying or config.resolved_base_url():
        return _KEYLESS
    raise ModelSetupError(
        f"model {config.model_id!r} needs a key: the environment variable {config.key_variable} is not set. "
        f"Set it, name another with 'api_key_env', or give a 'base_url' that asks for none"
    )


def known_key(config: EndpointConfig, given: str | None = None) -> str | None:
    """The key where there is one. From now on it stays out of messages and replies, as do secrets in the address.

    Raises:
        ModelSetupError: no header can carry the key.
    """
    for secret in url_secrets(config.resolved_base_url()):
        register_secret(secret)
    key = (given or "").strip() or config.api_key()
    if key is not None:
        register_secret(key)
    problem = _problem_of_given(config, given) if (given or "").strip() else config.key_problem()
    if problem:
        raise ModelSetupError(f"model {config.model_id!r} cannot be called: {problem}")
    return key


def _problem_of_given(config: EndpointConfig, given: str | None) -> str | None:
    held = {config.key_variable: given or ""}
    return "its 'api_key' holds spaces or characters that no key can have" if config.key_problem(held) else None


def _openai(name: str, config: EndpointConfig, key: str | None) -> Built:
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.profiles.openai import OpenAIModelProfile
    from pydantic_ai.providers.openai import OpenAIProvider

    client = openai_client(config, key)
    whole: OpenAIModelProfile = {"openai_chat_streaming_requires_finish_reason": True}
    return Built(OpenAIChatModel(name, provider=OpenAIProvider(openai_client=client), profile=whole), client.close)


def _anthropic(name: str, config: EndpointConfig, key: str | None) -> Built:
    from anthropic import AsyncAnthropic
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    client = AsyncAnthropic(
        api_key=key, base_url=config.base_url, max_retries=0, timeout=config.timeout_s, http_client=http_client(config)
    )
    return Built(AnthropicModel(name, provider=AnthropicProvider(anthropic_client=client)), client.close)


def _groq(name: str, config: EndpointConfig, key: str | None) -> Built:
    from groq import AsyncGroq
    from pydantic_ai.models.groq import GroqModel
    from pydantic_ai.providers.groq import GroqProvider

    client = AsyncGroq(api_key=key, base_url=config.base_url, max_retries=0, timeout=config.timeout_s)
    return Built(GroqModel(name, provider=GroqProvider(groq_client=client)), client.close)


def _mistral(name: str, config: EndpointConfig, key: str | None) -> Built:
    from pydantic_ai.models.mistral import MistralModel
    from pydantic_ai.providers.mistral import MistralProvider

    http = http_client(config)
    provider = MistralProvider(api_key=key, base_url=config.base_url, http_client=http)
    return Built(MistralModel(name, provider=provider, settings={"max_retries": 0}), http.aclose)


def _google(name: str, config: EndpointConfig, key: str | None) -> Built:
    from pydantic_ai.models.google import GoogleModel
    from pydantic_ai.providers.google import GoogleProvider

    http = http_client(config)
    provider = GoogleProvider(api_key=key, base_url=config.base_url, http_client=http)
    return Built(GoogleModel(name, provider=provider, settings={"max_retries": 0}), http.aclose)


def _bedrock(name: str, config: EndpointConfig, key: str | None) -> Built:
    from pydantic_ai.models.bedrock import BedrockConverseModel
    from pydantic_ai.providers.bedrock import BedrockProvider

    client = bedrock_client(config, key)

    async def close() -> None:
        client.close()

    return Built(BedrockConverseModel(name, provider=BedrockProvider(bedrock_client=client)), close)


_BUILDERS: Mapping[str, Callable[[str, EndpointConfig, str | None], Built]] = {
    "openai": _openai,
    "anthropic": _anthropic,
    "google": _google,
    "bedrock": _bedrock,
    "mistral": _mistral,
    "groq": _groq,
}
