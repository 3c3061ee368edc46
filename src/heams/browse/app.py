"""Puts the pages together into one application over a library of results."""

import importlib
import pkgutil
from collections.abc import Iterator

from anyio import to_thread
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from heams.browse import pages
from heams.browse.comparing import Comparisons, Marks
from heams.browse.index import Library
from heams.browse.pages.errors import Faults, handlers
from heams.browse.security import Guard, Security
from heams.browse.views.kept import Kept
from heams.browse.views.list_answers import ListAnswers
from heams.browse.views.matrix.digests import Digests
from heams.browse.views.overview import overview_of
from heams.browse.views.run_rows import RunRows
from heams.browse.views.sample.list_place import ListOrders

_NOT_RESULTS = ("/static/",)


def create_app(library: Library, security: Security) -> Starlette:
    """The application. Every module in ``heams.browse.pages`` that has ``routes()`` is part of it.

    ``request.app.state`` has ``library``, ``csrf_token``, ``run_rows``, ``overviews``, ``list_orders``,
    ``list_answers``, ``comparisons``, ``digests`` and ``marks``.
    """
    app = Starlette(
        routes=list(_routes()),
        middleware=[
            Middleware(Guard, security=security),
            Middleware(Faults),
            Middleware(Fresh, library=library),
        ],
        exception_handlers=handlers(),
    )
    app.state.library = library
    app.state.csrf_token = security.token
    app.state.run_rows = RunRows(library)
    app.state.overviews = Kept(overview_of)
    app.state.list_orders = ListOrders()
    app.state.list_answers = ListAnswers()
    app.state.comparisons = Comparisons()
    app.state.digests = Digests(library)
    app.state.marks = Marks()
    return app


class Fresh:
    """ASGI middleware: before each page, the library notices what a run has written meanwhile."""

    def __init__(self, app: ASGIApp, library: Library) -> None:
        self._app = app
        self._library = library

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] == "http" and not scope["path"].startswith(_NOT_RESULTS):
            await to_thread.run_sync(self._library.refresh)
        await self._app(scope, receive, send)


def _routes() -> Iterator[Route]:
    for module in sorted(pkgutil.iter_modules(pages.__path__), key=lambda found: found.name):
        page = importlib.import_module(f"{pages.__name__}.{module.name}")
        if hasattr(page, "routes"):
            yield from page.routes()
