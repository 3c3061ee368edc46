"""What is wrong with a recipe file is told with file, line and field, before anything is opened."""

from __future__ import annotations

from pathlib import Path

import pytest

from heta_framework.common.config import ConfigError, parse_yaml
from heta_framework.kb.recipe_file import load_recipe, mode_problem, read_recipe

RECIPE = """\
name: manuals
models:
  embedding: wordllama
stores:
  objects: memory
  vector: memory
  text_index: memory
  sql: {type: sqlite, path: chunks.sqlite}
steps:
  - parse_documents
  - split_documents: {chunk_size: 256}
  - embed_chunks
  - index_vectors
  - index_full_text
  - persist_chunks: {chunk_keys_artifact: chunk_keys}
"""


def _problems(text: str) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        read_recipe(parse_yaml(text, Path("manuals.yaml"), env={}))
    return str(caught.value).splitlines()


def _only_problem(old: str, new: str) -> str:
    assert old in RECIPE
    (problem,) = _problems(RECIPE.replace(old, new))
    return problem


@pytest.mark.parametrize(
    ("old", "new", "parts"),
    [
        ("embedding: wordllama", "embedding: wordlama", (":3:", "models.embedding", '"wordlama"', "'wordllama'?")),
        ("embedding:", "embeding:", (":3:", "models.embeding", "not known", "'embedding'?")),
        ("objects: memory", "objects: memroy", (":5:", "stores.objects", "memory, local, s3", "'memory'?")),
        ("objects: memory", "objects: local", (":5:", "stores.objects.path", "not given", "required")),
        ("vector: memory", "vector: {type: pgvector, url_env: A, url: x}", (":6:", "stores.vector.url", "url_env")),
        ("path: chunks.sqlite", "path: ' '", (":8:", "stores.sql.path", "path of a file or folder")),
        ("- embed_chunks", "- embed_chunk", (":12:", "steps.2", "'embed_chunk'", "'embed_chunks'?")),
        ("- embed_chunks", "- {embed_chunks: 3}", (":12:", "steps.2", "must be a mapping")),
        ("- embed_chunks", "- {embed_chunks: {}, index_vectors: {}}", (":12:", "steps.2", "its name")),
        ("- embed_chunks", "- 7", (":12:", "steps.2", "found 7", "its name")),
        ("chunk_size: 256", "chunk_sise: 256", (":11:", "split_documents.chunk_sise", "overlap", "'chunk_size'?")),
        ("chunk_size: 256", "chunk_size: many", (":11:", "split_documents.chunk_size", '"many"', "whole number")),
        ("chunk_size: 256", "chunk_size: true", (":11:", "split_documents.chunk_size", "true", "whole number")),
        ("chunk_size: 256", "chunk_size: 0", (":11:", "steps.1.split_documents", "chunk_size")),
        ("- index_vectors", "- {index_vectors: {metric: cosin}}", (":13:", "index_vectors", "cosin")),
        ("- index_full_text", "- {index_full_text: {index_names: {a: x}}}", (":14:", "index_names.a", "chunk_text")),
    ],
)  # fmt: skip
def test_a_wrong_value_is_named_with_its_place(old: str, new: str, parts: tuple[str, ...]) -> None:
    problem = _only_problem(old, new)
    assert problem.startswith("manuals.yaml")
    for part in parts:
        assert part in problem


@pytest.mark.parametrize(
    ("old", "new", "parts"),
    [
        ("  vector: memory\n", "", (":12:", "steps.3", "index_vectors", "stores.vector", "under 'stores: vector'")),
        ("  embedding: wordllama", "  {}", (":12:", "steps.2", "embed_chunks", "models.embedding")),
        ("  - embed_chunks\n", "", (":12:", "steps.2", "index_vectors", "chunk_embedding_keys")),
        ("  - parse_documents\n", "", (":10:", "steps.0", "split_documents", "parsed_document_keys")),
    ],
)
def test_what_a_step_misses_is_named_at_the_line_of_the_step(old: str, new: str, parts: tuple[str, ...]) -> None:
    problem = _only_problem(old, new)
    for part in parts:
        assert part in problem


def test_a_procedure_is_named_at_its_own_line() -> None:
    text = RECIPE.replace("  sql: {type: sqlite, path: chunks.sqlite}\n", "")
    problems = _problems(text.replace("persist_chunks: {chunk_keys_artifact: chunk_keys}", "heta_graph: {mode: build}"))
    assert problems
    assert all(problem.startswith("manuals.yaml:14: steps.5: ") for problem in problems)
    assert any("stores.sql" in problem for problem in problems)


def test_a_reranker_by_embedding_needs_an_embedding() -> None:
    text = RECIPE.replace("embedding: wordllama", "reranker: embedding").replace(
        "  - embed_chunks\n  - index_vectors\n", ""
    )
    (problem,) = _problems(text)
    assert problem.startswith("manuals.yaml:3: models.reranker")


def test_a_graph_in_the_sql_store_needs_one() -> None:
    text = RECIPE.replace("  sql: {type: sqlite, path: chunks.sqlite}", "  graph: sql").replace(
        "  - persist_chunks", "  # "
    )
    (problem,) = _problems(text)
    assert problem.startswith("manuals.yaml:8: stores.graph")


def test_everything_that_is_wrong_is_told_at_once_in_the_order_of_the_lines() -> None:
    text = (
        RECIPE.replace("wordllama", "wordlama").replace("chunk_size", "chunk_sise").replace("index_full", "index_ful")
    )
    assert [problem.split(":")[1] for problem in _problems(text)] == ["3", "11", "14"]


def test_a_key_in_the_place_of_a_variable_is_never_shown() -> None:
    text = RECIPE.replace("{type: sqlite, path: chunks.sqlite}", "{type: postgresql, url_env: 'postgresql://a:pw@h/d'}")
    (problem,) = _problems(text)
    assert ":8: stores.sql.url_env" in problem
    assert "pw" not in problem


def test_a_mode_that_the_recipe_cannot_serve_is_named_with_those_that_it_can() -> None:
    settings = read_recipe(parse_yaml(RECIPE))
    assert mode_problem(settings, "hybrid_search") is None
    for mode, parts in {
        "hybrid_serch": ("hybrid_search?", "serves: ", "sql_text_search"),
        "heta_graph_search": ("graph_tables", "serves: "),
    }.items():
        problem = mode_problem(settings, mode)
        assert problem is not None
        for part in parts:
            assert part in problem


def test_a_variable_that_is_not_set_is_told_at_its_line_when_the_recipe_is_opened(tmp_path: Path) -> None:
    file = tmp_path / "manuals.yaml"
    file.write_text(RECIPE.replace("{type: sqlite, path: chunks.sqlite}", "{type: postgresql, url_env: MANUALS_URL}"))
    assert read_recipe(parse_yaml(file.read_text()))
    with pytest.raises(ConfigError, match=r"manuals\.yaml:8: stores\.sql\.url_env: .* MANUALS_URL is not set"):
        load_recipe(file, env={})


def test_a_file_that_is_not_there_is_told_with_the_nearest_name(tmp_path: Path) -> None:
    (tmp_path / "manuals.yaml").write_text(RECIPE)
    with pytest.raises(ConfigError, match=r"manual\.yaml: there is no such file; did you mean 'manuals\.yaml'\?"):
        load_recipe(tmp_path / "manual.yaml")
