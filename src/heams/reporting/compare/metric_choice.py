"""Which metric two experiments are compared by."""

from typing import NamedTuple

from heams.reporting.compare.side import Side
from heams.reporting.errors import ResultsError
from heams.reporting.metrics import headline
from heta_framework.common.config import nearest

_METRICS = """
    SELECT evaluator, metric, count(contribution) FROM records
    GROUP BY evaluator, metric ORDER BY min(row(position, place))
"""


class NoSuchMetric(ResultsError):  # noqa: N818 - named after what was found
    """No metric that both sides have is called so."""


class MetricKey(NamedTuple):
    """A metric of an evaluator; written ``evaluator/metric``."""

    evaluator: str
    metric: str

    def __str__(self) -> str:
        return f"{self.evaluator}/{self.metric}"


def headline_metrics(a: Side, b: Side) -> list[MetricKey]:
    """The headline metrics that both sides have, in the order of the reports; those without a value on a side last.

    Raises:
        ResultsError: no metric is on both sides.
    """
    with_values = [dict(_metrics(side)) for side in (a, b)]
    shared = _shared(a, b)
    chosen = headline(shared, a.info.headline_metrics)
    return sorted(chosen, key=lambda key: not all(found[key] for found in with_values))


def metric_named(a: Side, b: Side, name: str) -> MetricKey:
    """The metric called ``name``, with or without its evaluator.

    Raises:
        NoSuchMetric: none on both sides is called so.
        ResultsError: several evaluators give it.
    """
    shared = _shared(a, b)
    found = [key for key in shared if name in (key.metric, str(key))]
    if len(found) == 1:
        return found[0]
    if found:
        raise ResultsError(f"several evaluators give {name!r}; write one of {', '.join(map(str, found))}")
    near = nearest(name, {key.metric for key in shared} | {str(key) for key in shared})
    hint = f"; did you mean {near!r}?" if near else "."
    raise NoSuchMetric(f"no metric on both sides is called {name!r}{hint} There are: {', '.join(map(str, shared))}")


def _shared(a: Side, b: Side) -> list[MetricKey]:
    in_a, in_b = ([key for key, _ in _metrics(side)] for side in (a, b))
    shared = [key for key in in_a if key in in_b]
    if shared:
        return shared
    sides = "; ".join(
        f"{letter} ({side.results.name}) has {', '.join(dict.fromkeys(key.metric for key in keys)) or 'none'}"
        for letter, side, keys in (("A", a, in_a), ("B", b, in_b))
    )
    raise ResultsError(f"the experiments have no metric in common: {sides}")


def _metrics(side: Side) -> list[tuple[MetricKey, int]]:
    """Each metric with how many values it has."""
    return [(MetricKey(evaluator, metric), values) for evaluator, metric, values in side.tables.rows(_METRICS)]
