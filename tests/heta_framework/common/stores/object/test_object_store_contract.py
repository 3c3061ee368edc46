"""What every object store does alike: in memory, in a folder, in a bucket."""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heta_framework.common.stores import LocalObjectStore, MemoryObjectStore, ObjectStoreProtocol, S3ObjectStore
from heta_framework.common.stores.object.many import delete_many, get_many, put_many

if TYPE_CHECKING:
    from s3_server import S3Bucket

pytestmark = pytest.mark.anyio

_ODD_KEYS = [
    *(
        "a#1",
        "a%20b",
        "a b",
        "a?b",
        "a+b",
        "a%",
        "a%2Fb",
        "a:b",
        " ",
        "😀",
        "&=;,$@!'\"<>*|^{}[]`",
        "x y/ z ",
        "...",
        ".a",
    ),
    *("é", unicodedata.normalize("NFD", "é"), "\u2028", "x" * 255, "a.heta-incoming"),
]


@pytest.fixture(params=["memory", "local", "s3", "s3 below a prefix"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> ObjectStoreProtocol:
    """Each kind of store, empty."""
    if request.param == "memory":
        return MemoryObjectStore()
    if request.param == "local":
        return LocalObjectStore(tmp_path / "not" / "there" / "yet")
    place: S3Bucket = request.getfixturevalue("s3")
    return S3ObjectStore(**place.arguments(), prefix="" if request.param == "s3" else "team/kb")


async def test_objects_are_put_replaced_listed_and_deleted(store: ObjectStoreProtocol) -> None:
    assert isinstance(store, ObjectStoreProtocol)
    assert await store.list() == []
    for key, data in {"b": b"1", "a/c": b"22", "a/b/d": b"", "ab": b"4"}.items():
        await store.put(key, data)
    await store.put("b", b"replaced")
    assert await store.get("b") == b"replaced"
    assert await store.get("a/b/d") == b""
    listed = await store.list()
    assert [(info.key, info.size) for info in listed] == [("a/b/d", 0), ("a/c", 2), ("ab", 1), ("b", 8)]
    assert all(info.etag for info in listed)
    now = datetime.now(UTC)
    assert all(info.modified_at and abs(now - info.modified_at) < timedelta(minutes=5) for info in listed)
    await store.delete("a/c")
    await store.delete("a/c")  # what is not there is passed over
    await store.delete("a")
    assert not await store.exists("a/c")
    assert [info.key for info in await store.list("a")] == ["a/b/d"]
    await store.aclose()


async def test_a_prefix_means_whole_segments(store: ObjectStoreProtocol) -> None:
    await put_many(store, [(key, b"") for key in ("raw/a", "raw/ab", "raw/b/c", "rawer")])
    asked = ("raw", "raw/", "raw/a", "raw/a/", "raw/b", "ra", "nothing/here")
    found = {prefix: [info.key for info in await store.list(prefix)] for prefix in asked}
    assert found == {
        "raw": ["raw/a", "raw/ab", "raw/b/c"],
        "raw/": ["raw/a", "raw/ab", "raw/b/c"],
        "raw/a": ["raw/a"],
        "raw/a/": [],
        "raw/b": ["raw/b/c"],
        "ra": [],
        "nothing/here": [],
    }


async def test_a_missing_object_is_not_found_and_named(store: ObjectStoreProtocol) -> None:
    await store.put("folder/object", b"")
    for missing in ("nothing", "folder", "folder/object/below"):
        with pytest.raises(FileNotFoundError, match=f"'{missing}'"):
            await store.get(missing)
        assert not await store.exists(missing)
    with pytest.raises(FileNotFoundError, match="'nothing'"):
        await get_many(store, ["folder/object", "nothing"])


async def test_what_is_no_key_and_what_is_no_data_is_refused_by_every_call(store: ObjectStoreProtocol) -> None:
    for key in ("../secret", "/etc/passwd", "a\\b", "", "x" * 256):
        for call in (store.put(key, b""), store.get(key), store.exists(key), store.delete(key)):
            with pytest.raises(ValueError, match="key"):
                await call
    with pytest.raises(TypeError):
        await store.get(5)  # type: ignore[arg-type]
    for data in ("text", bytearray(b"x"), memoryview(b"x"), None):
        with pytest.raises(TypeError, match="must be bytes"):
            await store.put("a", data)  # type: ignore[arg-type]
    assert await store.list() == []


async def test_odd_keys_come_back_exactly(store: ObjectStoreProtocol) -> None:
    await put_many(store, {key: key.encode() for key in _ODD_KEYS})
    assert [info.key for info in await store.list()] == sorted(_ODD_KEYS)
    assert await get_many(store, _ODD_KEYS) == [key.encode() for key in _ODD_KEYS]
    await delete_many(store, [*_ODD_KEYS, "never put"])
    assert await store.list() == []


_segments = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="/\\\x7f" + "".join(map(chr, range(32)))),
    min_size=1,
    max_size=60,
).filter(lambda segment: segment not in (".", "..", ".heta-incoming"))
_keys = st.lists(_segments, min_size=1, max_size=3).map("/".join)


@settings(max_examples=40)
@given(keys=st.sets(_keys, min_size=1, max_size=6))
def test_every_legal_key_comes_back_exactly(keys: set[str], tmp_path_factory: pytest.TempPathFactory) -> None:
    objects = {key: key.encode() for key in keys if not any(other.startswith(f"{key}/") for other in keys)}

    async def round_trip(store: ObjectStoreProtocol) -> None:
        await put_many(store, objects)
        assert [info.key for info in await store.list()] == sorted(objects)
        for key, data in objects.items():
            assert await store.get(key) == data

    for store in (MemoryObjectStore(), LocalObjectStore(tmp_path_factory.mktemp("objects"))):
        anyio.run(round_trip, store)
