"""Forgetting is real: after a removal no byte in any file or object of the embedded stores tells of the document.

Every file is read whole and scanned, as it lies and, where it is a pack, unpacked. tantivy compresses what it stores
and cuts words into shared prefixes, so of its indexes it is shown that their files are those of the segments in use and
that no segment has deleted records.
"""

import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import anyio
import numpy as np
import pytest
from tiny_recipes import TEXTS, Probe, TinyEmbedding

from heta_framework.common.stores import DiskVectorStore, LocalObjectStore, SQLStore, TantivyTextIndexStore
from heta_framework.kb import (
    BuildGraph,
    DeduplicateEntities,
    DeduplicateRelations,
    DocumentParserRegistry,
    EmbedChunks,
    ExtractUniversalGraph,
    IndexFullText,
    IndexVectors,
    KnowledgeBase,
    KnowledgeBuildError,
    KnowledgeModels,
    KnowledgeParsers,
    KnowledgeRecipe,
    KnowledgeStores,
    ParseDocuments,
    PersistChunks,
    SourceDocument,
    SplitDocuments,
    SplitDocumentsConfig,
    TextParser,
)
from heta_framework.kb.derived.pack import decode_pack
from heta_framework.kb.derived.pack_memory import PACKS
from heta_framework.kb.runtime import KnowledgeBaseRuntime

pytestmark = pytest.mark.anyio

WORD, NAME, NOTE, KEY = "zqxcanary", "zqxident", "zqxnote", "zqxraw"
SECRET = f"Professor Zqxcanary Vintner met the {WORD} courier in Lower Zqxcanary and paid the harbour master."
MODES = ("vector_search", "full_text_search", "sql_text_search", "heta_graph_search", "ppr_search")


class House:
    """All embedded stores in one folder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.objects = LocalObjectStore(root / "objects")
        self.vector = DiskVectorStore(root / "vectors")
        self.text_index = TantivyTextIndexStore(root / "words")
        self.sql = SQLStore(f"sqlite:///{root / 'rows.db'}")

    def recipe(self, *more: Any) -> KnowledgeRecipe:
        return KnowledgeRecipe(
            models=KnowledgeModels(embedding=TinyEmbedding()),
            stores=KnowledgeStores(objects=self.objects, vector=self.vector, text_index=self.text_index, sql=self.sql),
            parsers=KnowledgeParsers(documents=DocumentParserRegistry([TextParser()])),
            steps=(
                ParseDocuments(),
                SplitDocuments(SplitDocumentsConfig(chunk_size=200, overlap=0, encoding_name="characters")),
                EmbedChunks(),
                IndexVectors(),
                IndexFullText(),
                PersistChunks(),
                ExtractUniversalGraph(),
                DeduplicateEntities(),
                DeduplicateRelations(),
                BuildGraph(),
                *more,
            ),
        )

    async def put(self) -> None:
        for key, text in (TEXTS | {f"raw/{KEY}.txt": SECRET}).items():
            await self.objects.put(key, text.encode())

    async def create(self, name: str = "house", *more: Any, secret: bool = True, others: bool = True) -> KnowledgeBase:
        await self.put()
        given: list[Any] = [*TEXTS] if others else []
        inputs = {"source_documents": [*given, secret_document()] if secret else given}
        return await KnowledgeBase.create(recipe=self.recipe(*more), name=name, initial_artifacts=inputs)

    async def close(self) -> None:
        await self.vector.aclose()
        await self.text_index.aclose()
        await self.sql.aclose()


def secret_document() -> SourceDocument:
    return SourceDocument(f"raw/{KEY}.txt", NAME, metadata={"teller": NOTE})


@pytest.fixture(scope="module")
def pattern(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a knowledge base that holds the secret; to be copied."""
    root = tmp_path_factory.mktemp("pattern") / "house"

    async def build() -> None:
        house = House(root)
        await house.create()
        await house.close()

    anyio.run(build)
    return root


@pytest.fixture
async def house(tmp_path: Path) -> Any:
    house = House(tmp_path / "house")
    yield house
    await house.close()


@pytest.fixture
async def built(pattern: Path, house: House) -> KnowledgeBase:
    """The knowledge base ``house`` in `house`, with the secret."""
    shutil.copytree(pattern, house.root)
    return await KnowledgeBase.load(recipe=house.recipe(), name="house")


async def ask(kb: KnowledgeBase) -> str:
    """Everything that is found by the secret's own words, in every mode."""
    answers = [await kb.query(f"Who met the {WORD} courier, Professor Vintner?", mode=mode) for mode in MODES]
    return json.dumps([[hit.text, hit.source] for answer in answers for hit in answer.results], default=str).lower()


def contents(root: Path) -> Iterator[tuple[str, bytes]]:
    """Every file below a folder but raw documents, and the records of packs."""
    for path in sorted(root.rglob("*")):
        name = str(path.relative_to(root))
        if path.is_dir() or name.startswith("objects/raw/"):
            continue
        data = path.read_bytes()
        yield name, name.encode() + data
        if data.startswith(b"HETAPACK"):
            yield name, b"\n".join(key.encode() + b" " + value for key, value in decode_pack(data).items())


