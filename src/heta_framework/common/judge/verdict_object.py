"""The object of a reply that holds the judge's own verdict: the last one that is complete, and never a copy."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from heta_framework.common.judge import output_form
from heta_framework.common.judge.json_objects import FoundObject, find_objects
from heta_framework.common.judge.quotations import OwnWords
from heta_framework.common.judge.words import folded

_VERDICT_KEYS = (
    output_form.VERDICT,
    "final verdict",
    "label",
    "judgement",
    "judgment",
    "grade",
    "classification",
    "decision",
    "result",
)
_KEYS: Mapping[str, tuple[str, ...]] = {
    "labels": _VERDICT_KEYS,
    "scale": (output_form.SCORE, "rating", "grade", "value", "verdict", "result"),
    "list": (output_form.NUMBERS, "items", "entries"),
    "claims": (output_form.CLAIMS,),
}
_VERDICT_AT_END = re.compile(r"""["']?(?P<key>\w+)["']?\s*:\s*["']?(?P<value>[^"'{}\[\]:]*)["']?\s*,?\s*\}$""")


def own_fields(kind: str, objects: Sequence[FoundObject], own: OwnWords) -> dict[str, Any] | None:
    """The fields of the judge's own last verdict object, complete ones first; keys are in lower case."""
    wanted = _KEYS[kind]
    best: dict[str, Any] | None = None
    complete = False
    for each in objects:
        fields = _fields_with(each.fields, wanted) if each.fields is not None else _last_field(each.source, wanted, own)
        if fields is None or own.copies(each.source) or _repeats(each.fields or fields, own):
            continue
        whole = output_form.REASON in fields
        if whole or not complete:
            best, complete = fields, whole
    return best


def verdict_in(kind: str, fields: Mapping[str, Any]) -> Any:
    """What stands in the place of the verdict, of whatever type."""
    return next(fields[key] for key in _KEYS[kind] if key in fields and not isinstance(fields[key], Mapping))


def _fields_with(fields: Mapping[str, Any], wanted: Sequence[str]) -> dict[str, Any] | None:
    """``fields`` with keys in lower case if one of them is wanted; else an object inside of which that is true."""
    lower = {folded(key): value for key, value in fields.items()}
    if any(key in lower and not isinstance(lower[key], Mapping) for key in wanted):
        return lower
    inner = (_fields_with(value, wanted) for value in map(_arguments, fields.values()) if isinstance(value, Mapping))
    return next((each for each in inner if each is not None), None)


def _arguments(value: Any) -> Any:
    """What a text holds that is a JSON object, as the arguments of a tool call are."""
    if not isinstance(value, str) or not value.lstrip().startswith("{"):
        return value
    found = find_objects(value).objects
    return found[0].fields if len(found) == 1 and found[0].source == value.strip() else value


def _repeats(fields: Mapping[str, Any], own: OwnWords) -> bool:
    """Whether every field stands in the material, in whatever order and company."""
    return all(isinstance(value, str) and own.copies(f"{key}:{value}") for key, value in fields.items())


def _last_field(source: str, wanted: Sequence[str], own: OwnWords) -> dict[str, Any] | None:
    """The verdict at the end of an object that unescaped quotation marks broke."""
    match = _VERDICT_AT_END.search(source)
    if match is None or folded(match["key"]) not in wanted or own.copies(match.group()):
        return None
    return {folded(match["key"]): match["value"]}
