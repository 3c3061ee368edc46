"""A configuration that knows the file and line of everything in it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from heta_framework.common.config.errors import ConfigProblem
from heta_framework.common.config.tree import Loc


@dataclass(frozen=True, eq=False)
class YamlDocument:
    """JSON-like data read from YAML, or a subtree of it.

    `data` has environment variables replaced and may hold secrets; `raw` is the same data as it was written, fit for
    artifacts and messages. Neither appears in `repr()`. `variables` maps the values that were taken from the
    environment to the names of their variables.
    """

    path: Path | None
    data: Any = field(repr=False)
    raw: Any = field(repr=False)
    lines: Mapping[Loc, int] = field(default_factory=dict, repr=False)
    variables: Mapping[str, str] = field(default_factory=dict, repr=False)
    prefix: Loc = ()

    def line_of(self, loc: Loc) -> int | None:
        """Return the line (from 1) of the value at `loc`, or of the nearest value around it that the file holds."""
        place = (*self.prefix, *loc)
        enclosing = (place[:length] for length in range(len(place), -1, -1))
        return next((self.lines[outer] for outer in enclosing if outer in self.lines), None)

    def sub(self, loc: Loc) -> "YamlDocument":
        """Return the subtree at `loc`, with the same file, lines and dotted field names. Raises LookupError."""
        return YamlDocument(
            path=self.path,
            data=value_at(self.data, loc),
            raw=value_at(self.raw, loc),
            lines=self.lines,
            variables=self.variables,
            prefix=(*self.prefix, *loc),
        )

    def problem(self, loc: Loc, message: str, hint: str | None = None) -> ConfigProblem:
        """Return a problem at `loc` of this document: the one way to say something about a value that was read here."""
        return ConfigProblem(self.path, self.line_of(loc), dotted((*self.prefix, *loc)), message, hint)


def dotted(loc: Loc) -> str:
    """Return a location as users read it: `experiments.0.limit`."""
    return ".".join(str(part) for part in loc)


def value_at(data: Any, loc: Loc) -> Any:
    """Return the value at `loc` of JSON-like data. Raises LookupError."""
    for part in loc:
        if not isinstance(data, dict | list):
            raise KeyError(part)
        data = data[part]  # type: ignore[index]
    return data
