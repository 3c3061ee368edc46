"""Memory libraries as test subjects, with model server brains that answer their prompts, and a watch on sockets."""

import importlib.util
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from heams.memory.base import MemorySystem
from heams.memory.factory import create_memory_system
from heams.orchestration.component_types import component_adapter

if TYPE_CHECKING:
    from model_server import ChatRequest, Reply

_SPOKEN = re.compile(r"^(?:user|assistant): (.+)$", re.MULTILINE)
_SESSION = re.compile(r"<session_[^>]*>(.*)</session_", re.DOTALL)
_EPISODE = re.compile(r"<CURRENT[ _]MESSAGE>(.*?)</CURRENT[ _]MESSAGE>", re.DOTALL)
_ENTITIES = re.compile(r"<ENTITIES>(.*?)</ENTITIES>", re.DOTALL)
_NAME = re.compile(r"\b[A-Z][a-z]+\b")


def _mem0(request: "ChatRequest") -> "Reply":
    """Every line of the new messages is a fact."""
    from model_server import Reply

    new = request.user.partition("## New Messages\n")[2].partition("\n## ")[0]
    facts = [{"id": str(number), "text": line} for number, line in enumerate(_SPOKEN.findall(new))]
    return Reply(data={"memory": facts})


def _langmem(request: "ChatRequest") -> "Reply":
    """Every line that somebody speaks is a memory."""
    from model_server import Reply, ToolCall

    found = _SESSION.search(request.user)
    lines = [line.strip() for line in (found[1] if found else "").splitlines() if ": " in line]
    return Reply(tool_calls=tuple(ToolCall(name="Memory", arguments={"content": line}) for line in lines))


def _graphiti(request: "ChatRequest") -> "Reply":
    """Capitalised words are entities, and every line is a fact about its speaker and another of them."""
    from model_server import Reply
    from model_server.built_in import schema

    form = (request.body.get("response_format") or {}).get("json_schema", {}).get("name")
    found = _EPISODE.search(request.user)
    lines = [line.strip() for line in (found[1] if found else "").splitlines() if ": " in line]
    match form:
        case "ExtractedEntities":
            names = dict.fromkeys(name for line in lines for name in _named(line))
            return Reply(data={"extracted_entities": [{"name": name, "entity_type_id": 0} for name in names]})
        case "ExtractedEdges":
            listed = _ENTITIES.search(request.user)
            names = re.findall(r'"name": "([^"]+)"', listed[1] if listed else "")
            return Reply(data={"edges": [edge for line in lines if (edge := _edge(line, names)) is not None]})
        case "EdgeDuplicate":
            return Reply(data={"duplicate_facts": [], "contradicted_facts": []})
        case "NodeResolutions":
            asked = re.findall(r'"id": (\d+),\s*"name": "([^"]+)"', request.user)
            new = [{"id": int(number), "name": name, "duplicate_candidate_id": -1} for number, name in asked]
            return Reply(data={"entity_resolutions": new})
        case "SummarizedEntities":
            return Reply(data={"summaries": []})
        case "EdgeTimestamps":
            return Reply(data={"valid_at": None, "invalid_at": None})
    return schema(request)


def _named(line: str) -> list[str]:
    speaker, _, words = line.partition(": ")
    return [speaker, *_NAME.findall(words.partition(" ")[2])]


def _edge(line: str, names: list[str]) -> dict[str, Any] | None:
    speaker, *others = _named(line)
    other = next((name for name in others if name in names and name != speaker), None)
    if speaker not in names or other is None:
        return None
    return {"source_entity_name": speaker, "target_entity_name": other, "relation_type": "SAID", "fact": line}


@dataclass(frozen=True)
class Library:
    """A memory library under test."""

    name: str
    module: str
    brain: Callable[[Any], Any]

    @property
    def installed(self) -> bool:
        """Whether its extra is installed here."""
        return importlib.util.find_spec(self.module) is not None

    def config(self, **fields: Any) -> dict[str, Any]:
        """A configuration with models of the local server."""
        return {
            "type": self.name,
            "llm": {"model": "openai:tiny", "max_attempts": 3},
            "embedding": {"model": "openai:embed-tiny", "max_attempts": 3},
        } | fields

    def make(self, **fields: Any) -> MemorySystem:
        """The memory system."""
        return create_memory_system(component_adapter("memory_system").validate_python(self.config(**fields)))


LIBRARIES = [
    Library("mem0", "mem0", _mem0),
    Library("langmem", "langmem", _langmem),
    Library("graphiti", "graphiti_core", _graphiti),
]


@pytest.fixture
def libraries() -> dict[str, Library]:
    """All libraries by name."""
    return {library.name: library for library in LIBRARIES}


@pytest.fixture(params=LIBRARIES, ids=lambda library: library.name)
def any_library(request: pytest.FixtureRequest) -> Library:
    """Each library, installed or not."""
    return request.param  # type: ignore[no-any-return]


@pytest.fixture
def library(any_library: Library) -> Library:
    """Each library that is installed here: every extra has an environment of its own."""
    if not any_library.installed:
        pytest.skip(f"extra {any_library.name!r} is not installed here")
    return any_library


_strangers: list[str] = []


def _watch(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "socket.connect" and isinstance(arguments[1], tuple):
        host = str(arguments[1][0])
        if not host.startswith("127.") and host not in ("::1", "localhost"):
            _strangers.append(host)
    elif event == "socket.getaddrinfo" and arguments[0] not in (None, "127.0.0.1", "localhost", "::1"):
        _strangers.append(str(arguments[0]))


sys.addaudithook(_watch)


@pytest.fixture(autouse=True)
def _nothing_leaves_the_machine() -> Iterator[None]:
    """No library calls home."""
    _strangers.clear()
    yield
    assert _strangers == []
