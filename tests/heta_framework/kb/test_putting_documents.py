"""Documents get into an object store as texts, bytes or folders, and a knowledge base says what is in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from heta_framework.common.stores import InMemoryTextIndexStore, MemoryObjectStore
from heta_framework.kb import (
    DocumentParserRegistry,
    IndexFullText,
    KnowledgeBase,
    KnowledgeParsers,
    KnowledgeRecipe,
    KnowledgeStores,
    NewDocument,
    ParseDocuments,
    SourceDocument,
    SplitDocuments,
    SplitDocumentsConfig,
    put_documents,
    put_folder,
)

pytestmark = pytest.mark.anyio


def _recipe(objects: MemoryObjectStore) -> KnowledgeRecipe:
    return KnowledgeRecipe(
        stores=KnowledgeStores(objects=objects, text_index=InMemoryTextIndexStore()),
        parsers=KnowledgeParsers(documents=DocumentParserRegistry.defaults()),
        steps=(ParseDocuments(), SplitDocuments(SplitDocumentsConfig(encoding_name="wordllama")), IndexFullText()),
    )


async def _created(objects: MemoryObjectStore, documents: tuple[SourceDocument, ...]) -> KnowledgeBase:
    return await KnowledgeBase.create(recipe=_recipe(objects), name="put", documents=documents)


async def test_texts_and_bytes_are_found_under_the_callers_ids_and_metadata() -> None:
    objects = MemoryObjectStore()
    documents = await put_documents(
        objects,
        [
            NewDocument("tides", "The tide tables hang in the office.", document_id="t", metadata={"year": 2020}),
            {"name": "fees.html", "content": b"<p>A berth costs twelve crowns.</p>", "document_id": "f"},
        ],
    )
    assert [document.key for document in documents] == ["raw/tides", "raw/fees.html"]
    kb = await _created(objects, documents)
    tables = await kb.query("tide tables", filters={"document_metadata.year": 2020})
    assert [result.source["document_id"] for result in tables.results] == ["t"]
    assert [result.source["document_id"] for result in (await kb.query("berth")).results] == ["f"]


async def test_a_text_put_again_takes_the_place_of_the_earlier_one() -> None:
    objects = MemoryObjectStore()
    kb = await _created(objects, await put_documents(objects, [NewDocument("ferry.txt", "It leaves at seven.")]))
    kb = await kb.update(add=await put_documents(objects, [NewDocument("ferry.txt", "It leaves at nine.")]))
    assert [chunk.text async for chunk in await kb.chunks()] == ["It leaves at nine."]


@pytest.mark.parametrize(
    ("documents", "said"),
    [
        ([NewDocument("a.txt", "x"), NewDocument("a.txt", "y")], "two documents are named 'raw/a.txt'"),
        ([NewDocument("a.txt", "x"), NewDocument("../a.txt", "y")], "are not allowed"),
    ],
)
async def test_names_that_clash_or_are_no_keys_are_refused_before_anything_is_stored(
    documents: list[NewDocument], said: str
) -> None:
    objects = MemoryObjectStore()
    with pytest.raises(ValueError, match=said):
        await put_documents(objects, documents)
    assert await objects.list("") == []


def test_content_is_text_or_bytes() -> None:
    wrong: Any = 3
    with pytest.raises(TypeError, match=r"the content of 'a.txt' must be text or bytes, found int"):
        NewDocument("a.txt", wrong)
    assert NewDocument("a", "half \ud83d").data() == "half \ufffd".encode()


async def test_the_ids_of_a_folders_files_are_their_paths(tmp_path: Path) -> None:
    for name in ("b.txt", "sub/a.md", ".git/config.txt", "sub/.hidden.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"Content of {name}.")
    objects = MemoryObjectStore()
    documents = await put_folder(objects, tmp_path)
    assert [(one.key, one.document_id) for one in documents] == [("raw/b.txt", "b.txt"), ("raw/sub/a.md", "sub/a.md")]
    assert await objects.get("raw/sub/a.md") == b"Content of sub/a.md."
    (letter,) = await put_folder(objects, tmp_path, pattern="*.txt", prefix="raw/letters")
    assert (letter.key, letter.document_id) == ("raw/letters/b.txt", "letters/b.txt")
    with pytest.raises(NotADirectoryError, match="is not a folder"):
        await put_folder(objects, tmp_path / "b.txt")


async def test_an_overview_counts_what_is_in_and_what_went_otherwise() -> None:
    objects = MemoryObjectStore()
    documents = await put_documents(
        objects,
        [NewDocument("a.txt", "Herons."), NewDocument("b.txt", "", "blank"), NewDocument("film.mkv", b"\x00")],
    )
    kb = await _created(objects, documents)
    overview = await kb.overview()
    assert (overview.documents, overview.chunks, overview.characters) == (2, 1, 7)
    assert overview.without_chunks == ("blank",)
    assert overview.issues == {"empty_document": 1, "unsupported_file_type": 1}
    assert str(overview).splitlines() == [
        "put: succeeded",
        "  documents       2 (txt 2)",
        "  chunks          1 (7 characters)",
        "  without chunks  blank",
        "  issues          2 (empty_document 1, unsupported_file_type 1)",
        "  modes           full_text_search",
    ]
    assert repr(kb) == "<KnowledgeBase 'put': succeeded, 2 issues, modes: full_text_search>"
    left_out = str(kb.run_record.issues[-1])
    assert left_out.startswith("error of parse_documents: raw/film.mkv: file type 'mkv'")
    assert left_out.endswith("[unsupported_file_type]")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("raw/a.txt", "documents must be a sequence, found one str"),
        ({"key": "raw/a.txt"}, "documents must be a sequence, found one dict"),
        ([{"key": "raw/a.txt", "id": "a"}], "SourceDocument has no field 'id'; allowed: key, document_id, media_type"),
        ([3], "a document must be a SourceDocument or a dict, found int"),
    ],
)
async def test_what_is_no_list_of_documents_is_refused(wrong: Any, said: str) -> None:
    objects = MemoryObjectStore()
    with pytest.raises(TypeError, match=said):
        await _created(objects, wrong)
    if wrong != "raw/a.txt":
        with pytest.raises(TypeError):
            await put_documents(objects, wrong)


async def test_documents_and_the_artifact_that_says_the_same_are_not_given_both() -> None:
    recipe = _recipe(MemoryObjectStore())
    with pytest.raises(ValueError, match="say the same; give one of them"):
        await KnowledgeBase.create(recipe=recipe, name="x", documents=(), initial_artifacts={"source_documents": ()})


async def test_the_path_of_a_recipe_is_no_recipe() -> None:
    path: Any = "configs/recipes/hybrid.yaml"
    with pytest.raises(TypeError, match=r"recipe must be a KnowledgeRecipe, found str; load_recipe\(path\) reads"):
        await KnowledgeBase.create(recipe=path, name="x")


async def test_a_build_without_documents_says_so() -> None:
    kb = await _created(MemoryObjectStore(), ())
    assert [(issue.code, issue.severity) for issue in kb.run_record.issues] == [("no_documents", "info")]
