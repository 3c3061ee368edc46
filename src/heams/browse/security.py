"""Who may ask, and what a browser may do with the answer.

Results are served to one person, from an address that any page in a browser can reach. So: the ``Host`` must be one of
ours (a page of another name that was made to point here, by DNS rebinding, is refused); nothing but GET, HEAD and POST
is heard; a POST must come from our own pages, which ``Origin``, ``Sec-Fetch-Site`` and a token of this process prove;
and every answer forbids what our pages do not need: foreign content, inline scripts and styles, frames.
"""

import ipaddress
import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from urllib.parse import parse_qsl

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from heams.browse.refusals import refusal

CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": CSP,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
"""On every answer, also on errors."""
NOT_KEPT = "no-store"
_METHODS = {"GET", "HEAD", "POST"}
_FORM = "application/x-www-form-urlencoded"
_MOST_BYTES = 1 << 20
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_WILDCARDS = frozenset({"0.0.0.0", "::", ""})  # noqa: S104 - recognised, not bound


@dataclass(frozen=True, slots=True)
class Hosts:
    """The names under which pages may be asked for: those of this machine, ``host``, and what is ``allowed`` besides.

    ``allowed`` has names, or names with a port. Where ``host`` stands for every address of the machine, any address of
    digits is accepted too: rebinding needs a name.
    """

    port: int
    host: str = "127.0.0.1"
    allowed: Collection[str] = ()

    @property
    def everywhere(self) -> bool:
        """Whether other machines can reach the pages under any address of this one."""
        return self.host in _WILDCARDS

    @property
    def reachable(self) -> bool:
        """Whether anybody but this machine can connect."""
        return self.host.lower() not in _LOOPBACK and not (_is_address(self.host) and _is_loopback(self.host))

    def accept(self, header: str) -> bool:
        """Whether a ``Host`` header names one of ours."""
        name, port = _split(header)
        if header.lower() in {one.lower() for one in self.allowed} or name in {one.lower() for one in self.allowed}:
            return True
        if port != self.port:
            return False
        if name in _LOOPBACK or name == self.host.lower():
            return True
        return self.everywhere and _is_address(name)


@dataclass(frozen=True, slots=True)
class Security:
    """What one process accepts. ``token`` is part of every form that it renders."""

    hosts: Hosts
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32))


class Guard:
    """ASGI middleware around everything: refuses, reads forms, and adds the headers.

    A POST that was accepted has its form in ``request.state.form``, a mapping of text to text without the token.
    """

    def __init__(self, app: ASGIApp, security: Security) -> None:
        self._app = app
        self._security = security

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        guarded = _with_headers(send)
        refused = await self._refused(scope, receive)
        await (refused or self._app)(scope, receive, guarded)

    async def _refused(self, scope: Scope, receive: Receive) -> ASGIApp | None:
        headers = Headers(scope=scope)
        if not self._security.hosts.accept(headers.get("host", "")):
            return refusal(HTTPStatus.MISDIRECTED_REQUEST, _host_words(headers.get("host", ""), self._security.hosts))
        if scope["method"] not in _METHODS:
            return refusal(
                HTTPStatus.METHOD_NOT_ALLOWED, f"{scope['method']} is not heard here; pages are read by GET."
            )
        if scope["method"] != "POST":
            return None
        if not _from_our_pages(headers):
            return refusal(HTTPStatus.FORBIDDEN, "This form was sent by another site, so nothing was changed.")
        return await self._unproven(scope, headers, receive)

    async def _unproven(self, scope: Scope, headers: Headers, receive: Receive) -> ASGIApp | None:
        """Read the form; a refusal where its token is not ours."""
        if headers.get("content-type", "").partition(";")[0].strip().lower() != _FORM:
            return refusal(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"Forms are sent as {_FORM}.")
        body = await _body(receive)
        if body is None:
            return refusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"A form has at most {_MOST_BYTES:,} bytes.")
        form = dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True))
        given = headers.get("x-csrf-token") or form.pop("csrf", "")
        if not secrets.compare_digest(given.encode(), self._security.token.encode()):
            return refusal(
                HTTPStatus.FORBIDDEN,
                "This page is from before `heams browse` was started again, so nothing was changed. "
                "Go back, reload the page and try again.",
            )
        scope.setdefault("state", {})["form"] = form
        return None


def _split(header: str) -> tuple[str, int | None]:
    """Name and port of a ``Host`` header; no port means 80."""
    name, _, port = header.strip().lower().rpartition(":")
    if not name or port.endswith("]"):
        return header.strip().lower().strip("[]"), 80
    return name.strip("[]"), int(port) if port.isascii() and port.isdigit() and len(port) <= len("65535") else None


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _is_loopback(name: str) -> bool:
    return ipaddress.ip_address(name).is_loopback


def _from_our_pages(headers: Headers) -> bool:
    """Browsers say where a form is from, in one header or the other; where both are missing, the token decides."""
    if headers.get("sec-fetch-site", "same-origin") != "same-origin":
        return False
    origin = headers.get("origin")
    return origin is None or origin in {f"http://{headers.get('host', '')}", f"https://{headers.get('host', '')}"}


async def _body(receive: Receive) -> bytes | None:
    """The whole body; None where it is too large."""
    parts: list[bytes] = []
    size = 0
    while True:
        message: Message = await receive()
        part = message.get("body", b"")
        size += len(part)
        if size > _MOST_BYTES:
            return None
        parts.append(part)
        if not message.get("more_body", False):
            return b"".join(parts)


def _host_words(header: str, hosts: Hosts) -> str:
    named = f"the name {header!r}" if header else "no name"
    return (
        f"These pages were asked for under {named}. They answer to http://127.0.0.1:{hosts.port} and localhost; "
        "to use another name, start `heams browse` with --allow-host NAME."
    )


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
            headers.setdefault("Cache-Control", NOT_KEPT)
        await send(message)

    return sending
