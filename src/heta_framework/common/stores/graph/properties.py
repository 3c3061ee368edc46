"""Properties as plain JSON data: what every store can keep, the same from each of them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from heta_framework.common.stores.fields import is_encodable


def plain_json(where: str, value: Any) -> Any:
    """A copy of the value in dicts, lists, strings, numbers, booleans and None; tuples become lists.

    Raises:
        TypeError: something in it is none of those, or a key is no string.
        ValueError: a number is not finite, or a string cannot be written as UTF-8.
    """
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, str):
        return _text(where, value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{where} is {value}, which JSON cannot hold")
        return value
    if isinstance(value, Mapping):
        return {_key(where, key): plain_json(f"{where}[{key!r}]", item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain_json(f"{where}[{position}]", item) for position, item in enumerate(value)]
    raise TypeError(f"{where} is of type {type(value).__name__}, which JSON cannot hold")


def _key(where: str, key: object) -> str:
    if not isinstance(key, str):
        raise TypeError(f"{where} has the key {key!r} of type {type(key).__name__}; keys must be strings")
    return _text(f"{where} has a key that", key)


def _text(where: str, text: str) -> str:
    if not is_encodable(text):
        raise ValueError(f"{where} holds a lone surrogate and cannot be written as UTF-8: {text!a}")
    return text
