"""Results of real runs, a library over them, and a client that asks the application without a server.

``browse_results`` (read only, made once for all worker processes) holds: ``plain__*`` (three memories, one
conversation), ``retention`` (several metrics, criteria), ``judged`` (a judge with right, wrong and unreadable
verdicts), ``hostile`` (replies with markup, control characters and turned-around text), ``failing`` (every scenario is
an error), and ``village__words__full_text_search`` of ``heams evaluate``.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import httpx
import pytest
from browsable_results import play
from filelock import FileLock

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from heams.browse.index import Library

PORT = 7575


class Asker:
    """Sends requests straight to an application; every response is an ``httpx.Response``."""

    def __init__(self, app: "Starlette", base_url: str = f"http://127.0.0.1:{PORT}") -> None:
        self.app = app
        self._base_url = base_url

    def get(self, path: str, **options: Any) -> httpx.Response:
        """Ask for a page."""
        return self.send("GET", path, **options)

    def post(self, path: str, data: dict[str, str], *, token: bool = True, **options: Any) -> httpx.Response:
        """Send a form, with the token of the application unless told otherwise."""
        proof = {"csrf": self.app.state.csrf_token} if token else {}
        return self.send("POST", path, data={**data, **proof}, **options)

    def send(self, method: str, path: str, **options: Any) -> httpx.Response:
        """Send any request."""

        async def ask() -> httpx.Response:
            transport = httpx.ASGITransport(self.app, raise_app_exceptions=False)
            async with httpx.AsyncClient(transport=transport, base_url=self._base_url) as client:
                return await client.request(method, path, **options)

        return anyio.run(ask)


@pytest.fixture(scope="session")
def browse_results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of results; nobody writes into it. All worker processes of a test run share it."""
    base = tmp_path_factory.getbasetemp()
    root = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "browse"
    with FileLock(f"{root}.lock"):
        if not (root / "complete").exists():
            root.mkdir()
            play(root)
            (root / "complete").touch()
    return root / "results"


@pytest.fixture(scope="session")
def library(browse_results: Path) -> "Iterator[Library]":
    """The library of ``browse_results``."""
    from heams.browse.index import Library

    with Library([browse_results]) as found:
        yield found


@pytest.fixture
def asker() -> "Callable[[Starlette], Asker]":
    """A client of any application."""
    return Asker


@pytest.fixture
def browser_of() -> "Callable[[Library], Asker]":
    """A client of the application over any library."""
    from heams.browse.app import create_app
    from heams.browse.security import Hosts, Security

    def build(library: "Library") -> Asker:
        return Asker(create_app(library, Security(Hosts(PORT))))

    return build


@pytest.fixture
def browser(library: "Library", browser_of: "Callable[[Library], Asker]") -> Asker:
    """A client of the application over ``library``."""
    return browser_of(library)
