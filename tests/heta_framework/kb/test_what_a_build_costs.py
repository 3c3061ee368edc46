"""What a build and its questions cost is counted where the caller asks for it, and kept results cost nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from heta_framework.common.config import parse_yaml
from heta_framework.common.models.calls.scope import call_scope
from heta_framework.kb import KnowledgeBase, NewDocument, put_documents
from heta_framework.kb.recipe_file import open_recipe, read_recipe

if TYPE_CHECKING:
    from pathlib import Path

    from model_server import LocalServer

RECIPE = """name: counted
models: {embedding: {model: "openai:text-embedding-3-small"}}
stores: {objects: memory, vector: memory}
steps: [parse_documents, {split_documents: {encoding_name: wordllama}}, embed_chunks, index_vectors]
"""


@pytest.mark.anyio
async def test_a_call_scope_counts_the_tokens_of_a_build_and_of_each_question(
    openai_server: Callable[..., LocalServer], tmp_path: Path
) -> None:
    openai_server()
    recipe = open_recipe(read_recipe(parse_yaml(RECIPE)), root=tmp_path)
    documents = await put_documents(recipe.stores.objects, [NewDocument("a.txt", "The heron nests in the reeds.")])
    spent = []
    for name in ("first", "second"):
        with call_scope() as scope:
            kb = await KnowledgeBase.create(recipe=recipe, name=name, documents=documents)
        spent.append(scope.usage["embedding"].input_tokens if scope.usage else 0)
    with call_scope() as scope:
        await kb.query("Where does the heron nest?")
    assert spent[0] > 0
    assert spent[1] == 0
    assert scope.usage["embedding"].calls == 1
