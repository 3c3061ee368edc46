"""A pack gives back what it was given, or says that it is torn."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heta_framework.common.stores.object import MemoryObjectStore
from heta_framework.kb.chunks import Chunk
from heta_framework.kb.derived.chunk_packs import read_chunks, write_chunks
from heta_framework.kb.derived.document_packs import read_documents, write_documents
from heta_framework.kb.derived.pack import TornPackError, decode_pack, encode_pack
from heta_framework.kb.derived.packs import PACK_RECORDS, PackWriter, packs_without, read_pack, sweep, write_packs
from heta_framework.kb.documents import DocumentEntry
from heta_framework.kb.steps.errors import LostArtifactError

KEYS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
RECORDS = st.dictionaries(KEYS, st.binary(max_size=40), max_size=12)


def chunk(number: int, text: str = "some text", **fields: object) -> Chunk:
    return Chunk(
        chunk_id=f"chunk_{number}", document_id=f"d{number // 2}", object_key="raw/a.txt", object_name="a.txt",
        object_type="txt", content_sha256="0" * 64, page_index=0, chunk_index=number, text=text, char_start=0,
        char_end=len(text), token_start=0, token_end=3, **fields,  # type: ignore[arg-type]
    )  # fmt: skip


@given(RECORDS)
def test_a_pack_gives_back_its_records_in_order(records: dict[str, bytes]) -> None:
    assert list(decode_pack(encode_pack(records)).items()) == list(records.items())


@given(RECORDS, st.data())
def test_a_pack_that_was_cut_or_altered_is_recognised(records: dict[str, bytes], data: st.DataObject) -> None:
    pack = encode_pack(records)
    cut = data.draw(st.integers(0, len(pack) - 1))
    place = data.draw(st.integers(0, len(pack) - 1))
    altered = pack[:place] + bytes([pack[place] ^ data.draw(st.integers(1, 255))]) + pack[place + 1 :]
    for torn in (pack[:cut], altered, pack + b"x"):
        with pytest.raises(TornPackError):
            decode_pack(torn)


@pytest.mark.anyio
async def test_the_same_records_are_one_object_however_often_they_are_written() -> None:
    objects = MemoryObjectStore()
    records = [(f"k{number}", b"v") for number in range(PACK_RECORDS + 1)]
    keys = await write_packs(objects, "chunks/one/", records)
    assert keys == await write_packs(objects, "chunks/one/", records)
    assert [info.key for info in await objects.list("chunks/one/")] == sorted(keys)
    assert [len(await read_pack(objects, key)) for key in keys] == [PACK_RECORDS, 1]


@pytest.mark.anyio
async def test_a_writer_makes_the_packs_that_writing_at_once_makes() -> None:
    objects = MemoryObjectStore()
    records = [(f"k{number}", bytes([number % 251])) for number in range(2 * PACK_RECORDS + 7)]
    writer = PackWriter(objects, "p/")
    for start in range(0, len(records), 333):
        await writer.add(records[start : start + 333])
    assert await writer.close() == await write_packs(objects, "p/", records)


@pytest.mark.anyio
async def test_chunks_and_documents_come_back_as_they_were() -> None:
    objects = MemoryObjectStore()
    chunks = [
        chunk(0, "Ünïcode 😀 text", heading_path=("A", "B"), document_metadata={"year": 2020, "tags": ["x"]}),
        chunk(1, parent_chunk_ids=("chunk_0",)),
    ]
    keys = await write_chunks(objects, "chunks/one/", chunks)
    assert [found async for found in read_chunks(objects, keys)] == [chunks]
    entries = [DocumentEntry("d0", "raw/ä.txt", "ä.txt", "txt", "0" * 64, "p0", {"a": {"b": [1, None]}})]
    keys = await write_documents(objects, "parsed/one/", entries)
    assert [found async for found in read_documents(objects, keys)] == [entries]


@pytest.mark.anyio
async def test_metadata_with_half_a_character_does_not_stop_a_build() -> None:
    objects = MemoryObjectStore()
    keys = await write_chunks(objects, "c/", [chunk(0, document_metadata={"title": "half \ud800"})])
    [[found]] = [found async for found in read_chunks(objects, keys)]
    assert found.document_metadata == {"title": "half ?"}


@pytest.mark.anyio
async def test_a_lost_pack_of_a_knowledge_base_is_named() -> None:
    objects = MemoryObjectStore()
    [key] = await write_chunks(objects, "chunks/one/", [chunk(0)])
    await objects.put(key, (await objects.get(key))[:-3])
    for lost in (key, "chunks/one/none.pack"):
        with pytest.raises(LostArtifactError, match=lost):
            await anext(read_chunks(objects, [lost]))


@pytest.mark.anyio
async def test_removing_records_rewrites_only_the_packs_that_held_them() -> None:
    objects = MemoryObjectStore()
    first = await write_packs(objects, "p/", [("a", b"1"), ("b", b"2")])
    second = await write_packs(objects, "p/", [("c", b"3")])
    third = await write_packs(objects, "p/", [("d", b"4")])
    keys, dropped = await packs_without(objects, "p/", first + second + third, lambda key, _: key in {"a", "d"})
    assert dropped == [("a", b"1"), ("d", b"4")]
    assert keys[1:] == second
    assert await read_pack(objects, keys[0]) == {"b": b"2"}
    await sweep(objects, "p/", keys)
    assert {info.key for info in await objects.list("p/")} == set(keys)
