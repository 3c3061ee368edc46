"""A recipe file opened: what each word in it becomes, and where things lie."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from heta_framework.common.config import parse_yaml
from heta_framework.common.stores.object.local import LocalObjectStore
from heta_framework.common.stores.object.memory import MemoryObjectStore
from heta_framework.kb.knowledge_base import KnowledgeBase
from heta_framework.kb.recipe_file import close_stores, load_recipe, read_recipe, recipe_fingerprint
from heta_framework.kb.recipe_file.building import made_step
from heta_framework.kb.recipe_file.step_catalogue import STEP_TYPES
from heta_framework.kb.recipe_file.steps import NamedStep
from heta_framework.kb.steps.index_full_text import FullTextIndexNames
from heta_framework.kb.steps.split_documents import SplitDocuments, SplitDocumentsConfig

RECIPE = """\
name: notes
description: What was noted.
stores:
  objects: {type: local, path: data/objects}
  text_index: {type: tantivy, path: data/text}
  sql: {type: sqlite, path: data/chunks.sqlite}
steps:
  - parse_documents
  - split_documents: {chunk_size: 64, overlap: 8}
  - index_full_text: {index_names: {chunk_text: words}}
  - persist_chunks: {chunk_keys_artifact: chunk_keys}
metadata: {owner: somebody}
"""


def _made(name: str, **settings: Any) -> Any:
    return made_step(NamedStep(name=name, settings=settings))


def _written(root: Path, name: str = "configs/recipes/notes.yaml", text: str = RECIPE) -> Path:
    file = root / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def _kept(root: Path) -> set[str]:
    return {path.name for path in root.glob("data/*")}


@pytest.mark.anyio
async def test_a_loaded_recipe_builds_and_answers_and_keeps_its_files_in_the_project(tmp_path: Path) -> None:
    recipe = load_recipe(_written(tmp_path))
    assert not _kept(tmp_path)  # nothing is made before it is used
    await recipe.stores.objects.put("raw/a.txt", b"The heron nests in the reeds.")  # type: ignore[attr-defined]
    base = await KnowledgeBase.create(recipe=recipe, name="notes")
    assert base.recipe.metadata == {"recipe": "notes", "owner": "somebody"}
    for mode in ("full_text_search", "sql_text_search"):
        (found,) = (await base.query("herons", mode=mode)).results
        assert found.source["object_name"] == "a.txt"
    assert _kept(tmp_path) >= {"objects", "text", "chunks.sqlite"}
    await close_stores(recipe)


def test_relative_paths_are_relative_to_the_project_the_file_or_the_given_folder(tmp_path: Path) -> None:
    in_project = load_recipe(_written(tmp_path / "project"))
    alone = load_recipe(_written(tmp_path / "alone", "notes.yaml"))
    elsewhere = load_recipe(_written(tmp_path / "project"), folder=tmp_path / "scope")
    roots = [repr(recipe.stores.objects) for recipe in (in_project, alone, elsewhere)]
    assert roots == [
        repr(LocalObjectStore(tmp_path / place / "data/objects")) for place in ("project", "alone", "scope")
    ]


def test_absolute_paths_stay_and_a_tilde_is_the_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for written, place in (("~/kept", tmp_path / "home/kept"), (str(tmp_path / "x"), tmp_path / "x")):
        recipe = load_recipe(_written(tmp_path, text=RECIPE.replace("data/objects", written)))
        assert repr(recipe.stores.objects) == repr(LocalObjectStore(place))


def test_variables_are_replaced_and_keys_are_looked_up_by_name(tmp_path: Path) -> None:
    text = RECIPE.replace("{type: local, path: data/objects}", "{type: s3, bucket: '${BUCKET}', access_key_id_env: ID}")
    text = text.replace("access_key_id_env: ID", "access_key_id_env: ID, secret_access_key_env: SECRET")
    recipe = load_recipe(_written(tmp_path, text=text), env={"BUCKET": "herons", "ID": "me", "SECRET": "canary"})
    assert "herons" in repr(recipe.stores.objects)
    assert "canary" not in repr(recipe)


@pytest.mark.parametrize(
    ("slot", "written", "kind"),
    [
        ("vector", "memory", "InMemoryVectorStore"),
        ("vector", "{type: disk, path: vectors}", "DiskVectorStore"),
        ("vector", "{type: pgvector, url_env: PG}", "PgVectorStore"),
        ("vector", "{type: qdrant, url: 'http://127.0.0.1:1', api_key_env: KEY}", "QdrantVectorStore"),
        ("text_index", "{type: memory, stop_words: english}", "InMemoryTextIndexStore"),
        ("text_index", "{type: elasticsearch, url: 'http://127.0.0.1:1', api_key_env: KEY}", "Elasticsearch"),
        ("text_index", "{type: opensearch, url: 'http://127.0.0.1:1'}", "opensearch"),
        ("sql", "memory", "SQLStore('sqlite://')"),
        ("sql", "{type: postgresql, url_env: PG}", "SQLStore('postgresql"),
        ("graph", "memory", "InMemoryGraphStore"),
        ("graph", "sql", "SqlGraphStore"),
    ],
)
def test_every_kind_of_store_can_be_named_and_none_connects(slot: str, written: str, kind: str, tmp_path: Path) -> None:
    stores = {"objects": "memory", "text_index": "memory", "sql": "memory", slot: written}
    lines = "".join(f"  {name}: {store}\n" for name, store in stores.items())
    text = f"name: stores\nstores:\n{lines}steps: [parse_documents, split_documents, index_full_text]\n"
    recipe = load_recipe(
        _written(tmp_path, text=text), env={"PG": "postgresql://ada:canary@127.0.0.1:1/none", "KEY": "canary"}
    )
    store = getattr(recipe.stores, slot)
    assert kind in f"{type(store).__name__} {store!r}"
    assert "canary" not in repr(store)
    assert not _kept(tmp_path)


@pytest.mark.parametrize("name", STEP_TYPES)
def test_a_step_without_settings_has_its_own_defaults(name: str) -> None:
    if name == "constrain_graph_by_ontology":  # there is no ontology by default
        with pytest.raises(ValidationError, match="schema"):
            _made(name)
        return
    step = _made(name)
    assert step.name == name
    assert repr(getattr(step, "config", step)) == repr(getattr(type(step)(), "config", step))


def test_settings_become_the_configuration_of_the_step() -> None:
    step = _made("split_documents", chunk_size=64, overlap=8.0, split_punctuation=["\n", "."])
    expected = SplitDocuments(SplitDocumentsConfig(chunk_size=64, overlap=8, split_punctuation=("\n", ".")))
    assert step.config == expected.config
    assert _made("index_full_text", index_names={"chunk_text": "words"}).config.index_names == FullTextIndexNames(
        "words"
    )


def test_none_and_a_slot_that_is_left_out_mean_the_same() -> None:
    left_out = read_recipe(parse_yaml(RECIPE))
    none = read_recipe(parse_yaml(RECIPE + "models: {language: none, embedding: none, reranker: null}\n"))
    assert none == left_out
    assert recipe_fingerprint(none) == recipe_fingerprint(left_out)


def test_only_listed_parsers_read_documents(tmp_path: Path) -> None:
    every = load_recipe(_written(tmp_path)).parsers.documents
    some = load_recipe(_written(tmp_path, text=RECIPE + "parsers: [text, html]\n")).parsers.documents
    assert {"pdf", "md", "html", "xlsx", "jsonl"} <= every.supported_file_types  # type: ignore[attr-defined]
    assert some.supported_file_types == {"txt", "text", "md", "markdown", "html", "htm"}  # type: ignore[attr-defined]


def test_stores_in_memory_are_never_shared_between_two_loads(tmp_path: Path) -> None:
    file = _written(tmp_path, text=RECIPE.replace("{type: local, path: data/objects}", "memory"))
    first, second = load_recipe(file), load_recipe(file)
    assert isinstance(first.stores.objects, MemoryObjectStore)
    assert first.stores.objects is not second.stores.objects


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("name: notes", "name: other", True),
        ("description: What was noted.\n", "", True),
        ("somebody", "nobody", True),
        ("data/objects", "elsewhere", True),
        ("overlap: 8", "overlap: 9", False),
        ("{chunk_text: words}", "{chunk_text: other}", False),
        ("{type: tantivy, path: data/text}", "memory", False),
        ("metadata:", "models: {embedding: wordllama}\nmetadata:", False),
        ("metadata:", "models: {language: {model: 'openai:a', temperature: 0}}\nmetadata:", False),
        ("metadata:", "parsers: [text]\nmetadata:", False),
    ],
)
def test_a_fingerprint_covers_what_decides_results_and_nothing_else(old: str, new: str, same: bool) -> None:
    before = recipe_fingerprint(read_recipe(parse_yaml(RECIPE)))
    after = recipe_fingerprint(read_recipe(parse_yaml(RECIPE.replace(old, new))))
    assert (before == after) is same


def test_how_a_model_is_reached_is_no_part_of_a_fingerprint() -> None:
    def fingerprint(model: str) -> str:
        return recipe_fingerprint(read_recipe(parse_yaml(f"{RECIPE}models: {{language: {model}}}\n")))

    plain = fingerprint("{model: 'openai:a'}")
    assert (
        fingerprint("{model: 'openai:a', api_key_env: OTHER, timeout_s: 3, base_url: 'http://127.0.0.1:1/v1'}") == plain
    )
    assert fingerprint("{model: 'openai:b'}") != plain
