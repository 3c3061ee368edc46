"""What a filter says, as frozen objects: terms that compare one field, and how they are combined.

Two filters are equal when they say the same in the same order. ``parse`` makes them from text, ``to_text`` gives back a
text that parses to an equal filter.
"""

from dataclasses import dataclass
from enum import StrEnum


class Operator(StrEnum):
    """How a field is compared."""

    EQUALS = ":"
    DIFFERS = "!="
    CONTAINS = "~"
    LESS = "<"
    AT_MOST = "<="
    MORE = ">"
    AT_LEAST = ">="


@dataclass(frozen=True, slots=True)
class Literal:
    """Text that is meant as it stands; case does not count."""

    text: str


@dataclass(frozen=True, slots=True)
class Wildcard:
    """Text in which ``*`` stands for any characters, also for none."""

    text: str


@dataclass(frozen=True, slots=True)
class Regex:
    """A regular expression of RE2; it may match anywhere, and case does not count."""

    pattern: str


@dataclass(frozen=True, slots=True)
class Number:
    """A finite number."""

    value: float


@dataclass(frozen=True, slots=True)
class Missing:
    """The field has no value at all."""


Value = Literal | Wildcard | Regex | Number | Missing


@dataclass(frozen=True, slots=True)
class FieldRef:
    """A field by its name; ``tag`` is the name of the tag where ``name`` is ``tag``."""

    name: str
    tag: str | None = None


@dataclass(frozen=True, slots=True)
class Term:
    """One field compared with one or more values, of which one must apply."""

    field: FieldRef
    operator: Operator
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """The opposite of a filter. What is unknown does not apply, so its opposite does."""

    inner: "Filter"


@dataclass(frozen=True, slots=True)
class AllOf:
    """Two or more filters that must all apply."""

    parts: tuple["Filter", ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Two or more filters of which one must apply."""

    parts: tuple["Filter", ...]


@dataclass(frozen=True, slots=True)
class Everything:
    """The empty filter: everything applies. It only stands alone."""


Filter = Term | Not | AllOf | AnyOf | Everything
EVERYTHING = Everything()
