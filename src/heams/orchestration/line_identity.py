"""Whose result a line of ``runs.jsonl`` is: all that a resumed run needs to know of it.

Lighter than what readers check (``saved_lines``): the rest of the line is checked to be JSON, but not looked into,
because a resumed run reads a hundred thousand lines before it begins.
"""

from typing import Any, TypedDict, cast

from pydantic_core import SchemaValidator, ValidationError, core_schema


class LineIdentity(TypedDict):
    """The identity of a result, its status, and the fields whose absence shows that the line is damaged."""

    run_id: str
    sample_id: str
    repeat: int
    attempt: int
    status: str


def _fields() -> dict[str, core_schema.TypedDictField]:
    text = core_schema.typed_dict_field(core_schema.str_schema())
    numbers = {
        name: core_schema.typed_dict_field(core_schema.with_default_schema(core_schema.int_schema(), default=default))
        for name, default in (("repeat", 0), ("attempt", 1))
    }
    status = core_schema.typed_dict_field(core_schema.literal_schema(["completed", "error"]))
    texts = ("run_id", "sample_id", "experiment", "sample_name", "started_at", "finished_at")
    return {**dict.fromkeys(texts, text), **numbers, "status": status}


_VALIDATOR = SchemaValidator(core_schema.typed_dict_schema(_fields()))


def line_identity(line: bytes) -> LineIdentity:
    """The identity of a line.

    Raises:
        ValueError: the line is damaged; the message says how, in a few words.
    """
    try:
        return cast("LineIdentity", _VALIDATOR.validate_json(line))
    except ValidationError as cause:
        first: Any = cause.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise ValueError(f"{place}: {first['msg']}" if place else first["msg"]) from None
