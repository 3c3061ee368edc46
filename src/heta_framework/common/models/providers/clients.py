"""HTTP clients of providers: pools wide enough for every call that may be under way, and no retries of their own."""

from typing import Any

from heta_framework.common.models.settings import EndpointConfig

_CONNECT_S = 15.0
_FEWEST_CONNECTIONS = 100


def http_client(config: EndpointConfig) -> Any:
    """A client whose pool keeps a connection for each of ``max_concurrency`` calls, so that none queues for one."""
    import httpx2
    from pydantic_ai.models import create_async_httpx2_client

    connections = max(_FEWEST_CONNECTIONS, config.max_concurrency)
    return create_async_httpx2_client(
        timeout=httpx2.Timeout(config.timeout_s, connect=min(_CONNECT_S, config.timeout_s)),
        limits=httpx2.Limits(max_connections=connections, max_keepalive_connections=connections),
    )


def openai_client(config: EndpointConfig, key: str | None) -> Any:
    """The client of any OpenAI-compatible endpoint."""
    from openai import AsyncOpenAI

    return AsyncOpenAI(
        api_key=key,
        base_url=config.resolved_base_url() or None,
        max_retries=0,
        timeout=config.timeout_s,
        http_client=http_client(config),
    )
