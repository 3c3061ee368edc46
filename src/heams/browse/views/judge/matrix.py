"""Two raters' verdicts on the same answers as a square table, with how far they agree."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from heams.browse.queries.judging.agreement import DECIDED
from heta_framework.common.statistics import Interval, cohen_kappa, cohen_kappa_interval, wilson_interval

_SHADES = 5
_BETWEEN = "partial"
Counts = Mapping[tuple[str, str], int]


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """How often a pair of verdicts came. ``heat`` is 0 for never, up to 5 for the most frequent pair."""

    count: int
    heat: int
    agrees: bool
    href: str | None


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """What one rater said, against everything that the other one did."""

    name: str
    cells: tuple[MatrixCell, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Matrix:
    """``agreed`` of ``n`` pairs are the same. ``interval`` is that of their share.

    ``kappa`` is None where chance would explain all agreement, ``kappa_interval`` where there is none or it would have
    no width.
    """

    classes: tuple[str, ...]
    rows: tuple[MatrixRow, ...]
    totals: tuple[int, ...]
    n: int
    agreed: int
    interval: Interval | None
    kappa: float | None
    kappa_interval: Interval | None

    @property
    def share(self) -> float | None:
        """The share of pairs that are the same."""
        return self.agreed / self.n if self.n else None


def matrix(counts: Counts, classes: Sequence[str], href: Callable[[str, str], str] | None = None) -> Matrix:
    """The matrix of ``counts`` by (row, column); ``classes`` name and order both, what is not in them is left out."""
    table = [[counts.get((row, column), 0) for column in classes] for row in classes]
    n, agreed = sum(map(sum, table)), sum(row[place] for place, row in enumerate(table))
    most = max((number for row in table for number in row), default=0)
    rows = tuple(
        MatrixRow(name, tuple(_cell(name, other, counts, most, href) for other in classes), sum(numbers))
        for name, numbers in zip(classes, table, strict=True)
    )
    return Matrix(
        classes=tuple(classes),
        rows=rows,
        totals=tuple(sum(row[place] for row in table) for place in range(len(classes))),
        n=n,
        agreed=agreed,
        interval=wilson_interval(agreed, n) if n else None,
        kappa=cohen_kappa(table) if n else None,
        kappa_interval=cohen_kappa_interval(table) if n else None,
    )


def verdict_classes(counts: Counts) -> tuple[str, ...]:
    """Pass and fail, with what lies between where anybody said so."""
    said = {one for pair in counts for one in pair}
    return tuple(one for one in DECIDED if one != _BETWEEN or one in said)


def added(pairs: Iterable[tuple[str, str]]) -> dict[tuple[str, str], int]:
    """How often each pair came."""
    counts: dict[tuple[str, str], int] = {}
    for pair in pairs:
        counts[pair] = counts.get(pair, 0) + 1
    return counts


def _cell(row: str, column: str, counts: Counts, most: int, href: Callable[[str, str], str] | None) -> MatrixCell:
    count = counts.get((row, column), 0)
    heat = -(-_SHADES * count // most) if most else 0
    return MatrixCell(count, heat, row == column, href(row, column) if href is not None and count else None)
