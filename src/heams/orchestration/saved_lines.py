"""Which lines of an experiment's files are sound: one answer for a resumed run and for everything that reads results.

A line is sound when it is JSON, has the fields that every line has, and every field that reports use has the documented
type. Other fields may be missing or unknown: another version may have written the line.
"""

from collections.abc import Mapping
from typing import Any, TypedDict, cast

from pydantic_core import CoreSchema, SchemaValidator, ValidationError, core_schema

_LARGEST = 2**63 - 1
_TEXT = core_schema.str_schema(strict=True)
_NUMBER = core_schema.float_schema(strict=True, allow_inf_nan=False)
_AMOUNT = core_schema.float_schema(strict=True, allow_inf_nan=False, ge=0)
_FLAG = core_schema.bool_schema(strict=True)


class DamagedLine(ValueError):  # noqa: N818 - named after what was found
    """A line that cannot be used; the message says why, without naming file and line."""


class ResultKey(TypedDict):
    """What identifies a line of ``runs.jsonl``, and how its scenario ended."""

    run_id: str
    sample_id: str
    repeat: int
    attempt: int
    status: str


class SavedText(TypedDict):
    """A line of ``texts.jsonl``."""

    id: str
    text: str


def result_key(line: bytes) -> ResultKey:
    """The key of a line of ``runs.jsonl``; ``repeat`` and ``attempt`` are 0 and 1 where they are missing.

    Raises:
        DamagedLine: the line is no result.
    """
    return cast("ResultKey", _checked(_RESULT, line))


def ingest_fields(line: bytes) -> Mapping[str, Any]:
    """What reports use of a line of ``ingests.jsonl``; ``run_id`` and ``history_id`` are always there.

    Raises:
        DamagedLine: the line is no ingest record.
    """
    return cast("Mapping[str, Any]", _checked(_INGEST, line))


def saved_text(line: bytes) -> SavedText:
    """The text in a line of ``texts.jsonl``.

    Raises:
        DamagedLine: the line is no saved text.
    """
    return cast("SavedText", _checked(_SAVED_TEXT, line))


def _checked(validator: SchemaValidator, line: bytes) -> Any:
    try:
        return validator.validate_json(line)
    except ValidationError as cause:
        error = cause.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(step) for step in error["loc"])
        raise DamagedLine(f"{place}: {error['msg']}" if place else error["msg"]) from None


def _whole(smallest: int = -_LARGEST) -> CoreSchema:
    return core_schema.int_schema(strict=True, ge=smallest, le=_LARGEST)


def _required(schema: CoreSchema) -> core_schema.TypedDictField:
    return core_schema.typed_dict_field(schema)


def _or_default(schema: CoreSchema, default: int) -> core_schema.TypedDictField:
    return core_schema.typed_dict_field(core_schema.with_default_schema(schema, default=default))


def _optional(**schemas: CoreSchema) -> dict[str, core_schema.TypedDictField]:
    return {name: core_schema.typed_dict_field(schema, required=False) for name, schema in schemas.items()}


def _mapping(**schemas: CoreSchema) -> CoreSchema:
    return core_schema.typed_dict_schema(_optional(**schemas))


def _or_null(schema: CoreSchema) -> CoreSchema:
    return core_schema.nullable_schema(schema)


def _list(items: CoreSchema) -> CoreSchema:
    return core_schema.list_schema(items, strict=True)


# The types that reports read, as SchemaValidator checks them without making an object of the rest of a line.
_STATUS = core_schema.literal_schema(["completed", "error"])
_TAGS = core_schema.dict_schema(_TEXT, _TEXT)
_USAGE = core_schema.dict_schema(
    _TEXT,
    _mapping(
        **dict.fromkeys(("calls", "input_tokens", "output_tokens", "cached_tokens"), _whole(0)),
        **dict.fromkeys(("retries", "possibly_billed", "cache_hits", "replayed"), _whole(0)),
        **dict.fromkeys(("saved_input_tokens", "saved_output_tokens"), _whole(0)),
        **dict.fromkeys(("cost_usd", "saved_cost_usd"), _or_null(_AMOUNT)),
        seconds=_AMOUNT,
        estimated=_FLAG,
    ),
)
_ERROR = _mapping(phase=_TEXT, type=_TEXT, message=_TEXT)
_STEP = _mapping(action=_mapping(type=_TEXT), recalls=_or_null(_list(_mapping(tokens=_list(_whole())))))
_RECORD = _mapping(
    step_index=_or_null(_whole()),
    evaluator=_TEXT,
    metric=_TEXT,
    outcome=_TEXT,
    value=_or_null(_NUMBER),
    passed=_or_null(_FLAG),
    expected=_or_null(_TEXT),
    observed=_or_null(_TEXT),
    reason=_TEXT,
    tags=_TAGS,
)
_RESULT = SchemaValidator(
    core_schema.typed_dict_schema(
        {
            "run_id": _required(_TEXT),
            "sample_id": _required(_TEXT),
            "repeat": _or_default(_whole(0), 0),
            "attempt": _or_default(_whole(1), 1),
            "status": _required(_STATUS),
            **{name: _required(_TEXT) for name in ("experiment", "sample_name", "started_at", "finished_at")},
            **_optional(
                history_id=_or_null(_TEXT),
                isolation=_TEXT,
                timings=_mapping(answer=_NUMBER, recall=_NUMBER, evaluate=_NUMBER, total=_NUMBER),
                usage=_USAGE,
                error=_or_null(_ERROR),
                transcript=_list(_STEP),
                records=_list(_RECORD),
            ),
        }
    )
)
_INGEST = SchemaValidator(
    core_schema.typed_dict_schema(
        {
            "run_id": _required(_TEXT),
            "history_id": _required(_TEXT),
            **_optional(
                status=_STATUS,
                ingestion=_TEXT,
                isolation=_TEXT,
                events=_whole(0),
                restored=_FLAG,
                usage=_USAGE,
                seconds=_NUMBER,
                unsupported=_list(_TEXT),
                tallies=core_schema.dict_schema(_TEXT, _whole(0)),
                error=_or_null(_ERROR),
            ),
        }
    )
)
_SAVED_TEXT = SchemaValidator(core_schema.typed_dict_schema({"id": _required(_TEXT), "text": _required(_TEXT)}))
