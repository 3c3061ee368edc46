"""Builds and updates that are killed: a program that reads plans, a JSON list a line, and tells how each part ended.

It imports everything and starts nothing, so that it can fork a fresh process for each part in a moment. That process
does its part of the plan and, where the plan says so, gets SIGKILL at the n-th thing that it does: a put or a delete of
an object, a batch of texts embedded, or a batch of records written to an index, before or after it.
"""

import json
import os
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import anyio
from tiny_recipes import SharedStores, TinyEmbedding, contents

from heta_framework.common.models.embedding.types import EmbeddingRequest, EmbeddingResult
from heta_framework.common.stores import DiskVectorStore, LocalObjectStore, SQLStore, TantivyTextIndexStore
from heta_framework.kb import KnowledgeBase, KnowledgeRecipe, PersistChunks, QueryEngineRegistry

DOCUMENTS = 5
_IMPORTED_BEFORE_FORKING = (
    "numpy",
    "obstore.store",
    "sqlalchemy.dialects.sqlite",
    "tantivy",
    "semantic_text_splitter",
    "anyio._backends._asyncio",
    "heta_framework.kb.chunk_tables.sqlite",
    "heta_framework.kb.validation",
)


class Death:
    """Counts what is done and kills the process at the n-th: at an even n before it, at an odd one after it."""

    def __init__(self, at: int | None) -> None:
        self._at = at
        self.things: list[str] = []

    async def around(self, thing: str, work: Callable[[], Any]) -> Any:
        self.things.append(thing)
        dies = self._at is not None and len(self.things) == self._at // 2
        if dies and self._at is not None and self._at % 2 == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        result = await work()
        if dies:
            os.kill(os.getpid(), signal.SIGKILL)
        return result


class MortalObjects(LocalObjectStore):
    death = Death(None)

    async def put(self, key: str, data: bytes) -> None:
        await self.death.around("put", lambda: super(MortalObjects, self).put(key, data))

    async def delete(self, key: str) -> None:
        await self.death.around("delete", lambda: super(MortalObjects, self).delete(key))


class MortalVectors(DiskVectorStore):
    death = Death(None)

    async def upsert(self, collection: str, records: Sequence[Any]) -> None:
        await self.death.around("vectors", lambda: super(MortalVectors, self).upsert(collection, records))


class MortalTexts(TantivyTextIndexStore):
    death = Death(None)

    async def upsert(self, index: str, records: Sequence[Any]) -> None:
        await self.death.around("texts", lambda: super(MortalTexts, self).upsert(index, records))


class MortalEmbedding(TinyEmbedding):
    """Writes every text that it embeds to a file, so that processes can be compared."""

    death = Death(None)

    def __init__(self, log: Path) -> None:
        super().__init__()
        self._log = log

    async def embed(self, request: EmbeddingRequest) -> EmbeddingResult:
        with self._log.open("a") as file:
            file.write("".join(f"{text}\n" for text in request.texts))
        result: EmbeddingResult = await self.death.around("embed", lambda: super(MortalEmbedding, self).embed(request))
        return result


def recipe_in(root: Path, death: Death) -> KnowledgeRecipe:
    """A recipe of stores that outlive a process, all below ``root``."""
    for mortal in (MortalObjects, MortalVectors, MortalTexts, MortalEmbedding):
        mortal.death = death
    stores = SharedStores(root)
    return stores.recipe(
        PersistChunks(),
        model=MortalEmbedding(root / "embedded.txt"),
        objects=MortalObjects(root / "objects"),
        vector=MortalVectors(root / "vectors"),
        text_index=MortalTexts(root / "texts"),
        sql=SQLStore(f"sqlite:///{root / 'chunks.db'}"),
    )


def document(number: int, lines_of_each: int) -> bytes:
    """Lines of JSON, each a page and a chunk."""
    lines = ({"text": f"note {number}-{line} about thing{line * 7 % 101}"} for line in range(lines_of_each))
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


async def build(root: Path, death: Death, lines: int) -> KnowledgeBase:
    return await build_with(recipe_in(root, death), root, lines)


async def embed(root: Path, death: Death, lines: int) -> KnowledgeBase:
    """Parse, split and embed alone."""
    recipe = recipe_in(root, death)
    return await build_with(replace(recipe, steps=recipe.steps[:3]), root, lines)


async def build_with(recipe: KnowledgeRecipe, root: Path, lines: int) -> KnowledgeBase:
    plain = LocalObjectStore(root / "objects")
    for number in range(DOCUMENTS):
        await plain.put(f"raw/{number}.jsonl", document(number, lines))
    return await KnowledgeBase.create(recipe=recipe, name="Mortal KB")


async def update(root: Path, death: Death, lines: int) -> KnowledgeBase:
    kb = await KnowledgeBase.load(recipe=recipe_in(root, death), name="Mortal KB")
    await LocalObjectStore(root / "objects").put("raw/new.jsonl", document(99, lines))
    going = next(entry.document_id for entry in await kb.documents() if entry.key == "raw/1.jsonl")
    return await kb.update(add=["raw/new.jsonl"], remove=[going])


async def load(root: Path, death: Death, lines: int) -> KnowledgeBase:
    return await KnowledgeBase.load(recipe=recipe_in(root, death), name="Mortal KB")


PARTS = {"build": build, "embed": embed, "update": update, "load": load}


async def play(root: Path, part: str, kill_at: int | None, lines: int) -> None:
    death = Death(kill_at)
    kb = await PARTS[part](root, death, lines)
    things = list(death.things)
    report = {"things": things, "contents": await contents(kb), "run_id": kb.run_record.run_id}
    (root / f"{part}.json").write_text(json.dumps(report))


def in_a_process(root: Path, part: str, kill_at: int | None, lines: int) -> int:
    """Play a part in a process of its own; how the process ended (-9: killed)."""
    child = os.fork()
    if child == 0:
        try:
            anyio.run(play, root, part, kill_at, lines)
        except BaseException:  # noqa: BLE001 - the parent must see it, whatever it is
            import traceback

            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def main() -> None:
    for module in _IMPORTED_BEFORE_FORKING:
        import_module(module)
    QueryEngineRegistry.defaults()
    for line in sys.stdin:
        ends = []
        for folder, part, kill_at, lines in json.loads(line):
            Path(folder).mkdir(parents=True, exist_ok=True)
            ends.append(in_a_process(Path(folder), part, kill_at, lines))
        print(json.dumps(ends), flush=True)


if __name__ == "__main__":
    main()
