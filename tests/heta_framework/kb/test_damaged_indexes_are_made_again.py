"""An index on disk whose files are cut, altered or gone is filled again by load and update, from what was kept."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tiny_recipes import SharedStores, contents

from heta_framework.common.stores import DiskVectorStore, SQLStore, TantivyTextIndexStore
from heta_framework.common.stores.text_index.errors import DamagedIndexError
from heta_framework.common.stores.text_index.types import TextIndexConfig, TextIndexRecord, TextQuery
from heta_framework.common.stores.vector.errors import DamagedCollectionError, VectorStoreError
from heta_framework.common.stores.vector.on_disk.rows_file import RowsFile
from heta_framework.common.stores.vector.types import VectorCollectionConfig, VectorQuery
from heta_framework.kb import KnowledgeBase, PersistChunks

pytestmark = pytest.mark.anyio


class OnDisk(SharedStores):
    """Stores that keep their indexes below the folder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        super().__init__(root)

    def restart(self) -> None:
        self.vector: Any = DiskVectorStore(self.root / "vectors")
        self.text_index: Any = TantivyTextIndexStore(self.root / "words")

    async def restarted(self) -> None:
        await self.vector.aclose()
        await self.text_index.aclose()
        self.restart()

    def files(self, pattern: str) -> list[Path]:
        found = [*self.root.glob(f"vectors/*/{pattern}"), *self.root.glob(f"words/*/{pattern}")]
        assert found
        return found


def halve(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def overwrite(path: Path) -> None:
    path.write_bytes(b"{]" * 200)


DAMAGES = {"cut": halve, "emptied": empty, "altered": overwrite, "gone": Path.unlink}


@pytest.mark.parametrize(
    ("pattern", "damage"),
    [
        ("records.sqlite", "cut"),
        ("records.sqlite", "altered"),
        ("records.sqlite", "gone"),
        ("vectors-*.f32", "emptied"),
        ("vectors-*.f32", "gone"),
        ("heta_index.json", "cut"),
        ("heta_index.json", "gone"),
        ("meta.json", "altered"),
        ("*.store", "cut"),
        ("*.term", "gone"),
    ],
)
async def test_load_fills_a_damaged_index_again(tmp_path: Path, pattern: str, damage: str) -> None:
    stores = OnDisk(tmp_path)
    await stores.put()
    before = await contents(await KnowledgeBase.create(recipe=stores.recipe(), name="house"))
    await stores.restarted()
    for path in stores.files(pattern):
        DAMAGES[damage](path)
    assert await contents(await KnowledgeBase.load(recipe=stores.recipe(), name="house")) == before


async def test_an_update_of_damaged_indexes_fills_them_first(tmp_path: Path) -> None:
    stores = OnDisk(tmp_path)
    await stores.put()
    kb = await KnowledgeBase.create(recipe=stores.recipe(), name="house")
    await stores.put({"raw/well.txt": "The well is nine fathoms deep."})
    await stores.restarted()
    for path in [*stores.files("records.sqlite"), *stores.files("meta.json")]:
        overwrite(path)
    kb = await KnowledgeBase.load(recipe=stores.recipe(), name="house")
    kb = await kb.update(add=["raw/well.txt"])
    undisturbed = OnDisk(tmp_path / "undisturbed")
    await undisturbed.put()
    await undisturbed.put({"raw/well.txt": "The well is nine fathoms deep."})
    assert await contents(kb) == await contents(await KnowledgeBase.create(recipe=undisturbed.recipe(), name="house"))


async def test_an_update_whose_listing_is_damaged_makes_it_again_first(tmp_path: Path) -> None:
    stores = OnDisk(tmp_path)
    await stores.put()
    kb = await KnowledgeBase.create(recipe=stores.recipe(), name="house")
    before = await contents(kb)
    for key in await stores.keys("parsed/"):
        await stores.objects.put(key, b"no pack")
    kb = await kb.update(remove=[before["documents"][0][0]])
    assert [entry.document_id for entry in await kb.documents()]
    assert sorted(entry.document_id for entry in await kb.documents()) == [one[0] for one in before["documents"][1:]]


async def test_damage_that_a_search_meets_is_told_as_such(tmp_path: Path) -> None:
    stores = OnDisk(tmp_path)
    await stores.text_index.create_index(TextIndexConfig("words"))
    await stores.text_index.upsert("words", [TextIndexRecord("a", "a tide table", {})])
    await stores.text_index.aclose()
    for path in stores.files("*.pos"):
        path.unlink()
    with pytest.raises(DamagedIndexError, match="drop it and build it again"):
        await stores.text_index.search("words", TextQuery("tide"))
    await stores.vector.create_collection(VectorCollectionConfig("rows", 2))
    for path in stores.files("records.sqlite"):
        overwrite(path)
    stores.restart()
    with pytest.raises(DamagedCollectionError, match="drop the collection and build it again"):
        await stores.vector.search("rows", VectorQuery([1.0, 0.0]))


async def test_what_a_cut_removal_left_of_a_text_index_does_not_come_back(tmp_path: Path) -> None:
    stores = OnDisk(tmp_path)
    await stores.text_index.create_index(TextIndexConfig("words"))
    await stores.text_index.upsert("words", [TextIndexRecord("a", "a tide table", {})])
    await stores.restarted()
    for path in stores.files("heta_index.json"):
        path.unlink()
    await stores.text_index.create_index(TextIndexConfig("words"))
    assert await stores.text_index.count("words") == 0


async def test_dropping_a_collection_leaves_one_that_is_being_made(tmp_path: Path) -> None:
    stores = OnDisk(tmp_path)
    await stores.vector.create_collection(VectorCollectionConfig("rows", 2))
    in_the_making = tmp_path / "vectors" / ".unfinished-0123"
    in_the_making.mkdir()
    await stores.vector.drop_collection("rows")
    assert in_the_making.is_dir()


async def test_a_search_of_a_deleted_knowledge_base_says_that_the_table_is_gone(tmp_path: Path) -> None:
    stores = OnDisk(tmp_path)
    await stores.put()
    recipe = stores.recipe(PersistChunks(), sql=SQLStore(f"sqlite:///{tmp_path}/chunks.db"))
    kb = await KnowledgeBase.create(recipe=recipe, name="house")
    await kb.delete()
    with pytest.raises(ValueError, match=r"table 'chunks__house_.*' does not exist"):
        await kb.query("Where are the tide tables?", mode="sql_text_search")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
async def test_vectors_that_a_disk_refuses_are_told_with_their_file() -> None:
    file = RowsFile(Path("/dev/full"), 2)
    with pytest.raises(VectorStoreError, match="/dev/full: vectors cannot be written"):
        file.write(0, np.ones((1, 2), dtype=np.float32))
    file.close()
