"""Which component types a run file may name: the built-in unions plus what installed packages bring."""

from functools import cache
from typing import Annotated, Any, Literal, Union, cast, get_args

from pydantic import BaseModel, Field, TypeAdapter

from heams.plugins import ComponentPlugin, PluginGroup, component_plugins, type_name

ComponentKind = Literal["agent", "memory_system", "benchmark"]
KINDS: tuple[ComponentKind, ...] = get_args(ComponentKind)

CONFIG_FOLDERS: dict[ComponentKind, str] = {
    "agent": "agents",
    "memory_system": "memory_systems",
    "benchmark": "benchmarks",
}
_GROUPS: dict[ComponentKind, PluginGroup] = {
    "agent": "heams.agents",
    "memory_system": "heams.memory_systems",
    "benchmark": "heams.benchmarks",
}


def plugins_of(kind: ComponentKind) -> dict[str, ComponentPlugin]:
    """Components of a kind that installed packages bring, by type."""
    return component_plugins(_GROUPS[kind])


@cache
def component_types(kind: ComponentKind) -> dict[str, type[BaseModel]]:
    """All configurations of a kind by their ``type``, the built-in ones first."""
    types = {type_name(config): config for config in _built_in(kind)}
    types.update({name: plugin.config for name, plugin in plugins_of(kind).items() if name not in types})
    return types


@cache
def component_adapter(kind: ComponentKind) -> TypeAdapter[Any]:
    """Validates a component of a run file, told apart by ``type``."""
    members = tuple(component_types(kind).values())
    union: Any = Union[members]  # noqa: UP007 - the members are known only at run time
    return TypeAdapter(Annotated[union, Field(discriminator="type")])


def create_component(kind: ComponentKind, config: Any) -> Any:
    """Build the component that belongs to a configuration."""
    plugin = plugins_of(kind).get(config.type)
    if plugin is not None and isinstance(config, plugin.config):
        return plugin.create(config)
    if kind == "agent":
        from heams.agents.factory import create_agent

        return create_agent(config)
    if kind == "memory_system":
        from heams.memory.factory import create_memory_system

        return create_memory_system(config)
    from heams.benchmarks.factory import create_benchmark

    return create_benchmark(config)


def _built_in(kind: ComponentKind) -> tuple[type[BaseModel], ...]:
    if kind == "agent":
        from heams.agents.factory import AgentConfig

        return union_members(AgentConfig)
    if kind == "memory_system":
        from heams.memory.factory import MemorySystemConfig

        return union_members(MemorySystemConfig)
    from heams.benchmarks.factory import BenchmarkConfig

    return union_members(BenchmarkConfig)


def union_members(annotated: Any) -> tuple[type[BaseModel], ...]:
    """The members of an ``Annotated[A | B | ..., Field(discriminator=...)]``."""
    return cast("tuple[type[BaseModel], ...]", get_args(get_args(annotated)[0]))


@cache
def evaluator_types() -> dict[str, type[BaseModel]]:
    """All evaluator configurations by their ``type``, the built-in ones first."""
    from heams.evaluation.factory import EvaluatorConfig

    types = {type_name(config): config for config in union_members(EvaluatorConfig)}
    types.update({name: plugin.config for name, plugin in component_plugins("heams.evaluators").items()})
    return types
