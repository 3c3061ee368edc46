"""All configurations of retrieval benchmarks: the built-in ones as one union, and those that packages bring."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Union, cast, get_args

from pydantic import BaseModel, Field, TypeAdapter

from heams.plugins import ComponentPlugin, component_plugins, type_name
from heams.retrieval_benchmarks.base import RetrievalBenchmarkConfig
from heams.retrieval_benchmarks.beir import BeirBenchmarkConfig
from heams.retrieval_benchmarks.evaluators import EvaluatorChoice
from heams.retrieval_benchmarks.jsonl import JsonlBenchmarkConfig
from heams.retrieval_benchmarks.multihop_rag import MultiHopRagBenchmarkConfig
from heams.retrieval_benchmarks.python_code import PythonBenchmarkConfig
from heams.retrieval_benchmarks.uda import UdaBenchmarkConfig

if TYPE_CHECKING:
    from heta_framework.evaluation.protocols import BenchmarkProtocol

RetrievalBenchmarkChoice = Annotated[
    BeirBenchmarkConfig
    | JsonlBenchmarkConfig
    | MultiHopRagBenchmarkConfig
    | UdaBenchmarkConfig
    | PythonBenchmarkConfig,
    Field(discriminator="type"),
]


def retrieval_plugins() -> dict[str, ComponentPlugin]:
    """Retrieval benchmarks that installed packages bring, by type: entry points ``heams.retrieval_benchmarks``."""
    return component_plugins("heams.retrieval_benchmarks")


@cache
def retrieval_types() -> dict[str, type[BaseModel]]:
    """All configurations by their ``type``, the built-in ones first."""
    types = {type_name(config): config for config in _members(RetrievalBenchmarkChoice)}
    types.update({name: plugin.config for name, plugin in retrieval_plugins().items() if name not in types})
    return types


@cache
def retrieval_evaluator_types() -> dict[str, type[BaseModel]]:
    """All configurations of evaluators by their ``type``."""
    return {type_name(config): config for config in _members(EvaluatorChoice)}


@cache
def retrieval_adapter() -> TypeAdapter[Any]:
    """Validates the configuration of a retrieval benchmark, told apart by ``type``."""
    members = tuple(retrieval_types().values())
    union: Any = Union[members]  # noqa: UP007 - the members are known only at run time
    return TypeAdapter(Annotated[union, Field(discriminator="type")])


def _members(annotated: Any) -> tuple[type[BaseModel], ...]:
    return cast("tuple[type[BaseModel], ...]", get_args(get_args(annotated)[0]))


def made_benchmark(config: RetrievalBenchmarkConfig, root: Path, *, accept_licence: bool = False) -> BenchmarkProtocol:
    """The benchmark of a configuration; see `RetrievalBenchmarkConfig.make`.

    Raises:
        ValueError: it cannot be made as it is configured; the message says why.
    """
    plugin = retrieval_plugins().get(str(getattr(config, "type", "")))
    if plugin is None or not isinstance(config, plugin.config):
        return config.make(root, accept_licence=accept_licence)
    made: BenchmarkProtocol = plugin.create(config)
    return made


__all__ = [
    "BeirBenchmarkConfig",
    "JsonlBenchmarkConfig",
    "MultiHopRagBenchmarkConfig",
    "PythonBenchmarkConfig",
    "RetrievalBenchmarkChoice",
    "RetrievalBenchmarkConfig",
    "UdaBenchmarkConfig",
    "made_benchmark",
    "retrieval_adapter",
    "retrieval_evaluator_types",
    "retrieval_plugins",
    "retrieval_types",
]
