"""What an annotation declares, with everything taken off that only decorates it."""

from collections.abc import Mapping
from types import UnionType
from typing import Annotated, Any, NewType, TypeVar, Union, get_args, get_origin

Kinds = tuple[Any, ...]


def alternatives(annotation: Any) -> Kinds:
    """Return the members of a union (nested ones too), or the one type that `annotation` is.

    `Annotated`, `NewType`, type aliases and bounded type variables are replaced by what they stand for.
    """
    origin = get_origin(annotation)
    if origin in (Union, UnionType):
        return _all_alternatives(*get_args(annotation))
    if origin is Annotated:
        return alternatives(get_args(annotation)[0])
    if hasattr(origin, "__value__"):
        return alternatives(origin.__value__[get_args(annotation)])
    if hasattr(annotation, "__value__"):
        return alternatives(annotation.__value__)
    if isinstance(annotation, NewType):
        return alternatives(annotation.__supertype__)
    if isinstance(annotation, TypeVar):
        return alternatives(annotation.__bound__) if annotation.__bound__ else ()
    return (annotation,)


def item_kinds(kinds: Kinds, index: int) -> Kinds:
    """Return what the item at `index` of a list, tuple or set may be, where the container may be any of `kinds`."""
    return _all_alternatives(*(item for kind in kinds for item in _items(kind, index)))


def entry_kinds(kinds: Kinds) -> tuple[Kinds, Kinds]:
    """Return what the keys and what the values of a mapping may be, where the mapping may be any of `kinds`."""
    entries = [get_args(kind) for kind in kinds if _is_mapping(kind) and len(get_args(kind)) == 2]
    return _all_alternatives(*(key for key, _ in entries)), _all_alternatives(*(value for _, value in entries))


def _all_alternatives(*annotations: Any) -> Kinds:
    return tuple(kind for annotation in annotations for kind in alternatives(annotation))


def _items(kind: Any, index: int) -> Kinds:
    arguments = get_args(kind)
    if not arguments or _is_mapping(kind):
        return ()
    if get_origin(kind) is tuple and arguments[-1] is not Ellipsis:
        return arguments[index : index + 1]
    return arguments[:1]


def _is_mapping(kind: Any) -> bool:
    origin = get_origin(kind)
    return isinstance(origin, type) and issubclass(origin, Mapping)