def traces(root: Path, *more: bytes) -> list[str]:
    """Where some sign of the secret document is left."""
    signs = [word.encode() for word in (WORD, NAME, NOTE, KEY)] + [b"vintner", *more]
    found = {f"{name}: {sign!r}" for name, data in contents(root) for sign in signs if sign in data.lower()}
    return sorted(found) + deleted_words(root / "words") + dead_vectors(root / "vectors")


def deleted_words(folder: Path) -> list[str]:
    """What tantivy still holds of deleted records: segments with some, and files of segments that are not in use."""
    left: list[str] = []
    for meta in folder.glob("*/meta.json"):
        segments = json.loads(meta.read_text())["segments"]
        left += [f"{meta}: deleted records" for segment in segments if segment["deletes"]]
        used = {segment["segment_id"].replace("-", "") for segment in segments}
        files = {path.name.partition(".")[0] for path in meta.parent.iterdir() if len(path.stem) == 32}
        left += [f"{meta}: file of {name}" for name in sorted(files - used)]
    return left


def dead_vectors(folder: Path) -> list[str]:
    """Vectors in files that belong to no record."""
    left: list[str] = []
    for records in folder.glob("*/records.sqlite"):
        with closing(sqlite3.connect(f"{records.as_uri()}?mode=ro", uri=True)) as connection:
            ((dimension, generation),) = connection.execute("SELECT dimension, generation FROM head").fetchall()
            living = {row for (row,) in connection.execute("SELECT row FROM records")}
        for path in records.parent.glob("vectors-*"):
            rows = np.fromfile(path, dtype="<f4").reshape(-1, dimension)
            known = living if path.name == f"vectors-{generation}.f32" else set[int]()
            left += [f"{path}: row {row}" for row in np.flatnonzero(rows.any(axis=1)).tolist() if row not in known]
    return left


async def signs_of(kb: KnowledgeBase) -> list[bytes]:
    """Ids of the secret's chunks, and the hashes of their texts."""
    chunks = [chunk async for chunk in await kb.chunks() if WORD in chunk.text]
    assert chunks
    return [chunk.text_sha256.encode() for chunk in chunks] + [chunk.chunk_id.encode() for chunk in chunks]


def in_memory() -> list[str]:
    """What this process remembers of packs that hold the secret."""
    held = [value for value, _ in PACKS._records._held.values()]
    return [key for records in held for key, value in records.items() if WORD.encode() in value.lower()]


async def test_a_removed_document_leaves_no_byte_behind(house: House, built: KnowledgeBase) -> None:
    kb = built
    signs = await signs_of(kb)
    assert WORD in await ask(kb)
    before = " ".join(traces(house.root, *signs))
    for place in ("objects/_heta/cache", "objects/chunks", "manifest.json", "rows.db", "records.sqlite"):
        assert place in before
    old = kb
    kb = await kb.update(remove=[NAME])
    assert traces(house.root, *signs) == []
    assert in_memory() == []
    assert WORD not in json.dumps(kb.manifest().to_dict()).lower()
    assert NOTE not in repr(kb.run_record)
    answers = await ask(kb)
    assert not any(sign in answers for sign in (WORD, NAME, NOTE, "vintner"))
    again = await KnowledgeBase.load(recipe=house.recipe(), name="house")
    assert len(await again.documents()) == len(TEXTS)
    assert (await again.resume()).run_record.status == "succeeded"
    assert traces(house.root, *signs) == []
    await old.resume()  # the caller still holds it as it was before
    assert traces(house.root, *signs) == []


async def test_a_store_that_cannot_purge_is_an_issue_and_no_failure(house: House, built: KnowledgeBase) -> None:
    kb = built

    async def refuses(_: object) -> None:
        raise OSError("the table is locked")

    house.sql.purge_deleted = refuses  # type: ignore[method-assign, assignment]
    kb = await kb.update(remove=[NAME])
    assert [(issue.code, issue.subject.id) for issue in kb.run_record.issues] == [("not_purged", "stores.sql")]
    assert len(await kb.documents()) == len(TEXTS)


async def test_scores_after_a_removal_are_those_of_a_knowledge_base_that_never_held_it(
    built: KnowledgeBase, tmp_path: Path
) -> None:
    kb = await built.update(remove=[NAME])
    other = House(tmp_path / "other")
    fresh = await other.create(secret=False)
    for mode in ("full_text_search", "sql_text_search", "vector_search"):
        question = "harbour master trees"
        one, two = [(await base.query(question, mode=mode)).results for base in (kb, fresh)]
        assert [hit.text for hit in one] == [hit.text for hit in two], mode
        assert [hit.score for hit in one] == pytest.approx([hit.score for hit in two]), mode
    await other.close()


async def test_a_document_leaves_nothing_behind_where_others_were_added_before(house: House) -> None:
    kb = await house.create()
    signs = await signs_of(kb)
    await house.objects.put("raw/later.txt", b"A later document about the harbour.")
    kb = await kb.update(add=["raw/later.txt"])
    kb = await kb.update(remove=[NAME])
    assert traces(house.root, *signs) == []


