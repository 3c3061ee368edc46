"""A comparison without its texts, which stay in the tables: some fifty bytes a pair, so that pages can keep it."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heams.reporting.compare import PairedComparison, Pairs

_KEPT = {
    "value_a": np.float64,
    "value_b": np.float64,
    "passes_a": np.float32,
    "passes_b": np.float32,
    "position_a": np.int64,
    "position_b": np.int64,
    "step_index": np.int32,
    "ordinal": np.int32,
}
_GROUP = "group"


@dataclass(frozen=True, slots=True)
class Condensed:
    """``comparison.pairs`` have numbers only: whatever needs their texts asks the tables for a page of positions.

    ``tags`` are those that could group the pairs.
    """

    comparison: PairedComparison
    tags: tuple[str, ...]

    @property
    def pairs(self) -> Pairs:
        """The pairs, in the order of A's results."""
        return self.comparison.pairs

    def of_group(self, value: str | None) -> Pairs:
        """The pairs with a value of the tag that groups them (None: those without it)."""
        values = [group.value for group in self.comparison.groups]
        chosen = self.pairs.columns[_GROUP] == values.index(value)
        return taken(self.pairs, chosen)


def condense(comparison: PairedComparison, tags: tuple[str, ...]) -> Condensed:
    """Drop the texts of a comparison."""
    columns = comparison.pairs.columns
    kept: dict[str, NDArray[Any]] = {name: columns[name].astype(kind) for name, kind in _KEPT.items()}
    number = {group.value: place for place, group in enumerate(comparison.groups)}
    kept[_GROUP] = np.fromiter((number.get(value, -1) for value in columns["tag"]), np.int16, len(comparison.pairs))
    pairs = Pairs(kept, comparison.pairs.higher_is_better)
    return Condensed(replace(comparison, pairs=pairs), tags)


def taken(pairs: Pairs, chosen: NDArray[Any]) -> Pairs:
    """Some of the pairs: by a mask, or by their places in a new order."""
    return Pairs({name: column[chosen] for name, column in pairs.columns.items()}, pairs.higher_is_better)
