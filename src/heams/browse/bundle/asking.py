"""Asks the application for its pages, within this process: no port, no network."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from time import monotonic, sleep

import httpx
from anyio.from_thread import start_blocking_portal
from starlette.applications import Starlette
from starlette.routing import Match

_POLLS = 'hx-trigger="every '
_PATIENCE_SECONDS = 120.0
_SECONDS_BETWEEN = 0.25
Ask = Callable[[str], httpx.Response]


@contextmanager
def asking(app: Starlette, base_url: str) -> Iterator[Ask]:
    """A function that asks for an address. The application must accept the host of ``base_url``."""
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    with start_blocking_portal() as portal:
        client = httpx.AsyncClient(transport=transport, base_url=base_url)
        try:
            yield lambda address: portal.call(client.get, address)
        finally:
            portal.call(client.aclose)


def settled(ask: Ask, address: str) -> str:
    """The page at an address once it is complete: some are shown while parts of them are still being worked out.

    Such a page asks for itself again and again. Whatever is not there after a while is not waited for.
    """
    ends = monotonic() + _PATIENCE_SECONDS
    page = ask(address).text
    while _POLLS in page and monotonic() < ends:
        sleep(_SECONDS_BETWEEN)
        page = ask(address).text
    return page


def has_page(app: Starlette, path: str) -> bool:
    """Whether the application has a page at a path."""
    scope = {"type": "http", "method": "GET", "path": path, "root_path": ""}
    return any(route.matches(scope)[0] is Match.FULL for route in app.routes)


def picture_of(ask: Ask, address: str) -> str | None:
    """The SVG at an address; None where there is none, and where it is something else."""
    answer = ask(address)
    kind = answer.headers.get("content-type", "").partition(";")[0]
    return answer.text if answer.status_code == HTTPStatus.OK and kind == "image/svg+xml" else None
