"""Components that other installed packages bring, found by entry points."""

from collections.abc import Callable
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Literal, NamedTuple

from pydantic import BaseModel

PluginGroup = Literal[
    "heams.benchmarks",
    "heams.retrieval_benchmarks",
    "heams.evaluators",
    "heams.agents",
    "heams.memory_systems",
    "heams.rollups",
]


class ComponentPlugin(NamedTuple):
    """What an entry point of the component groups refers to: the typed config, and what builds the component.

    ``config`` declares a ``type`` literal; ``create`` takes an instance of it.
    """

    config: type[BaseModel]
    create: Callable[[Any], Any]


class PluginError(Exception):
    """An installed plugin cannot be used. Names the entry point and its distribution."""


def type_name(config: type[BaseModel]) -> str:
    """The ``type`` literal that a component's config declares.

    Raises:
        PluginError: the config has no ``type`` field with a string default.
    """
    declared = config.model_fields.get("type")
    if declared is None or not isinstance(declared.default, str):
        raise PluginError(f"{config.__module__}.{config.__qualname__} has no field 'type' with a literal default")
    return declared.default


@cache
def component_plugins(group: PluginGroup) -> dict[str, ComponentPlugin]:
    """The components of a group by their ``type``.

    Raises:
        PluginError: an entry point cannot be loaded, is no ``ComponentPlugin``, or takes a type twice.
    """
    found: dict[str, ComponentPlugin] = {}
    for point in entry_points(group=group):
        plugin = _load(point)
        if not isinstance(plugin, ComponentPlugin):
            raise PluginError(f"{_describe(point)} must refer to a heams.plugins.ComponentPlugin")
        name = type_name(plugin.config)
        if name in found:
            raise PluginError(f"{_describe(point)}: type {name!r} is brought by another plugin already")
        found[name] = plugin
    return found


@cache
def function_plugins(group: PluginGroup) -> dict[str, Callable[..., Any]]:
    """The functions of a group by entry point name (rollup renderers by benchmark type)."""
    return {point.name: _load(point) for point in entry_points(group=group)}


def _load(point: EntryPoint) -> Any:
    try:
        return point.load()
    except Exception as cause:
        raise PluginError(f"{_describe(point)} cannot be loaded: {type(cause).__name__}: {cause}") from cause


def _describe(point: EntryPoint) -> str:
    origin = point.dist.name if point.dist is not None else "an unknown distribution"
    return f"entry point {point.name!r} of group {point.group!r} ({origin})"
