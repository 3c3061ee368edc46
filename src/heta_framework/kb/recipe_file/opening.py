"""From checked settings to a recipe that can be used; databases are connected to at their first use."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heta_framework.common.config import ConfigProblem, YamlDocument
from heta_framework.common.models.usage import UsageRole
from heta_framework.kb.recipe_file.building import made_step
from heta_framework.kb.recipe_file.model_settings import ModelsSettings
from heta_framework.kb.recipe_file.parsers import open_parsers
from heta_framework.kb.recipe_file.settings import RecipeSettings
from heta_framework.kb.recipe_file.store_opening import open_store
from heta_framework.kb.recipe_file.store_settings import GraphInSql, StoresSettings

if TYPE_CHECKING:
    from heta_framework.kb.components import KnowledgeModels, KnowledgeStores
    from heta_framework.kb.recipe import KnowledgeRecipe


def open_recipe(
    settings: RecipeSettings,
    *,
    root: Path,
    models: KnowledgeModels | None = None,
    env: Mapping[str, str] | None = None,
) -> KnowledgeRecipe:
    """The recipe.

    Args:
        root: the folder that relative paths of stores are relative to.
        models: opened ones to share; None opens the recipe's own.
        env: where the variables that settings name are looked up; None is the process environment.

    Raises:
        ModelSetupError: a model has no key, or an extra is not installed.
        LookupError: a variable that a store names is not set; see `unset_variables`.
    """
    from heta_framework.kb.components import KnowledgeParsers
    from heta_framework.kb.recipe import KnowledgeRecipe

    return KnowledgeRecipe(
        models=open_models(settings.models) if models is None else models,
        stores=open_stores(settings.stores, root=root, env=env),
        parsers=KnowledgeParsers(documents=open_parsers(settings.parsers)),
        steps=tuple(map(made_step, settings.steps)),
        metadata={"recipe": settings.name, **settings.metadata},
    )


def open_models(settings: ModelsSettings, *, role: UsageRole = "memory") -> KnowledgeModels:
    """The models; calls of the language model are metered for ``role``, those of the others as embedding.

    Raises:
        ModelSetupError: a model has no key, or an extra is not installed.
    """
    from heta_framework.common.models.embedding.opening import open_embedding_model
    from heta_framework.common.models.language.opening import open_language_model
    from heta_framework.kb.components import KnowledgeModels

    language, embedding = settings.language, settings.embedding
    embedder = None if embedding is None else open_embedding_model(embedding)
    return KnowledgeModels(
        language=None if language is None else open_language_model(language, role=role),
        embedding=embedder,
        reranker=_reranker(settings, embedder),
    )


def open_stores(settings: StoresSettings, *, root: Path, env: Mapping[str, str] | None = None) -> KnowledgeStores:
    """The stores; see `open_recipe`."""
    from heta_framework.common.stores.graph.sql import SqlGraphStore
    from heta_framework.kb.components import KnowledgeStores

    known = os.environ if env is None else env
    opened: dict[str, Any] = {}
    for slot, store in settings.by_slot().items():
        in_sql = isinstance(store, GraphInSql)
        opened[slot] = SqlGraphStore(opened["sql"]) if in_sql else open_store(slot, store, root, known)
    return KnowledgeStores(**opened)


async def close_stores(recipe: KnowledgeRecipe) -> None:
    """Release what the stores of a recipe hold: files, connections, and what is in memory."""
    for slot in ("vector", "text_index", "graph", "sql", "objects"):
        store = getattr(recipe.stores, slot)
        if store is not None:
            await store.aclose()


def unset_variables(
    document: YamlDocument, settings: RecipeSettings, env: Mapping[str, str]
) -> Iterator[ConfigProblem]:
    """The variables that stores name and that are not set, each at the line that names it."""
    for slot, store in settings.stores.by_slot().items():
        for field, name in store.variables().items():
            if not env.get(name):
                yield document.problem(("stores", slot, field), f"the environment variable {name} is not set")


def _reranker(settings: ModelsSettings, embedder: Any) -> object | None:
    if settings.reranker is None:
        return None
    if settings.reranker == "embedding":
        from heta_framework.common.models.rerank.embedding_reranker import EmbeddingReranker

        return EmbeddingReranker(embedder)
    from heta_framework.common.models.rerank.opening import open_rerank_model

    return open_rerank_model(settings.reranker)
