"""Whether a place is where a label's locator points.

Every key of a locator must hold. A key whose value is None says nothing. A list names alternatives, on either side: one
value in common suffices.

| key | holds where |
|---|---|
| ``document_id`` | the place's documents have that id |
| ``source_key``, ``object_key`` | it comes from that raw key |
| ``source_key_prefix`` | it comes from a raw key that begins so |
| ``chunk_id`` | it is that result, or holds that chunk |
| any other | the field of that name has that value |

Each id may also be written in the plural. Numbers are compared as numbers (4 is 4.0), and a text that spells a number
is that number ("4" is 4, "04" is not): labels come from files that know only texts. True and False are no numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any

from heta_framework.evaluation.evaluators.evidence.places import Place

_ID_SETS = {
    "document_id": "document_ids",
    "source_key": "source_keys",
    "object_key": "source_keys",
    "chunk_id": "chunk_ids",
}
_SETS = {**_ID_SETS, **{f"{key}s": name for key, name in _ID_SETS.items()}}
_PREFIX = "source_key_prefix"


def says_where(locator: Mapping[str, Any]) -> bool:
    """Whether a locator points anywhere."""
    return any(value is not None for value in locator.values())


def is_there(locator: Mapping[str, Any], place: Place) -> bool:
    """Whether the place is the one that the locator means."""
    return all(_holds(key, wanted, place) for key, wanted in locator.items() if wanted is not None)


def _holds(key: str, wanted: object, place: Place) -> bool:
    if key == _PREFIX:
        prefixes = tuple(str(one) for one in _each(wanted))
        return any(source_key.startswith(prefixes) for source_key in place.source_keys)
    if key in _SETS:
        held: frozenset[str] = getattr(place, _SETS[key])
        return any(str(one) in held for one in _each(wanted))
    found = place.fields.get(key)
    return any(_same(one, other) for one in _each(found) for other in _each(wanted))


def _same(one: object, other: object) -> bool:
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, str) and isinstance(other, Real):
        return one.strip() in _spellings(other)
    if isinstance(one, Real) and isinstance(other, str):
        return other.strip() in _spellings(one)
    return bool(one == other)


def _spellings(number: Real) -> tuple[str, ...]:
    """How texts spell a number: "4" and "4.0", "0.5"."""
    if isinstance(number, Integral):
        return str(int(number)), f"{int(number)}.0"
    value = float(number)
    return (str(int(value)), repr(value)) if value.is_integer() else (repr(value),)


def _each(value: object) -> tuple[object, ...]:
    return tuple(value) if isinstance(value, list | tuple | set | frozenset) else (value,)
