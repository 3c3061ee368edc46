"""How long things took: the median and the 95th percentile."""

from collections.abc import Mapping
from dataclasses import dataclass

from heams.reporting.tables import Tables

PHASES = ("answer", "recall", "evaluate", "total")
"""Phases of a scenario; ``answer`` includes ``recall``."""


@dataclass(frozen=True, slots=True)
class Percentiles:
    """Median and 95th percentile (linear between neighbours) of ``n`` values; None without values."""

    n: int
    p50: float | None
    p95: float | None


_PERCENTILES = "count(value), quantile_cont(value, 0.5), quantile_cont(value, 0.95)"
_LATENCIES = f"""
    SELECT phase, {_PERCENTILES}
    FROM (
        SELECT unnest($phases) AS phase,
               unnest([timings.answer, timings.recall, timings.evaluate, timings.total]) AS value
        FROM scenarios WHERE status = 'completed'
    )
    GROUP BY phase
"""  # noqa: S608 - constants


def latencies(tables: Tables) -> Mapping[str, Percentiles]:
    """Seconds per scenario in each phase, over scenarios that were played to their end."""
    rows = tables.rows(_LATENCIES, {"phases": list(PHASES)})
    found = {phase: Percentiles(*numbers) for phase, *numbers in rows}
    return {phase: found.get(phase, Percentiles(0, None, None)) for phase in PHASES}
