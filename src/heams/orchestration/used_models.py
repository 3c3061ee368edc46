"""Which models a component calls: every endpoint named anywhere in its configuration."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from heta_framework.common.models.settings import EndpointConfig


@dataclass(frozen=True, slots=True)
class UsedModel:
    """A model and the dotted field of the configuration that names it; empty where the whole configuration does."""

    field: str
    endpoint: EndpointConfig


def models_of(config: Any) -> Iterator[UsedModel]:
    """The models below ``config``, in the order in which they are written."""
    yield from _below(config, ())


def _below(value: Any, place: tuple[str, ...]) -> Iterator[UsedModel]:
    if isinstance(value, EndpointConfig):
        yield UsedModel(".".join(place), value)
    for name, item in _items(value):
        yield from _below(item, (*place, name))


def _items(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, BaseModel):
        yield from ((name, getattr(value, name)) for name in type(value).model_fields)
    elif isinstance(value, Mapping):
        yield from ((str(key), item) for key, item in value.items())
    elif isinstance(value, list | tuple | set | frozenset):
        yield from ((str(index), item) for index, item in enumerate(value))
