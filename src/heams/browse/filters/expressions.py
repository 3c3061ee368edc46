"""The SQL expression behind each field, over ``r`` (records), ``s`` (scenarios) and ``l`` (labels).

Identifiers in statements come from here and from nowhere else.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from heams.browse.filters.syntax import FieldRef

Source = Literal["records", "scenarios", "labels"]


@dataclass(frozen=True, slots=True)
class Expression:
    """An SQL expression, NULL where the field has no value, and the table that it needs beside the records."""

    sql: str
    source: Source = "records"


_SUMMED = "list_sum([coalesce(u.{0}, 0) + coalesce(u.{1}, 0) for u in map_values(s.usage)])"
_TOKENS = f"CAST(coalesce({_SUMMED.format('input_tokens', 'output_tokens')}, 0) AS BIGINT)"
_COSTS = "[u.cost_usd for u in map_values(s.usage)]"
_COST = f"CASE WHEN list_count({_COSTS}) = len({_COSTS}) THEN coalesce(list_sum({_COSTS}), 0.0) END"
_ERROR = """CASE WHEN s.error IS NOT NULL THEN concat_ws(': ', s.error.phase, s.error."type", s.error.message) END"""
EXPRESSIONS: Mapping[str, Expression] = {
    "verdict": Expression("r.verdict"),
    "outcome": Expression("r.outcome"),
    "passed": Expression("CAST(r.passed AS VARCHAR)"),
    "value": Expression("CASE WHEN r.outcome = 'scored' THEN r.contribution END"),
    "metric": Expression("r.metric"),
    "evaluator": Expression("r.evaluator"),
    "sample": Expression("r.sample_id"),
    "name": Expression("r.sample_name"),
    "history": Expression("r.history"),
    "repeat": Expression("r.repeat"),
    "step": Expression("r.step_index"),
    "criterion": Expression("r.criterion"),
    "reason": Expression("r.reason"),
    "expected": Expression("r.expected"),
    "observed": Expression("r.observed"),
    "status": Expression("s.status", "scenarios"),
    "seconds": Expression("s.timings.total", "scenarios"),
    "tokens": Expression(_TOKENS, "scenarios"),
    "cost": Expression(_COST, "scenarios"),
    "error": Expression(_ERROR, "scenarios"),
    "label": Expression("l.label", "labels"),
}
"""By field. A tag and the field ``text`` are no single expression."""
SEARCHED = ("name", "expected", "observed", "reason")
"""The fields that ``text`` stands for."""


class Parameters:
    """Values that a statement binds, each under a name of its own that begins with ``prefix``."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self.values: dict[str, object] = {}

    def bind(self, value: object) -> str:
        """The placeholder that stands for ``value`` in the statement."""
        name = f"{self._prefix}{len(self.values)}"
        self.values[name] = value
        return f"${name}"


def expression_of(field: FieldRef, parameters: Parameters) -> Expression:
    """The expression of a field; the name of a tag is bound."""
    if field.tag is not None:
        return Expression(f"r.tags[{parameters.bind(field.tag)}]")
    return EXPRESSIONS[field.name]
