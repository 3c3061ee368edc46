"""The settings of steps: their configuration dataclasses, read strictly from what YAML gives.

A dataclass becomes a typed dictionary of its fields that refuses what it does not know; what passes is made into the
dataclass, whose own refusals count too. Fields that are themselves dataclasses are read alike.
"""

from __future__ import annotations

from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache, partial, reduce
from operator import or_
from types import UnionType
from typing import Annotated, Any, Literal, NotRequired, Required, Union, get_args, get_origin, get_type_hints

from pydantic import AfterValidator, ConfigDict, TypeAdapter
from typing_extensions import TypedDict

from heta_framework.common.config import Number, WholeNumber
from heta_framework.kb.recipe_file.step_catalogue import StepType

_NUMBERS = {int: WholeNumber, float: Number}


@cache
def settings_adapter(step: StepType) -> TypeAdapter[Any]:
    """Reads a mapping into the step's configuration."""
    return TypeAdapter(_annotation(step.settings_class()))


def _annotation(hint: Any) -> Any:
    """What a field of this type is read as: the number 1 is not ``true``, and a mapping may stand for a dataclass."""
    if hint in (int, float):
        return _NUMBERS[hint]
    if is_dataclass(hint) and isinstance(hint, type):
        return Annotated[_fields_of(hint), AfterValidator(partial(_made, hint))]
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is None or origin is Literal:
        return hint
    if origin is Annotated:
        return Annotated[_annotation(arguments[0]), *arguments[1:]]
    read = tuple(map(_annotation, arguments))
    return reduce(or_, read) if origin in (Union, UnionType) else origin[read]


def _fields_of(settings_class: type[Any]) -> Any:
    hints = get_type_hints(settings_class, include_extras=True)
    read = {field.name: _field(field, hints[field.name]) for field in fields(settings_class) if field.init}
    make: Any = TypedDict
    typed = make(settings_class.__name__, read)
    typed.__pydantic_config__ = ConfigDict(extra="forbid", arbitrary_types_allowed=True)
    return typed


def _field(field: Field[Any], hint: Any) -> Any:
    must_be_given = field.default is MISSING and field.default_factory is MISSING
    return Required[_annotation(hint)] if must_be_given else NotRequired[_annotation(hint)]


def _made(settings_class: type[Any], values: dict[str, Any]) -> Any:
    return settings_class(**values)
