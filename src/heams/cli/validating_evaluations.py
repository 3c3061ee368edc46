"""What `heams evaluate` would do, without doing it: nothing is opened, downloaded or built."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import typer

from heams.orchestration.model_checks import planned_models
from heams.recipe_evaluation.missing_answers import missing_answers
from heams.recipe_evaluation.places import knowledge_base_name
from heams.recipe_evaluation.resolve import RecipeEvaluation, resolve_evaluation
from heta_framework.common.models.pricing import has_price
from heta_framework.kb.recipe_file import served_modes


def validate_evaluation(recipe: Path, benchmark: Path, modes: Sequence[str], *, top_k: int | None = None) -> None:
    """Read both files, and print what they come to.

    Raises:
        ConfigError: a file has mistakes.
        RunRefused: the recipe does not serve a mode, or the benchmark cannot be made.
    """
    for line in _lines(resolve_evaluation(recipe, benchmark, modes, top_k=top_k)):
        typer.echo(line)


def _lines(found: RecipeEvaluation) -> Iterator[str]:
    manifest = found.made.manifest
    yield f"recipe {found.recipe.label}: serves {', '.join(served_modes(found.recipe_settings))}"
    yield f"benchmark {found.benchmark.label} ({found.benchmark.type}): {manifest.key}"
    if manifest.license:
        yield f"  licence of the data: {manifest.license}"
    for resource in found.benchmark_config.downloads(found.made):
        size = f", {resource.size_bytes / 1e6:.1f} MB" if resource.size_bytes else ""
        yield f"  needs {resource.name}: {resource.uri}{size}"
    yield f"knowledge base: {knowledge_base_name(found)}"
    yield "experiments:"
    for experiment in found.experiments.values():
        yield f"  {experiment.name}: {experiment.settings.recall_budget.items} results a query"
    yield from _models(found)
    note = missing_answers(found)
    if note:
        yield f"note: {note}"
    yield "\nRecipe and benchmark are valid and fit together."


def _models(found: RecipeEvaluation) -> Iterator[str]:
    for model in planned_models(list(found.experiments.values())):
        key = (
            model.endpoint.key_problem() or f"{model.endpoint.key_variable} is {'set' if model.has_key else 'not set'}"
        )
        price = "known" if has_price(model.endpoint) else "unknown"
        yield f"model of the {model.place}: {model.endpoint.model_id}; key: {key}; price: {price}"
