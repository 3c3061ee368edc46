"""From a recipe file and a benchmark file to experiments, one for each query mode."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heams.orchestration.configured import configured
from heams.orchestration.data_hints import data_hints
from heams.orchestration.errors import RunRefused
from heams.orchestration.experiment import Component, Experiment
from heams.orchestration.naming import joined_name, safe_label
from heams.orchestration.run_file import ExperimentSettings
from heams.query_options import query_option_problems
from heams.recipe_evaluation.benchmark_code import code_of
from heams.recipe_evaluation.modes import checked_modes
from heams.recipe_evaluation.other_files import refuse_other_benchmarks, refuse_other_recipes
from heams.recipe_evaluation.settings import QueryModeConfig, RecipeConfig
from heams.retrieval_benchmarks.base import RetrievalBenchmarkConfig
from heams.retrieval_benchmarks.factory import made_benchmark, retrieval_adapter
from heams.scenarios.budget import RecallBudget
from heta_framework.common.config import ConfigError, ConfigProblem, YamlDocument, load_yaml, project_root
from heta_framework.kb.recipe_file import RecipeSettings, read_recipe, unset_variables

if TYPE_CHECKING:
    from heta_framework.evaluation.protocols import BenchmarkProtocol

RUN_NAME = "evaluate"


@dataclass(frozen=True, slots=True)
class RecipeEvaluation:
    """A recipe, a benchmark, and the experiments that they make, one for each query mode.

    ``root`` is the project's folder, against which the recipe's paths are resolved. ``asked_top_k`` is how many results
    a query asks for where no evaluator looks at more.
    """

    root: Path
    recipe: Component
    benchmark: Component
    made: BenchmarkProtocol
    experiments: Mapping[str, Experiment]
    asked_top_k: int

    @property
    def recipe_settings(self) -> RecipeSettings:
        """The recipe."""
        assert isinstance(self.recipe.config, RecipeSettings)  # noqa: S101 - `resolve` made it so
        return self.recipe.config

    @property
    def benchmark_config(self) -> RetrievalBenchmarkConfig:
        """The benchmark's configuration."""
        assert isinstance(self.benchmark.config, RetrievalBenchmarkConfig)  # noqa: S101 - `resolve` made it so
        return self.benchmark.config

    def with_modes(self, modes: Sequence[str]) -> RecipeEvaluation:
        """The same in these modes.

        Raises:
            RunRefused: the recipe does not serve one of them.
        """
        checked_modes(self.recipe_settings, modes, self.recipe.source)
        top_k = _top_k(self.benchmark_config, self.made, self.asked_top_k)
        return replace(self, experiments=_experiments(self.recipe, self.benchmark, modes, top_k))


def resolve_evaluation(
    recipe_file: Path,
    benchmark_file: Path,
    modes: Sequence[str],
    *,
    top_k: int | None = None,
    accept_licence: bool = False,
    env: Mapping[str, str] | None = None,
) -> RecipeEvaluation:
    """Read both files. ``modes``: none of them means all that the recipe serves; ``top_k`` replaces the benchmark's.

    ``accept_licence``: whoever asks accepts the licence of data that has to be downloaded.

    Raises:
        ConfigError: with every problem of both files.
        RunRefused: the recipe does not serve a mode, or the benchmark cannot be made.
    """
    variables = os.environ if env is None else env
    recipe, benchmark = _components(recipe_file, benchmark_file, variables)
    config = benchmark.config
    assert isinstance(recipe.config, RecipeSettings)  # noqa: S101 - validated as such
    assert isinstance(config, RetrievalBenchmarkConfig)  # noqa: S101 - validated as such
    chosen = checked_modes(recipe.config, modes, recipe.source)
    root = project_root(benchmark_file)
    try:
        made = made_benchmark(config, root, accept_licence=accept_licence)
    except ValueError as cause:
        raise RunRefused(f"benchmark ({benchmark.source}): {cause}") from cause
    benchmark = replace(benchmark, files=(*benchmark.files, *code_of(config, root)))
    asked = config.top_k if top_k is None else top_k
    experiments = _experiments(recipe, benchmark, chosen, _top_k(config, made, asked))
    return RecipeEvaluation(project_root(recipe_file), recipe, benchmark, made, experiments, asked)


def _components(recipe_file: Path, benchmark_file: Path, env: Mapping[str, str]) -> tuple[Component, Component]:
    """Both components, or the problems of both."""
    found: list[Component] = []
    problems: list[ConfigProblem] = []
    for read, file in ((_recipe, recipe_file), (_benchmark, benchmark_file)):
        try:
            with data_hints():
                found.append(read(load_yaml(file, env=env), file, env))
        except ConfigError as error:
            problems += error.problems
    if problems:
        raise ConfigError(problems)
    recipe, benchmark = found
    return recipe, benchmark


def _recipe(document: YamlDocument, file: Path, env: Mapping[str, str]) -> Component:
    from pydantic import TypeAdapter

    refuse_other_recipes(document)
    settings = read_recipe(document)
    missing = list(unset_variables(document, settings, env))
    if missing:
        raise ConfigError(missing)
    component = configured(
        document,
        "memory_system",
        label=file.stem,
        source=file.name,
        root=project_root(file),
        env=env,
        adapter=TypeAdapter(RecipeConfig),
    )
    secrets = component.secrets | frozenset(filter(None, settings.stores.secrets(env)))
    return replace(component, saved=_type_first(component.saved), secrets=secrets)


def _benchmark(document: YamlDocument, file: Path, env: Mapping[str, str]) -> Component:
    refuse_other_benchmarks(document)
    component = configured(
        document,
        "benchmark",
        label=file.stem,
        source=file.name,
        root=project_root(file),
        env=env,
        adapter=retrieval_adapter(),
    )
    assert isinstance(component.config, RetrievalBenchmarkConfig)  # noqa: S101 - validated as such
    problems = list(query_option_problems(document, component.config.query_options))
    if problems:
        raise ConfigError(problems)
    return replace(component, saved=_type_first(component.saved))


def _type_first(saved: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": saved["type"], **saved}


def _top_k(config: RetrievalBenchmarkConfig, made: BenchmarkProtocol, asked: int) -> int:
    """How many results a query asks for: what was asked, or as many as the evaluator looks at that looks at most."""
    own = made.evaluators() if config.evaluators is None else ()
    needed = [
        *(choice.required_top_k for choice in config.evaluators or ()),
        *(getattr(evaluator, "required_top_k", 0) for evaluator in own),
    ]
    return max(asked, *needed, 1)


def _experiments(recipe: Component, benchmark: Component, modes: Sequence[str], top_k: int) -> dict[str, Experiment]:
    assert isinstance(benchmark.config, RetrievalBenchmarkConfig)  # noqa: S101 - validated as such
    config = benchmark.config
    settings = ExperimentSettings(
        recall_budget=RecallBudget(items=top_k), retries=config.retries, scenario_timeout_s=config.query_timeout_s
    )
    return {
        mode: Experiment(
            name=joined_name([benchmark.label, recipe.label, safe_label(mode)]),
            run_name=RUN_NAME,
            agent=_query_mode(mode, config, top_k),
            memory_system=recipe,
            benchmark=benchmark,
            settings=settings,
        )
        for mode in modes
    }


def _query_mode(mode: str, config: RetrievalBenchmarkConfig, top_k: int) -> Component:
    asked = QueryModeConfig(mode=mode, top_k=top_k, query_options=config.query_options)
    return Component("agent", safe_label(mode), "inline", asked.model_dump(mode="json"), asked)
