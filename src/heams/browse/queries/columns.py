"""The columns of the list of samples: how they are called, which are shown at first, and what fills them."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from heams.browse.filters.fields import FIELDS, TAG
from heams.browse.filters.syntax import FieldRef
from heams.browse.filters.text import field_text

ColumnKind = Literal["text", "number", "choice"]


@dataclass(frozen=True, slots=True)
class Column:
    """A column; ``name`` is also the field's name in filters and in sorting. ``shown`` where nothing was chosen."""

    field: FieldRef
    label: str
    kind: ColumnKind
    description: str
    shown: bool = False

    @property
    def name(self) -> str:
        """How the column is written in a URL."""
        return field_text(self.field)


_NAME = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^,"])+', re.DOTALL)
_SHOWN = ("verdict", "name", "expected", "observed", "value", "seconds")
_LABELS = {
    "verdict": "Verdict",
    "sample": "Sample",
    "name": "Question",
    "repeat": "Repeat",
    "step": "Step",
    "expected": "Expected",
    "observed": "Observed",
    "reason": "Reason",
    "value": "Score",
    "passed": "Passed",
    "outcome": "Outcome",
    "label": "Label",
    "criterion": "Criterion",
    "history": "History",
    "evaluator": "Evaluator",
    "metric": "Metric",
    "status": "Status",
    "seconds": "Seconds",
    "tokens": "Tokens",
    "cost": "Cost, USD",
    "error": "Error",
}
COLUMNS = tuple(
    Column(FieldRef(name), label, FIELDS[name].kind, FIELDS[name].description, name in _SHOWN)
    for name, label in _LABELS.items()
)
"""All columns but those of tags, in the order in which they are shown."""


def tag_columns(tags: Iterable[str]) -> tuple[Column, ...]:
    """A column for each tag."""
    return tuple(Column(FieldRef(TAG, tag), tag, "text", f"value of the tag {tag}") for tag in tags)


def chosen_columns(text: str, available: Sequence[Column]) -> tuple[Column, ...]:
    """The columns that a URL names as ``verdict,tag.category``, in that order; without any those shown at first.

    Names that are not available are left out, so that an old link still shows the others.
    """
    by_name = {column.name: column for column in available}
    names = dict.fromkeys(name.strip() for name in _NAME.findall(text))
    return tuple(by_name[name] for name in names if name in by_name) or tuple(one for one in available if one.shown)


def columns_text(columns: Iterable[Column]) -> str:
    """How a URL names the columns."""
    return ",".join(column.name for column in columns)
