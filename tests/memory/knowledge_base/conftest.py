"""Knowledge bases as memories: of full text, of words and meaning, and with every store in files."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from heams.memory.base import Memory, MemoryEvent, MemoryScope
from heams.memory.knowledge_base import KnowledgeBaseMemoryConfig, KnowledgeBaseMemorySystem

RECIPES = Path(__file__).parents[3] / "configs" / "recipes"
KINDS: Mapping[str, Mapping[str, Any]] = {
    "words": {"recipe": RECIPES / "testing/full_text.yaml", "mode": "full_text_search"},
    "hybrid": {"recipe": RECIPES / "hybrid.yaml", "mode": "hybrid_search"},
    "files": {"recipe": RECIPES / "testing/folder.yaml", "mode": "hybrid_search"},
    "graph": {"recipe": RECIPES / "hybrid_graph.yaml", "mode": "heta_rerank_search"},
}
SAID = {
    "D1:1": "I adopted a grey kitten from the shelter.",
    "D1:2": "My brother repairs old violins in Lisbon.",
    "D1:3": "We planted tomatoes on the balcony.",
}

OpenMemory = Callable[..., Awaitable[Memory]]


@pytest.fixture
def system() -> Callable[..., KnowledgeBaseMemorySystem]:
    """``system("words", document="session")``: one of the kinds, with settings."""

    def make(kind: str = "words", **settings: Any) -> KnowledgeBaseMemorySystem:
        return KnowledgeBaseMemorySystem(KnowledgeBaseMemoryConfig(**{**KINDS[kind], **settings}))

    return make


@pytest.fixture
async def open_memory(system: Callable[..., KnowledgeBaseMemorySystem], tmp_path: Path) -> AsyncIterator[OpenMemory]:
    """``await open_memory("words", {...})``: a memory that heard contents by event id, said by Maya.

    The first one keeps its files in ``scope-1``.
    """
    numbers = count(1)
    async with AsyncExitStack() as closing:

        async def opened(kind: str = "words", said: Mapping[str, str] = SAID, **settings: Any) -> Memory:
            made = system(kind, **settings)
            await made.start()
            memory = await made.open(MemoryScope(id="scope", directory=tmp_path / f"scope-{next(numbers)}"))
            closing.push_async_callback(made.close)
            closing.push_async_callback(memory.close)
            await memory.write_all([MemoryEvent(id=key, content=text, speaker="Maya") for key, text in said.items()])
            return memory

        yield opened


@pytest.fixture(params=["words", "hybrid"])
def kind(request: pytest.FixtureRequest) -> str:
    """The kinds that are quick to open."""
    return str(request.param)


@pytest.fixture
def said() -> dict[str, str]:
    """What a memory hears by default."""
    return dict(SAID)
