"""What is shown where a page cannot be: what was asked for, what there is, and where to go on. Never a traceback."""

import logging
from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Any, NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from heams.browse.index import NoSuchExperiment
from heams.browse.rendering import links
from heams.browse.rendering.page import render
from heams.reporting.errors import ResultsError
from heta_framework.common.config import ConfigError

_log = logging.getLogger("heams.browse")
_TITLES = {
    HTTPStatus.BAD_REQUEST: "This address cannot be read",
    HTTPStatus.FORBIDDEN: "Not allowed",
    HTTPStatus.NOT_FOUND: "Nothing here",
    HTTPStatus.METHOD_NOT_ALLOWED: "Not possible here",
}
_WORDS = {
    HTTPStatus.NOT_FOUND: "There is no page at this address.",
    HTTPStatus.METHOD_NOT_ALLOWED: "This page can be read, and nothing can be sent to it.",
}
_FAULT = (
    "Something went wrong while this page was made. The terminal where heams browse runs says what; "
    "please report it with the address of this page."
)


class Link(NamedTuple):
    """Where to go on."""

    words: str
    href: str


class Problem(HTTPException):
    """Raised by pages: ``words`` say what was found and what is allowed, ``onward`` where to go on."""

    def __init__(self, words: str, onward: Sequence[Link] = (), status: HTTPStatus = HTTPStatus.BAD_REQUEST) -> None:
        super().__init__(status, words)
        self.onward = tuple(onward)


class Faults:
    """ASGI middleware: a fault of ours becomes a page that says so, and a traceback in the terminal."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        begun = False

        async def sending(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, sending)
        except Exception:  # the outermost boundary of a request
            _log.exception("%s could not be shown", scope.get("path"))
            if begun:
                raise
            shown = _page(Request(scope), HTTPStatus.INTERNAL_SERVER_ERROR, _FAULT, title="This page could not be made")
            await shown(scope, receive, send)


def handlers() -> Mapping[Any, Callable[[Request, Any], Response]]:
    """What answers each kind of error."""
    return {
        HTTPException: _http_error,
        NoSuchExperiment: _no_such_experiment,
        ResultsError: _unreadable,
        ConfigError: _unreadable,
    }


def _http_error(request: Request, error: HTTPException) -> Response:
    status = HTTPStatus(error.status_code)
    told = error.detail if error.detail != status.phrase else _WORDS.get(status, status.description)
    return _page(request, status, told, getattr(error, "onward", ()))


def _no_such_experiment(request: Request, error: NoSuchExperiment) -> Response:
    onward = [Link(f"Did you mean {error.nearest}?", links.run(error.nearest))] if error.nearest else []
    return _page(request, HTTPStatus.NOT_FOUND, f"There is no experiment named “{error.key}” in these results.", onward)


def _unreadable(request: Request, error: ResultsError | ConfigError) -> Response:
    return _page(request, HTTPStatus.CONFLICT, str(error), title="These results cannot be read")


def _page(
    request: Request, status: HTTPStatus, words: str, onward: Sequence[Link] = (), title: str | None = None
) -> Response:
    shown = title or _TITLES.get(status, status.phrase)
    return render(request, "error.html", status=status, title=shown, words=words, onward=onward, code=status.value)
