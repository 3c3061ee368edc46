"""`${NAME}` and `${NAME:-default}` in text values, replaced from the environment.

`${NAME:-default}` takes the default where the variable is not set or empty, as in a shell; `$${` stands for a literal
`${`. The result is always text and never read as YAML again, so a variable cannot change the structure of a file.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from heta_framework.common.config.nearest import did_you_mean
from heta_framework.common.config.tree import Loc

_REFERENCE = re.compile(r"\$(?P<escaped>\$\{)|\$\{(?:(?P<name>[A-Za-z_][A-Za-z0-9_]*)(?::-(?P<default>[^}]*))?\})?")


@dataclass(frozen=True)
class MissingVariable:
    """A reference that could not be replaced."""

    loc: Loc
    message: str
    hint: str | None


@dataclass(frozen=True)
class Reference:
    """A reference that was replaced: where it stands, the variable's name, and the text that took its place.

    `default` says that this is the default of the reference, because the variable is not set or empty.
    """

    loc: Loc
    name: str
    text: str = field(repr=False)
    default: bool = False


@dataclass
class Substitution:
    """The data after replacing, the values that came from the environment (value to name), and what was missing."""

    data: Any = None
    used: dict[str, str] = field(default_factory=dict)
    references: list[Reference] = field(default_factory=list)
    missing: list[MissingVariable] = field(default_factory=list)


def substitute(raw: Any, environment: Mapping[str, str]) -> Substitution:
    """Return a copy of JSON-like data with every reference in its text values (never in keys) replaced."""
    substituter = _Substituter(environment)
    substituter.result.data = substituter.value(raw, ())
    return substituter.result


def references(raw: Any, environment: Mapping[str, str]) -> Sequence[Reference]:
    """Return every reference in JSON-like data that can be replaced, in the order of the data."""
    return substitute(raw, environment).references


class _Substituter:
    def __init__(self, environment: Mapping[str, str]) -> None:
        self.result = Substitution()
        self._environment = environment

    def value(self, raw: Any, loc: Loc) -> Any:
        if isinstance(raw, str):
            return _REFERENCE.sub(lambda match: self._replacement(match, loc), raw) if "${" in raw else raw
        if isinstance(raw, list):
            return [self.value(item, (*loc, index)) for index, item in enumerate(raw)]
        if isinstance(raw, dict):
            return {key: self.value(item, (*loc, key)) for key, item in raw.items()}
        return raw

    def _replacement(self, match: re.Match[str], loc: Loc) -> str:
        name = match["name"]
        if match["escaped"]:
            return "${"
        if name is None:
            self._miss(
                loc, "found '${' that is no reference; ${NAME} and ${NAME:-default} are allowed, $${ is a literal ${"
            )
            return ""
        value = self._environment.get(name)
        if not value and match["default"] is not None:
            self.result.references.append(Reference(loc, name, match["default"], default=True))
            return match["default"]
        if value is None:
            unset = f"found ${{{name}}}, but the environment variable {name} is not set"
            self._miss(loc, f"{unset}; set it or write ${{{name}:-default}}", did_you_mean(name, self._environment))
            return ""
        if not _is_unicode(value):
            self._miss(loc, f"found ${{{name}}}, but the environment variable {name} does not hold valid UTF-8")
        self.result.used[value] = name
        self.result.references.append(Reference(loc, name, value))
        return value

    def _miss(self, loc: Loc, message: str, hint: str | None = None) -> None:
        self.result.missing.append(MissingVariable(loc, message, hint))


def _is_unicode(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:  # bytes that Python could not decode, kept as lone surrogates
        return False
    return True