async def test_the_last_document_leaves_nothing_behind(house: House) -> None:
    kb = await house.create(others=False)
    signs = await signs_of(kb)
    kb = await kb.update(remove=[NAME])
    assert await kb.documents() == []
    assert traces(house.root, *signs) == []


async def test_a_failed_update_leaves_nothing_of_what_it_was_to_add(house: House) -> None:
    kb = await house.create("house", Probe(), secret=False)
    held = {info.key for info in await house.objects.list("_heta/cache/")}

    class FailsOnce(Probe):
        async def run(self, context: Any) -> None:
            self.runs += 1
            if self.runs == 1:
                raise OSError("away")
            await super().run(context)

    kb = await KnowledgeBase.load(recipe=house.recipe(FailsOnce()), name="house")
    with pytest.raises(KnowledgeBuildError, match="away") as caught:
        await kb.update(add=[secret_document()], remove=[])
    assert not hasattr(caught.value, "__notes__")
    assert traces(house.root) == []
    assert {info.key for info in await house.objects.list("_heta/cache/")} == held
    assert len(await kb.documents()) == len(TEXTS)


async def test_a_removal_is_real_after_an_update_that_failed(house: House) -> None:
    kb = await house.create("house", Probe())
    signs = await signs_of(kb)

    class FailsOnce(Probe):
        async def run(self, context: Any) -> None:
            self.runs += 1
            if self.runs == 1:
                raise OSError("away")
            await super().run(context)

    kb = await KnowledgeBase.load(recipe=house.recipe(FailsOnce()), name="house")
    await house.objects.put("raw/later.txt", b"A later document about the harbour.")
    with pytest.raises(KnowledgeBuildError, match="away"):
        await kb.update(add=["raw/later.txt"])
    kb = await KnowledgeBase.load(recipe=house.recipe(Probe()), name="house")
    await kb.update(remove=[NAME])
    assert traces(house.root, *signs) == []


async def test_what_another_knowledge_base_holds_stays_with_it(house: House, built: KnowledgeBase) -> None:
    kb = built
    other = await house.create("other")
    kb = await kb.update(remove=[NAME])
    assert WORD not in await ask(kb)
    assert WORD in await ask(other)
    assert WORD in await ask(await KnowledgeBase.load(recipe=house.recipe(), name="other"))
    assert not [line for line in traces(house.root) if "house" in line.partition(":")[0]]
    await other.update(remove=[NAME])
    assert traces(house.root) == []


async def test_a_purged_knowledge_base_leaves_nothing_behind(house: House, built: KnowledgeBase) -> None:
    kb = built
    signs = await signs_of(kb)
    await ask(kb)
    result = await kb.delete(purge=True)
    assert result.issues == ()
    assert traces(house.root, *signs) == []
    assert in_memory() == []
    assert [info.key for info in await house.objects.list() if not info.key.startswith("raw/")] == []


REMOVAL = """
import os, signal, sys, anyio
from pathlib import Path
sys.path[:0] = {path!r}
from test_forgetting_is_real import House, NAME
from heta_framework.kb import KnowledgeBase
from heta_framework.common.stores.object import local

left = int(sys.argv[2])

def counted(work):
    def run(*args, **kwargs):
        global left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return work(*args, **kwargs)
    return run

async def main():
    house = House(Path(sys.argv[1]))
    kb = await KnowledgeBase.load(recipe=house.recipe(), name="house")
    local.place_file, local.delete_file = counted(local.place_file), counted(local.delete_file)
    for store, name in ((house.vector, "delete"), (house.text_index, "delete"), (house.sql, "execute")):
        setattr(store, name, counted(getattr(store, name)))
    await kb.update(remove=[NAME])

anyio.run(main)
"""


@pytest.mark.parametrize("moment", [12, 22, 36])
async def test_a_removal_that_is_killed_is_real_after_the_next_load(
    house: House, built: KnowledgeBase, moment: int
) -> None:
    signs = await signs_of(built)
    await house.close()
    program = REMOVAL.format(path=[str(Path(__file__).parent), *filter(None, sys.path)])
    died = await anyio.run_process([sys.executable, "-c", program, str(house.root), str(moment)], check=False)
    assert died.returncode == -9, died.stderr
    loaded = await KnowledgeBase.load(recipe=house.recipe(), name="house")
    assert len(await loaded.documents()) == len(TEXTS)
    assert traces(house.root, *signs) == []
    assert not await house.objects.exists(KnowledgeBaseRuntime("house").pending_update_key)


def test_a_half_written_object_of_a_dead_process_is_removed_by_the_next_put(tmp_path: Path) -> None:
    program = (
        "import os, signal, sys; from heta_framework.common.stores.object import local_files as files; "
        "files._rename = lambda *_: os.kill(os.getpid(), signal.SIGKILL); "
        f"files.place_file(sys.argv[1], 'raw/a.txt', b'{WORD}')"
    )
    subprocess.run([sys.executable, "-c", program, str(tmp_path)], check=False)
    assert traces(tmp_path)
    anyio.run(LocalObjectStore(tmp_path).put, "other", b"nothing")
    assert traces(tmp_path) == []
