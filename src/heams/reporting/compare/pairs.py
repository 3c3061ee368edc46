"""Verdicts of two experiments on the same steps of the same samples, side by side."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args, overload

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Cell = Literal["both", "only_a", "only_b", "neither", "improved", "regressed", "equal", "different"]
"""What pairs can be picked by: who passed, and which way the value went."""
CELLS: tuple[Cell, ...] = get_args(Cell)
Changed = Literal["improved", "regressed"]
CHANGED: tuple[Changed, ...] = get_args(Changed)
_SAME = 1e-12
"""Means of repeats that differ by less are the same number, added up in another order."""


class Pair(NamedTuple):
    """One pair. Values are means over repeats; ``positions`` identify the first repeats in the tables of each side."""

    sample_id: str
    step_index: int | None
    ordinal: int
    value_a: float
    value_b: float
    verdict_a: str
    verdict_b: str
    position_a: int
    position_b: int
    tag: str | None

    @property
    def change(self) -> float:
        """B minus A."""
        return self.value_b - self.value_a


@dataclass(frozen=True, slots=True, eq=False)
class Pairs(Sequence[Pair]):
    """All pairs, in the order of A's results, as columns: memory stays small, however many there are.

    ``passes_a`` and ``passes_b`` are shares of repeats that passed; NaN where the metric passes and fails nothing.
    """

    columns: dict[str, NDArray[Any]]
    higher_is_better: bool = True

    def __len__(self) -> int:
        return len(self.columns["value_a"])

    @overload
    def __getitem__(self, index: int) -> Pair: ...
    @overload
    def __getitem__(self, index: slice) -> "Pairs": ...
    def __getitem__(self, index: int | slice) -> "Pair | Pairs":
        if isinstance(index, slice):
            return self._of({name: column[index] for name, column in self.columns.items()})
        return Pair(*(self._plain(name, index) for name in Pair._fields))

    def __iter__(self) -> Iterator[Pair]:
        return (self[place] for place in range(len(self)))

    def _plain(self, name: str, place: int) -> Any:
        value = self.columns[name][place]
        if name == "step_index" and value < 0:
            return None
        return value.item() if isinstance(value, np.generic) else value

    def _of(self, columns: dict[str, NDArray[Any]]) -> "Pairs":
        return Pairs(columns, self.higher_is_better)

    @property
    def changes(self) -> Floats:
        """B minus A of each pair, exactly 0 where they are the same."""
        found: Floats = self.columns["value_b"] - self.columns["value_a"]
        return np.where(np.abs(found) < _SAME, 0.0, found)

    def where(self, cell: Cell) -> "Pairs":
        """The pairs in a cell.

        Raises:
            ValueError: there is no such cell.
        """
        chosen = self.mask(cell)
        return self._of({name: column[chosen] for name, column in self.columns.items()})

    def with_tag(self, tag: str | None) -> "Pairs":
        """The pairs with a value of the tag that they were read with; None for those without the tag."""
        chosen = np.fromiter((value == tag for value in self.columns["tag"]), bool, len(self))
        return self._of({name: column[chosen] for name, column in self.columns.items()})

    def most_changed(self, number: int, cell: Changed) -> "Pairs":
        """The pairs that improved, or regressed, the most, the largest change first; ties in the order of results."""
        found = self.where(cell)
        order = np.argsort(-np.abs(found.changes), kind="stable")[:number]
        return self._of({name: column[order] for name, column in found.columns.items()})

    def mask(self, cell: Cell) -> NDArray[np.bool_]:
        """Which pairs are in a cell, as an array of yes and no."""
        better = self.changes if self.higher_is_better else -self.changes
        passed_a, passed_b = self.columns["passes_a"] > 0.5, self.columns["passes_b"] > 0.5
        judged = ~np.isnan(self.columns["passes_a"]) & ~np.isnan(self.columns["passes_b"])
        match cell:
            case "both":
                return np.asarray(judged & passed_a & passed_b)
            case "only_a":
                return np.asarray(judged & passed_a & ~passed_b)
            case "only_b":
                return np.asarray(judged & ~passed_a & passed_b)
            case "neither":
                return np.asarray(judged & ~passed_a & ~passed_b)
            case "improved":
                return np.asarray(better > 0)
            case "regressed":
                return np.asarray(better < 0)
            case "equal":
                return np.asarray(better == 0)
            case "different":
                return np.asarray(better != 0)
        raise ValueError(f"no cell is called {cell!r}; there are {', '.join(CELLS)}")
