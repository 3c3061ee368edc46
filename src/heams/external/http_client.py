"""POSTs JSON messages to one URL and reads JSON messages back; everything that can go wrong is worded here."""

import asyncio
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pydantic import JsonValue

from heams.external.codec import decode, encode, quoted
from heams.external.errors import ExternalProgramError
from heams.external.protocol import MAX_MESSAGE_BYTES, ProgramRole
from heams.external.settings import ServerSettings
from heta_framework.common.config import ConfigError, ConfigProblem

if TYPE_CHECKING:
    import ssl

    import httpx


class JsonClient:
    """One server. Redirects are not followed, because headers with keys would go with them."""

    def __init__(self, settings: ServerSettings, role: ProgramRole) -> None:
        self.label = server_label(settings, role)
        self._url = settings.url
        self._http = _client(settings)

    async def post(self, op: str, message: Mapping[str, JsonValue], seconds: float) -> dict[str, JsonValue]:
        """Send a message and return the object in the answer.

        Raises:
            ExternalProgramError: no connection, no answer in time, a status other than 200, or no JSON object.
        """
        import httpx

        try:
            body = encode(message)
            async with asyncio.timeout(seconds):
                answer = await self._exchange(body)
            return _decoded(answer)
        except TimeoutError:
            problem = f"was not answered within {seconds:g} s"
        except httpx.ConnectError as error:
            problem = f"found no server ({error or type(error).__name__}); does it run at this address?"
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            problem = f"broke off: {error or type(error).__name__}"
        except (ValueError, _BadAnswer) as error:
            problem = f"failed: {error}"
        raise ExternalProgramError(f"{self.label}: {op!r} {problem}")

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def _exchange(self, body: bytes) -> bytes:
        async with self._http.stream("POST", self._url, content=body) as response:
            if response.is_redirect:
                target = shown_url(response.headers.get("location", ""))
                raise _BadAnswer(
                    f"the answer is a redirect ({response.status_code}) to {target!r}, which is not followed; "
                    "give the final address as 'url'"
                )
            answer = await _read(response)
            if response.status_code != 200:
                raise _BadAnswer(f"the status is {response.status_code}, not 200; the answer begins {quoted(answer)}")
        return answer


class _BadAnswer(Exception):  # noqa: N818 - what was answered, in words
    pass


def server_label(settings: ServerSettings, role: ProgramRole) -> str:
    """How messages name a server."""
    return f"{role} server {shown_url(settings.url)}"


def shown_url(url: str) -> str:
    """A URL without what may be secret in it: user, password, query."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}" if parts.netloc else parts.path


async def _read(response: "httpx.Response") -> bytes:
    if response.headers.get("content-encoding", "identity") != "identity":
        raise _BadAnswer("the answer is compressed, which was not asked for")
    answer = bytearray()
    async for chunk in response.aiter_raw():
        answer += chunk
        if len(answer) > MAX_MESSAGE_BYTES:
            raise _BadAnswer(f"the answer is longer than {MAX_MESSAGE_BYTES} bytes")
    return bytes(answer)


def _decoded(answer: bytes) -> dict[str, JsonValue]:
    try:
        return decode(answer)
    except ValueError as error:
        raise _BadAnswer(f"the answer is no message ({error}): {quoted(answer)}") from None


def _client(settings: ServerSettings) -> "httpx.AsyncClient":
    import httpx

    headers = {name: value.get_secret_value() for name, value in settings.headers.items()}
    return httpx.AsyncClient(
        headers={"content-type": "application/json", "accept-encoding": "identity", **headers},
        timeout=None,  # noqa: S113 - each request has one limit for everything, see `post`
        limits=httpx.Limits(max_connections=None, max_keepalive_connections=32),
        verify=_trust(settings),
    )


@cache
def _usual_trust() -> "ssl.SSLContext":
    """Read once: loading the certificates takes longer than many requests."""
    import httpx

    return httpx.create_ssl_context()


def _trust(settings: ServerSettings) -> "bool | ssl.SSLContext":
    import ssl

    if isinstance(settings.verify, bool):
        return settings.verify and _usual_trust()
    try:
        return ssl.create_default_context(cafile=settings.verify)
    except OSError as error:  # ssl.SSLError is one
        problem = ConfigProblem(None, None, "verify", f"found '{settings.verify}'; no certificates in it ({error})")
        raise ConfigError([problem]) from None
