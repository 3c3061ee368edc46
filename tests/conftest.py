"""Fixtures that several rooms share: real data, and a small project to run in."""

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from model_server import LocalServer
    from postgres_server import PostgresServer
    from s3_server import S3Bucket, S3Server

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests" / "servers"))  # tests import ``model_server`` by name

# compiled tests are kept whatever the environment says: each worker, and each program that a test starts, would spend
# seconds on compiling them and the sources anew
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def pytest_configure(config: pytest.Config) -> None:
    """At the end of the suite, the key of the tests must be in no file and no output."""
    from canary_search import CanaryWatch

    config.pluginmanager.register(CanaryWatch(), "canary")


@pytest.fixture
def anyio_backend() -> str:
    """Async tests run on asyncio, as the product does."""
    return "asyncio"


@pytest.fixture
def repository() -> Path:
    """The root of the repository."""
    return ROOT


@pytest.fixture
def data_dir() -> Path:
    """Data sets of others; tests that need them are skipped where they are not at hand."""
    found = os.environ.get("HEAMS_DATA_DIR")
    if not found:
        pytest.skip("HEAMS_DATA_DIR is not set: this test needs data that is not shipped")
    return Path(found)


@pytest.fixture
def questions(tmp_path: Path) -> Callable[..., Path]:
    """Writes a ``jsonl_qa`` file of ``count`` questions; with ``history`` they share one conversation."""

    def write(count: int = 5, *, history: int = 0, name: str = "questions.jsonl") -> Path:
        rows: list[dict[str, Any]] = []
        if history:
            turns = [
                {"id": f"t{n}", "speaker": "Ada", "content": f"Box number {n} holds a {_thing(n)}."}
                for n in range(history)
            ]
            rows.append({"history": {"id": "boxes", "turns": turns}})
        for n in range(count):
            row: dict[str, Any] = {"id": f"q{n}", "question": f"What does box number {n} hold?", "answer": _thing(n)}
            if history:
                row |= {"history": "boxes", "evidence": [f"t{n % history}"]}
            rows.append(row)
        path = tmp_path / name
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return path

    return write


def _thing(number: int) -> str:
    things = ("kettle", "violin", "compass", "lantern", "feather", "magnet", "ribbon", "anchor")
    return f"{things[number % len(things)]} {number}"


@pytest.fixture
def one_experiment() -> Callable[..., dict[str, Any]]:
    """A run mapping with one experiment of inline parts."""

    def build(data_file: Path, **parts: Any) -> dict[str, Any]:
        agent = parts.pop("agent", {"type": "scripted", "default": "kettle 0"})
        memory = parts.pop("memory", {"type": "no_memory"})
        benchmark = {
            "type": "jsonl_qa",
            "data_file": str(data_file),
            "question_prompt": "{question}",
            "evaluators": [{"type": "task_qa", "match_mode": "contains"}],
        } | parts.pop("benchmark", {})
        entry = {"name": "one", "agent_config": agent, "memory_system_config": memory, "benchmark_config": benchmark}
        return {"run_name": "test", "experiments": [entry | parts]}

    return build


@pytest.fixture
def openai_server(monkeypatch: pytest.MonkeyPatch) -> "Iterator[Callable[..., LocalServer]]":
    """Starts local OpenAI-compatible servers: ``server = openai_server(brain="echo", ...)``, fields of its ``Script``.

    ``OPENAI_BASE_URL`` names the server that was started last; ``OPENAI_API_KEY`` is the canary.
    """
    from model_server import CANARY_KEY, LocalServer, Script

    monkeypatch.setenv("OPENAI_API_KEY", CANARY_KEY)
    with ExitStack() as running:

        def start(script: Script | None = None, **fields: Any) -> LocalServer:
            server = running.enter_context(LocalServer(script, **fields))
            monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
            return server

        yield start


@pytest.fixture(scope="session")
def postgres_server() -> "Iterator[PostgresServer]":
    """A PostgreSQL with pgvector, one a worker process, started by the first test that asks (about a second).

    ``kill()`` and ``start()`` act on the whole server and keep what was committed.
    """
    from postgres_server import PostgresServer

    server = PostgresServer()
    yield server
    server.close()


@pytest.fixture
def postgres(postgres_server: "PostgresServer") -> str:
    """The address of a fresh, empty database on a running PostgreSQL: ``postgresql://...``."""
    postgres_server.start()
    return postgres_server.fresh_database()


@pytest.fixture(scope="session")
def s3_server() -> "Iterator[S3Server]":
    """An S3 server, one a worker process, started by the first test that asks. ``kill()`` loses every object."""
    from s3_server import S3Server

    server = S3Server()
    yield server
    server.close()


@pytest.fixture
def s3(s3_server: "S3Server") -> "S3Bucket":
    """An empty bucket on a running S3 server: ``S3ObjectStore(**s3.arguments())``."""
    s3_server.start()
    return s3_server.fresh_bucket()


@pytest.fixture(autouse=True)
def _no_stray_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Terminal width and colours of the machine must not change what tests see."""
    monkeypatch.setenv("COLUMNS", "160")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.delenv("FORCE_COLOR", raising=False)


settings.register_profile(
    "heams", deadline=None
)  # first imports of heavy libraries are slow; timing is perf/'s business
settings.load_profile("heams")
