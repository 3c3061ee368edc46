"""Strict JSON of anything: what JSON cannot hold becomes what `json_safe` makes of it, and nothing raises."""

from __future__ import annotations

import json
from typing import Any

from pydantic_core import from_json

from heta_framework.evaluation.types.json_safe import json_safe

_ENCODER = json.JSONEncoder(allow_nan=False, ensure_ascii=False, check_circular=False, separators=(",", ":"))
_MOST_BITS = 10_000  # Python writes no integer of more than 4,300 digits


def encode(value: Any) -> bytes:
    """The value as compact strict JSON in UTF-8."""
    try:
        return _ENCODER.encode(value).encode()
    except (TypeError, ValueError, RecursionError):
        return _ENCODER.encode(without_huge_numbers(json_safe(value))).encode()


def decode(data: bytes) -> Any:
    """What was encoded.

    Raises:
        ValueError: it is no JSON.
    """
    try:
        return from_json(data, cache_strings="keys")
    except ValueError:  # also said of what is nested deeper than it goes
        return json.loads(data)


def encode_for_people(value: Any) -> bytes:
    """JSON-safe data as strict JSON with a line for each value."""
    return json.dumps(without_huge_numbers(value), allow_nan=False, ensure_ascii=False, indent=1).encode()


def without_huge_numbers(value: Any) -> Any:
    """JSON-safe data; an integer of thousands of digits, which Python does not write, as the text of its beginning."""
    if isinstance(value, dict):
        return {key: without_huge_numbers(item) for key, item in value.items()}
    if isinstance(value, list):
        return [without_huge_numbers(item) for item in value]
    if isinstance(value, int) and value.bit_length() > _MOST_BITS:
        return f"{hex(value)[:32]}… ({value.bit_length()} bits)"
    return value
