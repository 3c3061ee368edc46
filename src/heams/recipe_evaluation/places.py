"""Where an evaluation keeps what it makes: names of knowledge bases, the recipe's stores, the benchmark's files."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from heams.orchestration.errors import RunRefused
from heams.recipe_evaluation.resolve import RecipeEvaluation
from heta_framework.common.models.errors import ModelSetupError
from heta_framework.kb.recipe_file import close_stores, open_recipe, recipe_fingerprint

if TYPE_CHECKING:
    from heta_framework.evaluation.types import BenchmarkWorkspace
    from heta_framework.kb.recipe import KnowledgeRecipe

REPORTS = ".evaluations"
"""In the output folder: the evaluations of recipes whose object store is in memory."""
_LONGEST_LABEL = 24
_SCORING = ("evaluators", "top_k", "query_options", "query_timeout_s", "retries")


def knowledge_base_name(evaluation: RecipeEvaluation) -> str:
    """The name of the knowledge base of this recipe and these documents.

    A hash over both is part of it, so that a changed recipe or benchmark makes another knowledge base beside the old
    one; what only decides on asking and scoring is not in it.
    """
    benchmark = {name: value for name, value in evaluation.benchmark.fingerprint().items() if name not in _SCORING}
    content = json.dumps([recipe_fingerprint(evaluation.recipe_settings), benchmark], sort_keys=True, default=str)
    labels = (evaluation.benchmark.label, evaluation.recipe.label)
    readable = "-".join(re.sub(r"[^A-Za-z0-9_]+", "_", label)[:_LONGEST_LABEL] for label in labels)
    return f"{readable}-{sha256(content.encode()).hexdigest()[:10]}"


def report_id(run_id: str, limit: int | None) -> str:
    """The evaluation's own name: that of the run; with its limit, since other cases make another evaluation."""
    return run_id.lower() if limit is None else f"{run_id.lower()}-first-{limit}"


def workspace_of(root: Path) -> BenchmarkWorkspace:
    """Where a benchmark keeps its files, in the project."""
    from heta_framework.evaluation.types import BenchmarkWorkspace

    folder = root / ".heta" / "evaluation"
    return BenchmarkWorkspace(folder, folder / "cache", folder / "reports")


@asynccontextmanager
async def opened_recipe(evaluation: RecipeEvaluation, output_dir: Path) -> AsyncIterator[KnowledgeRecipe]:
    """The recipe, with its stores open for as long as the context lasts.

    Raises:
        RunRefused: a model has no key, or an extra is not installed.
    """
    try:
        recipe = open_recipe(evaluation.recipe_settings, root=evaluation.root)
    except (ModelSetupError, ImportError) as cause:
        raise RunRefused(f"recipe ({evaluation.recipe.source}): {cause}") from cause
    if evaluation.recipe_settings.stores.objects.whereabouts == "process":
        from heams.recipe_evaluation.reports_on_disk import ReportsOnDisk

        recipe = replace(recipe, stores=replace(recipe.stores, objects=ReportsOnDisk(output_dir / REPORTS)))
    try:
        yield recipe
    finally:
        await close_stores(recipe)
