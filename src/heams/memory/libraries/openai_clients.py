"""Clients for a seat at the gateway: no retries of their own, and no proxy between two ends of one machine."""

from typing import Any, NamedTuple

from heta_framework.common.models.gateway import Seat


class HttpClients(NamedTuple):
    """HTTP clients as OpenAI's SDK takes them. They wait as long as the call path does."""

    blocking: Any
    waiting: Any

    async def close(self) -> None:
        """Close the connections of both."""
        self.blocking.close()
        await self.waiting.aclose()


def http_clients() -> HttpClients:
    """A pair of clients for one library."""
    from openai import DefaultAsyncHttpxClient, DefaultHttpxClient

    return HttpClients(
        DefaultHttpxClient(trust_env=False, timeout=None), DefaultAsyncHttpxClient(trust_env=False, timeout=None)
    )


def blocking_client(seat: Seat) -> Any:
    """An ``openai.OpenAI``."""
    from openai import DefaultHttpxClient, OpenAI

    http = DefaultHttpxClient(trust_env=False, timeout=None)
    return OpenAI(api_key=seat.api_key, base_url=seat.base_url, max_retries=0, timeout=None, http_client=http)


def async_client(seat: Seat) -> Any:
    """An ``openai.AsyncOpenAI``."""
    from openai import AsyncOpenAI, DefaultAsyncHttpxClient

    http = DefaultAsyncHttpxClient(trust_env=False, timeout=None)
    return AsyncOpenAI(api_key=seat.api_key, base_url=seat.base_url, max_retries=0, timeout=None, http_client=http)
