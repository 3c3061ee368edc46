"""How the scores of the selected rows are distributed."""

from dataclasses import dataclass
from itertools import pairwise

from heams.browse.filters.expressions import EXPRESSIONS
from heams.browse.filters.syntax import FieldRef
from heams.browse.queries.selection import Selection, relation
from heams.reporting.tables import Tables

_EXTENT = "SELECT count(value), count(*), min(value), max(value) FROM ({values})"
_BINS = """
    WITH guessed AS (
        SELECT value, CAST(least(floor((value - $low) / $width), $last) AS BIGINT) AS bin
        FROM ({values}) WHERE value IS NOT NULL
    )
    SELECT CASE WHEN value < CAST($edges AS DOUBLE[])[bin + 1] THEN bin - 1
                WHEN bin < $last AND value >= CAST($edges AS DOUBLE[])[bin + 2] THEN bin + 1
                ELSE bin END AS exact, count(*)
    FROM guessed GROUP BY exact
"""
"""A quotient may be off by a rounding, so that the edges decide: a filter on a bin finds as many rows as it shows."""


@dataclass(frozen=True, slots=True)
class Bin:
    """``count`` rows with a score from ``low`` up to ``high``, which only the last bin includes."""

    low: float
    high: float
    count: int


@dataclass(frozen=True, slots=True)
class Histogram:
    """``bins`` of equal width over ``n`` rows with a score; ``without_value`` rows have none."""

    bins: tuple[Bin, ...]
    n: int
    without_value: int


def histogram(tables: Tables, selection: Selection, bins: int = 20) -> Histogram:
    """The scores of the selection, its own terms on ``value`` ignored as facets do.

    The bins span 0 to 1 where all scores do, else from the lowest to the highest.
    """
    source = relation(selection.ignoring(FieldRef("value")))
    values = f"SELECT {EXPRESSIONS['value'].sql} AS value FROM {source.sql}"  # noqa: S608 - fixed expressions
    ((n, total, least, most),) = tables.rows(_EXTENT.replace("{values}", values), source.parameters)
    if not n:
        return Histogram((), 0, total)
    low, high = (0.0, 1.0) if least >= 0 and most <= 1 else (least, most)
    if low == high:
        return Histogram((Bin(low, high, n),), n, total - n)
    edges = [*(low + (high - low) * step / bins for step in range(bins)), high]  # a sum may miss it by a rounding
    of_bins = {"low": low, "width": (high - low) / bins, "last": bins - 1, "edges": edges}
    counts = dict(tables.rows(_BINS.replace("{values}", values), {**source.parameters, **of_bins}))
    found = (Bin(start, end, counts.get(place, 0)) for place, (start, end) in enumerate(pairwise(edges)))
    return Histogram(tuple(found), n, total - n)
