"""What a run is asked to do, checked before anything is done."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from inspect import iscoroutinefunction
from pathlib import Path
from typing import Any

from heta_framework.common.stores.fields import required_text
from heta_framework.common.stores.object.protocol import ObjectStoreProtocol
from heta_framework.evaluation.protocols import BenchmarkEvaluatorProtocol, BenchmarkProtocol
from heta_framework.evaluation.runner.config import BenchmarkRunConfig
from heta_framework.evaluation.runner.distinct import listed
from heta_framework.evaluation.runner.progress import CaseWatcher, Watcher
from heta_framework.evaluation.types import BenchmarkManifest, BenchmarkWorkspace
from heta_framework.kb import KnowledgeRecipe, QueryEngineRegistry

_ASKED_OF_BENCHMARKS = ("manifest", "prepare", "documents", "cases", "run_units", "evaluators")
_DEFAULT_ROOT = Path(".heta/evaluation")


@dataclass(frozen=True)
class RunRequest:
    """One run."""

    benchmark: BenchmarkProtocol
    recipe: KnowledgeRecipe
    objects: ObjectStoreProtocol
    knowledge_base_name: str
    query_modes: tuple[str, ...]
    workspace: BenchmarkWorkspace
    evaluators: tuple[BenchmarkEvaluatorProtocol, ...]
    config: BenchmarkRunConfig
    query_engines: QueryEngineRegistry | None
    initial_artifacts: Mapping[str, Any]
    watcher: Watcher
    on_case: CaseWatcher | None


def checked_modes(modes: tuple[str, ...], engines: QueryEngineRegistry | None) -> tuple[str, ...]:
    """The query modes, each once, in their order.

    Raises:
        TypeError: they are one string.
        ValueError: there are none, one is blank, or one comes twice.
        LookupError: not one of them has an engine; the message names the nearest mode.
    """
    if isinstance(modes, str):
        raise TypeError(f"query_modes must be a sequence of modes, found one string: write ({modes!r},)")
    found = tuple(mode.strip() for mode in modes)
    if not found:
        raise ValueError("query_modes must not be empty")
    if not all(found):
        raise ValueError("query mode must not be empty")
    if len(set(found)) < len(found):
        raise ValueError(f"query_modes must not hold a mode twice, found {listed(list(found))}")
    registry = engines if engines is not None else QueryEngineRegistry.defaults()
    if not registry.modes & set(found):
        registry.get(found[0])
    return found


def checked_evaluators(given: tuple[BenchmarkEvaluatorProtocol, ...]) -> tuple[BenchmarkEvaluatorProtocol, ...]:
    """The evaluators.

    Raises:
        TypeError: they are no sequence, or one of them is none, or has a name that is none.
        ValueError: two have the same name, so that their scores could not be told apart.
    """
    if not isinstance(given, Iterable):
        raise TypeError(f"evaluators must be a sequence of evaluators, found {type(given).__name__}")
    evaluators = tuple(given)
    for one in evaluators:
        _require_object("an evaluator", one)
        if isinstance(one, str) or not isinstance(one, BenchmarkEvaluatorProtocol):
            raise TypeError(f"an evaluator needs a name and evaluate(*, case, response), found {type(one).__name__}")
        required_text(f"the name of {type(one).__name__}", one.name)
    names = [one.name for one in evaluators]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"two evaluators have the same name: {listed(twice)}; give them names of their own")
    return evaluators


def checked_config(config: BenchmarkRunConfig | None) -> BenchmarkRunConfig:
    """The settings; the defaults where none are given.

    Raises:
        TypeError: it is something else.
    """
    if config is None:
        return BenchmarkRunConfig()
    if not isinstance(config, BenchmarkRunConfig):
        raise TypeError(f"config must be a BenchmarkRunConfig, found {type(config).__name__}")
    return config


def check_options(options: Mapping[str, Any], engines: QueryEngineRegistry | None) -> None:
    """A slip that a query would pass over changes results. What engines of the caller's own know, only they can tell.

    Raises:
        ValueError: no built-in mode has an option of this name, or it does not take the value.
    """
    from heta_framework.common.config.nearest import did_you_mean
    from heta_framework.kb.search.option_check import option_problems
    from heta_framework.kb.search.options import BUILT_IN_OPTIONS

    for name in options if engines is None else ():
        if name not in BUILT_IN_OPTIONS:
            allowed = ", ".join(sorted(BUILT_IN_OPTIONS))
            hint = did_you_mean(name, BUILT_IN_OPTIONS)
            raise ValueError(f"query_options: no query mode has the option {name!r}; {hint or f'allowed: {allowed}'}")
    for name, refusal in option_problems(options) if engines is None else ():
        raise ValueError(f"query_options: {name}: {refusal}")


def checked_watcher(on_case: CaseWatcher | None) -> CaseWatcher | None:
    """Whoever is told of cases.

    Raises:
        TypeError: it is asynchronous, and nobody would wait for it.
    """
    if iscoroutinefunction(on_case):
        raise TypeError("on_case must be a plain function: it is called, not awaited")
    return on_case


def checked_benchmark(benchmark: BenchmarkProtocol) -> BenchmarkProtocol:
    """The benchmark.

    Raises:
        TypeError: it is the class of one, or lacks something that a benchmark has.
    """
    _require_object("benchmark", benchmark)
    missing = [name for name in _ASKED_OF_BENCHMARKS if not hasattr(benchmark, name)]
    if missing:
        raise TypeError(f"a benchmark has {', '.join(missing)}, which {type(benchmark).__name__} lacks")
    if not isinstance(benchmark.manifest, BenchmarkManifest):
        raise TypeError(f"manifest must be a BenchmarkManifest, found {type(benchmark.manifest).__name__}")
    return benchmark


def checked_recipe(recipe: KnowledgeRecipe) -> ObjectStoreProtocol:
    """The object store of a recipe.

    Raises:
        TypeError: it is no recipe, or has no object store.
    """
    if not isinstance(recipe, KnowledgeRecipe):
        raise TypeError(f"recipe must be a KnowledgeRecipe, found {type(recipe).__name__}")
    if not isinstance(recipe.stores.objects, ObjectStoreProtocol):
        raise TypeError("recipe.stores.objects must satisfy ObjectStoreProtocol")
    return recipe.stores.objects


def default_workspace() -> BenchmarkWorkspace:
    """``.heta/evaluation`` in the working directory."""
    return BenchmarkWorkspace(_DEFAULT_ROOT, _DEFAULT_ROOT / "cache", _DEFAULT_ROOT / "reports")


def _require_object(what: str, given: object) -> None:
    if isinstance(given, type):
        raise TypeError(f"{what} must be an object, found the class {given.__name__}: write {given.__name__}(...)")
