"""Keeping secrets out of messages."""

import json
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from heta_framework.common.config.document import YamlDocument, value_at
from heta_framework.common.config.tree import Loc

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_SECRET_WORDS = frozenset(
    ["secret", "secrets", "password", "passwords", "passwd", "passphrase", "credential", "credentials"]
)
_KEEPERS = frozenset(["access", "api", "auth", "private", "signing"])
_HIDDEN = "***"
_ONLY_REFERENCES = re.compile(r"(?:(?:Bearer|Basic|Token)\s+)?(?:\$\{[A-Za-z_][A-Za-z0-9_]*\})+", re.IGNORECASE)
_LONGEST_SHOWN = 80
_SHORTEST_SCRUBBED = 4  # shorter values are part of ordinary words


def is_secret_name(name: str) -> bool:
    """Say whether a field of this name holds a secret: `api_key`, `hf_token`; not `max_tokens`, `api_key_env`."""
    words = [word.lower() for word in _WORDS.findall(name)]
    pairs = pairwise(words)
    return words[-1:] != ["env"] and (
        not _SECRET_WORDS.isdisjoint(words)
        or words[-1:] in (["token"], ["apikey"], ["authorization"], ["bearer"])
        or any(first in _KEEPERS and second in ("key", "keys", "tokens") for first, second in pairs)
    )


def shown(document: YamlDocument, loc: Loc) -> str:
    """Return the value at `loc` for a message: as written (never what a variable held), in at most 80 characters."""
    if any(is_secret_name(str(part)) for part in (*document.prefix, *loc)):
        return "a value that is not shown"
    raw = value_at(document.raw, loc)
    if loc and str(loc[-1]).endswith("_env") and isinstance(raw, str) and not raw.isidentifier():
        return "a value that is not shown"  # a key, where the name of its variable is wanted
    if raw is None:
        return "nothing (null)"
    kind = "a mapping " if isinstance(raw, dict) else "a list " if isinstance(raw, list) else ""
    origin = " (from the environment)" if _refers(raw, document) else ""
    return kind + _shortened(json.dumps(_masked(raw), ensure_ascii=False)) + origin


def scrubbed(document: YamlDocument, text: str) -> str:
    """Return a message that somebody else worded, without the values of variables and secret fields of the document."""
    hidden = dict.fromkeys(_secret_values(document.data, secret=False), _HIDDEN)
    hidden |= {value: f"${{{name}}}" for value, name in document.variables.items()}
    for value in sorted(hidden, key=len, reverse=True):
        if len(value) >= _SHORTEST_SCRUBBED:
            text = text.replace(value, hidden[value]).replace(repr(value)[1:-1], hidden[value])
    return text


def typed_secrets(data: Any) -> Iterator[str]:
    """The texts in configuration data that stand under a name that speaks of a secret."""
    return _secret_values(data, secret=False)


def _refers(raw: Any, document: YamlDocument) -> bool:
    return isinstance(raw, str) and any(f"${{{name}" in raw for name in document.variables.values())


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…"


def without_secrets(raw: Any) -> Any:
    """Return configuration data fit for artifacts: secrets typed into it are hidden, ``${VARIABLES}`` are kept.

    Only text is hidden, and only under a name that speaks of a secret (see `is_secret_name`).
    """
    if isinstance(raw, dict):
        return {
            name: _concealed(value) if is_secret_name(name) else without_secrets(value) for name, value in raw.items()
        }
    return [without_secrets(item) for item in raw] if isinstance(raw, list) else raw


def _concealed(value: Any) -> Any:
    if isinstance(value, str):
        return value if _ONLY_REFERENCES.fullmatch(value) else _HIDDEN
    if isinstance(value, dict):
        return {name: _concealed(item) for name, item in value.items()}
    return [_concealed(item) for item in value] if isinstance(value, list) else value


def _masked(raw: Any) -> Any:
    if isinstance(raw, dict):
        return {name: _HIDDEN if is_secret_name(name) else _masked(value) for name, value in raw.items()}
    return [_masked(item) for item in raw] if isinstance(raw, list) else raw


def _secret_values(data: Any, *, secret: bool) -> Iterator[str]:
    if isinstance(data, dict):
        for name, value in data.items():
            yield from _secret_values(value, secret=secret or is_secret_name(name))
    elif isinstance(data, list):
        for item in data:
            yield from _secret_values(item, secret=secret)
    elif secret and data is not None and not isinstance(data, bool):
        yield str(data)
