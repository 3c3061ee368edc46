"""Documents on the network: a few tries, a few redirects, and no more bytes than allowed."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

import anyio

from heta_framework.evaluation.document_content.limits import ContentLimits, UnreadableError

if TYPE_CHECKING:
    import httpx

_BUSY = {HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS}
_LONGEST_WAIT = 10.0


class _BusyError(Exception):
    """The server answers that another try may succeed."""


class Network:
    """Fetches addresses, over connections that are kept until it is closed."""

    def __init__(self, limits: ContentLimits) -> None:
        self._limits = limits
        self._client: httpx.AsyncClient | None = None

    async def close(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    async def fetch(self, url: str) -> bytes:
        """What an address answers.

        Raises:
            UnreadableError: it does not answer, answers something else, too much, or too slowly.
        """
        import httpx

        limits = self._limits
        try:
            with anyio.fail_after(limits.total_s):
                return await self._fetch_patiently(url)
        except httpx.TooManyRedirects as cause:
            raise UnreadableError(f"its address is redirected more than {limits.redirects} times") from cause
        except ExceptionGroup as cause:  # a redirection to an address that the system refuses
            raise UnreadableError(f"its address cannot be connected to: {cause.exceptions[0]}") from cause
        except (httpx.HTTPError, httpx.InvalidURL, _BusyError, UnicodeError) as cause:
            raise UnreadableError(str(cause) or type(cause).__name__) from cause
        except TimeoutError as cause:
            raise UnreadableError(f"it did not arrive within {limits.total_s:g} s") from cause

    async def _fetch_patiently(self, url: str) -> bytes:
        import httpx
        import stamina

        attempts = stamina.retry_context(
            on=(httpx.TransportError, _BusyError),
            attempts=self._limits.attempts,
            timeout=None,
            wait_max=_LONGEST_WAIT,
        )
        async for attempt in attempts:
            with attempt:
                return await self._fetch_once(url)
        raise AssertionError("the last attempt returns or raises")

    async def _fetch_once(self, url: str) -> bytes:
        content = bytearray()
        # identity: size and hash are those of the plain document
        async with self._connected().stream("GET", url, headers={"Accept-Encoding": "identity"}) as response:
            self._require_success(response)
            async for block in response.aiter_bytes():
                content += block
                self._limits.require(len(content), or_more=True)
        return bytes(content)

    def _connected(self) -> httpx.AsyncClient:
        import httpx

        if self._client is None:
            self._client = httpx.AsyncClient(
                timeout=self._limits.wait_s, follow_redirects=True, max_redirects=self._limits.redirects
            )
        return self._client

    def _require_success(self, response: httpx.Response) -> None:
        status = response.status_code
        answer = f"its address answers {status} {response.reason_phrase}"
        if status in _BUSY or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            raise _BusyError(answer)
        if status != HTTPStatus.OK:
            raise UnreadableError(answer)
        length = response.headers.get("Content-Length", "")
        if length.isdecimal():
            self._limits.require(int(length))
