"""A request's ``response_schema``: as JSON schema for the model, and read back from the model's text."""

import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from pydantic import PydanticUserError, TypeAdapter, ValidationError

from heta_framework.common.models.language.json_schema import follows

_FENCED = re.compile(r"\A```[\w-]*[ \t]*\n(?P<inside>.*?)\n?```\Z", re.DOTALL)
_NOT_A_NAME = re.compile(r"[^a-zA-Z0-9_-]+")
_LONGEST_NAME = 64


def json_schema_of(schema: Any) -> dict[str, Any]:
    """The JSON schema that is sent to a model.

    Raises:
        TypeError: ``schema`` is neither a JSON schema nor a type that pydantic can describe.
    """
    return dict(schema) if isinstance(schema, Mapping) else _adapter(schema).json_schema()


def schema_name(schema: Any) -> str:
    """A name for it that every provider accepts."""
    given = schema.get("title") if isinstance(schema, Mapping) else getattr(schema, "__name__", None)
    return _NOT_A_NAME.sub("_", str(given or "")).strip("_")[:_LONGEST_NAME] or "answer"


def read_as(schema: Any, text: str) -> Any:
    """``text`` read as ``schema``: an instance of the class, or JSON values. None where it does not follow it.

    A code fence around the whole text is taken off; nothing else is guessed.
    """
    bare = _unfenced(text.strip())
    if not isinstance(schema, Mapping):
        return _as_type(schema, bare)
    try:
        value = json.loads(bare, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        return None
    return value if follows(schema, value) else None


def _as_type(schema: Any, text: str) -> Any:
    try:
        return _adapter(schema).validate_json(text)
    except ValidationError:
        return None


@cache
def _adapter(schema: Any) -> TypeAdapter[Any]:
    try:
        return TypeAdapter(schema)
    except PydanticUserError as error:
        raise TypeError(f"response_schema {schema!r} is no JSON schema and no type that pydantic knows") from error


def _unfenced(text: str) -> str:
    fenced = _FENCED.match(text)
    return fenced["inside"].strip() if fenced else text


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")
