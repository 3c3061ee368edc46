"""Memories with a model as test subjects: the shipped configurations against a local endpoint."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from memory_brains import BRAINS
from model_server import LocalServer
from pydantic import TypeAdapter

from heams.memory.base import Memory, MemoryEvent, MemoryScope, MemorySystem
from heams.memory.factory import MemorySystemConfig, create_memory_system

CONFIGS = Path(__file__).parents[3] / "configs" / "memory_systems"
_CONFIG: TypeAdapter[Any] = TypeAdapter(MemorySystemConfig)


@dataclass
class Listener:
    """One memory system, and the endpoint of its model."""

    name: str
    server: LocalServer

    def configured(self, **settings: Any) -> Any:
        """The shipped configuration with other ``settings``; one attempt a call, so that failures come at once."""
        written = yaml.safe_load((CONFIGS / f"{self.name}.yaml").read_text("utf-8"))
        llm = written["llm"] | {"max_attempts": 1} | settings.pop("llm", {})
        return _CONFIG.validate_python(written | settings | {"llm": llm})

    def system(self, **settings: Any) -> MemorySystem:
        """The system of that configuration, not yet started."""
        return create_memory_system(self.configured(**settings))

    async def open(self, heard: Sequence[MemoryEvent] = (), **settings: Any) -> Memory:
        """A memory that heard something."""
        system = self.system(**settings)
        await system.start()
        memory = await system.open(MemoryScope(id="scope"))
        if heard:
            await memory.write_all(heard)
        return memory

    def calls(self) -> int:
        """Replies that the server delivered whole."""
        return self.server.summary().whole.calls


def _listener(name: str, openai_server: Callable[..., LocalServer]) -> Listener:
    return Listener(name, openai_server(brain=BRAINS[name]))


@pytest.fixture(params=sorted(BRAINS))
def listener(request: pytest.FixtureRequest, openai_server: Callable[..., LocalServer]) -> Listener:
    """Each of the systems."""
    return _listener(request.param, openai_server)


@pytest.fixture
def facts(openai_server: Callable[..., LocalServer]) -> Listener:
    """``facts`` with an honest extractor."""
    return _listener("facts", openai_server)


@pytest.fixture
def summary(openai_server: Callable[..., LocalServer]) -> Listener:
    """``summary`` with an honest writer."""
    return _listener("summary", openai_server)


@pytest.fixture
def notes(openai_server: Callable[..., LocalServer]) -> Listener:
    """``notes`` with an honest keeper."""
    return _listener("notes", openai_server)
