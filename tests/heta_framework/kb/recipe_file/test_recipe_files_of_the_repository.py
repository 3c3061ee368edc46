"""The recipe files in configs/recipes: each says when to use it, is valid, and serves what its comment promises."""

from __future__ import annotations

from pathlib import Path

import pytest

from heta_framework.common.config import load_yaml
from heta_framework.kb.recipe_file import load_recipe, read_recipe, recipe_fingerprint, served_modes

FOLDER = Path(__file__).parents[4] / "configs" / "recipes"
FILES = sorted(FOLDER.rglob("*.yaml"))
SERVED = {
    "vector_wordllama": {"vector_search"},
    "full_text": {"full_text_search"},
    "documents": {"vector_search", "full_text_search", "hybrid_search"},
    "hybrid": {"vector_search", "full_text_search", "hybrid_search", "heta_multihop_search"},
    "graph_lexical": {"vector_search", "heta_graph_search", "hybrid_search"},
    "hybrid_graph": {"heta_graph_search", "ppr_search", "heta_rerank_search", "heta_multihop_search"},
    "pgvector": {"vector_search", "sql_text_search"},
    "models_openai": {"heta_graph_search", "heta_rewrite_search", "heta_multihop_search"},
}


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(FOLDER)))
def test_a_recipe_file_says_when_to_use_it_and_is_valid(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "not-a-key")
    monkeypatch.setenv("HETA_POSTGRES_URL", "postgresql://nobody@127.0.0.1:9/nothing")
    assert file.read_text("utf-8").startswith(("# Use it ", "# For tests: "))
    recipe = load_recipe(file)
    assert recipe.validate().issues == ()
    assert recipe.metadata["recipe"].endswith(file.stem)


@pytest.mark.parametrize("name", SERVED)
def test_a_recipe_serves_the_modes_that_it_is_for(name: str) -> None:
    modes = set(served_modes(read_recipe(load_yaml(FOLDER / f"{name}.yaml"))))
    assert modes >= SERVED[name]
    if name in {"vector_wordllama", "full_text"}:
        assert modes == SERVED[name]


def test_every_recipe_is_another_one() -> None:
    settings = [read_recipe(load_yaml(file)) for file in FILES]
    assert len({recipe_fingerprint(one) for one in settings}) == len(FILES)
    assert len({one.name for one in settings}) == len(FILES)
