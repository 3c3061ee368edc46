"""A pydantic error in the words of these messages: what was found, what is allowed, what might be meant."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from heta_framework.common.config.document import YamlDocument, value_at
from heta_framework.common.config.locating import locate
from heta_framework.common.config.nearest import did_you_mean
from heta_framework.common.config.schema_walk import field_names, union_tags
from heta_framework.common.config.secrecy import scrubbed, shown
from heta_framework.common.config.tree import Loc

_MOST_LISTED = 20
_QUOTED = re.compile(r"'([^']*)'")
_ONLY_QUOTED = re.compile(r"'[^']*'((, | or )'[^']*')*")

_MUST_BE = {
    "true or false": ("bool_type", "bool_parsing"),
    "a whole number": ("int_type", "int_parsing", "int_from_float", "int_parsing_size"),
    "a number": ("float_type", "float_parsing", "decimal_type", "decimal_parsing"),
    "a list": ("list_type", "tuple_type", "set_type", "frozen_set_type", "iterable_type"),
    "a mapping (key: value)": ("dict_type", "mapping_type", "dataclass_type", "model_type", "model_attributes_type"),
    "text": ("string_type", "string_sub_type", "string_unicode"),
    "a path": ("path_type",),
    "null": ("none_required",),
}
_ALLOWED = {error_type: f"must be {kind}" for kind, types in _MUST_BE.items() for error_type in types}


@dataclass(frozen=True)
class Finding:
    """One error: where it is in the data, the field it is about (maybe one that is missing), and the words for it."""

    loc: Loc
    field: Loc
    found: str
    allowed: str
    hint: str | None = None


def describe(document: YamlDocument, schema: Mapping[str, Any], error: Mapping[str, Any]) -> Finding:
    """Return what one entry of `ValidationError.errors()` says about the document."""
    loc = locate(document.data, error["loc"], error["input"])
    match error["type"]:
        case "missing":
            return Finding(loc, (*loc, *error["loc"][-1:]), "not given", "this field is required")
        case "extra_forbidden":
            return _unknown_field(loc, field_names(schema, error["loc"][:-1]))
        case "union_tag_not_found":
            return _missing_tag(schema, error, loc)
        case "union_tag_invalid":
            return _unknown_tag(document, error, loc)
        case "literal_error" | "enum":
            return _unknown_choice(document, error, loc)
        case "value_error" | "assertion_error":
            return _refused_by_validator(document, error, loc)
        case _:
            return _wrong_kind_or_range(document, schema, error, loc)


def _unknown_field(loc: Loc, allowed: tuple[str, ...]) -> Finding:
    hint = did_you_mean(str(loc[-1]), allowed) if loc else None
    return Finding(loc, loc, "this field is not known", _listed(allowed) or "no further field is allowed", hint)


def _missing_tag(schema: Mapping[str, Any], error: Mapping[str, Any], loc: Loc) -> Finding:
    tags = _listed(union_tags(schema, error["loc"])) or "this field is required"
    return Finding(loc, (*loc, *_discriminator(error)), "not given", tags)


def _unknown_tag(document: YamlDocument, error: Mapping[str, Any], loc: Loc) -> Finding:
    tags = _QUOTED.findall(error["ctx"]["expected_tags"])
    place = locate(document.data, (*error["loc"], *_discriminator(error)), None)
    hint = did_you_mean(error["ctx"]["tag"], tags)
    return Finding(place, place, f"found {shown(document, place)}", _listed(tags), hint)


def _discriminator(error: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the name of the field that tells the members of a union apart; none where a function does."""
    return tuple(_QUOTED.findall(error["ctx"]["discriminator"])[:1])


def _unknown_choice(document: YamlDocument, error: Mapping[str, Any], loc: Loc) -> Finding:
    expected = error["ctx"]["expected"]
    choices = _QUOTED.findall(expected) if _ONLY_QUOTED.fullmatch(expected) else []
    hint = did_you_mean(error["input"], choices) if isinstance(error["input"], str) else None
    return Finding(loc, loc, f"found {shown(document, loc)}", _listed(choices) or f"must be {expected}", hint)


def _refused_by_validator(document: YamlDocument, error: Mapping[str, Any], loc: Loc) -> Finding:
    reason = scrubbed(document, str(error.get("ctx", {}).get("error", error["msg"]))) or "this value is not allowed"
    if isinstance(value_at(document.data, loc), dict | list):
        return Finding(loc, loc, "", reason)
    return Finding(loc, loc, f"found {shown(document, loc)}", reason)


def _wrong_kind_or_range(
    document: YamlDocument, schema: Mapping[str, Any], error: Mapping[str, Any], loc: Loc
) -> Finding:
    allowed = _ALLOWED.get(error["type"]) or scrubbed(document, _reworded(error["msg"]))
    names = field_names(schema, error["loc"]) if error["type"] in _MUST_BE["a mapping (key: value)"] else ()
    if names:
        allowed = f"must be a mapping; {_listed(names)}"
    if error["loc"][-1:] == ("[key]",):
        return Finding(loc, loc, f"found the key '{loc[-1]}'", allowed)
    hint = "write it in quotes" if error["type"] == "string_type" and _is_number(document, loc) else None
    return Finding(loc, loc, f"found {shown(document, loc)}", allowed, hint)


def _is_number(document: YamlDocument, loc: Loc) -> bool:
    return isinstance(value_at(document.data, loc), bool | int | float)


def _reworded(message: str) -> str:
    """Turn "Input should be greater than 0" into "must be greater than 0"."""
    core = re.sub(r", unable to (parse|interpret) .*| after validation\b", "", message)
    return re.sub(r"^\w+ should ", "must ", core)


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_LISTED} more" if len(names) > _MOST_LISTED else ""
    return f"allowed: {', '.join(names[:_MOST_LISTED])}{more}" if names else ""
