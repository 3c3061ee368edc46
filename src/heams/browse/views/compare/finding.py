"""From an address to the comparison that it asks for."""

from collections.abc import Iterator, Sequence

from heams.browse.comparing import Comparisons, Condensed, Wish
from heams.browse.index import Experiment
from heams.browse.pages.errors import Link, Problem
from heams.browse.rendering import links
from heams.browse.views.compare.asked import Asked
from heams.reporting.compare import MetricKey
from heams.reporting.errors import ResultsError
from heta_framework.common.config import nearest

_LONGEST_SHOWN = 100


def find(comparisons: Comparisons, a: Experiment, b: Experiment, wanted: Asked) -> Condensed:
    """The comparison of B with A, by the metric and the tag of the address.

    Raises:
        Problem: the experiments have no such metric.
        UnlikeExperiments: they are not like with like.
        ResultsError: nothing can be compared.
    """
    _check_benchmarks(a, b)
    known = {str(key): key for key, _ in metric_choices(a, b)}
    if wanted.metric and wanted.metric not in known:
        near = nearest(wanted.metric[:_LONGEST_SHOWN], list(known))
        href = links.compare(wanted.a, wanted.b, metric=near, allow=wanted.allow)
        shown = f"metric: found “{wanted.metric[:_LONGEST_SHOWN]}”"
        words = f"{shown}; both experiments have {', '.join(known) or 'none in common'}."
        raise Problem(words, [Link(f"Use {near}", href)] if near else [])
    wish = Wish(known.get(wanted.metric), wanted.by or None, tuple(sorted(wanted.allow)))
    return comparisons.of(a, b, wish)


def metric_choices(a: Experiment, b: Experiment) -> Sequence[tuple[MetricKey, str]]:
    """The metrics that both have, those of the headline first, each with its name."""
    return list(_named(*([MetricKey(one.evaluator, one.metric) for one in side.digest().metrics] for side in (a, b))))


def _named(a: Sequence[MetricKey], b: Sequence[MetricKey]) -> Iterator[tuple[MetricKey, str]]:
    shared = [key for key in a if key in b]
    names = [key.metric for key in shared]
    for key in shared:
        yield key, key.metric if names.count(key.metric) == 1 else f"{key.metric} ({key.evaluator})"


def _check_benchmarks(a: Experiment, b: Experiment) -> None:
    """Raise unless both were asked the questions of one benchmark.

    Raises:
        ResultsError: they were not.
    """
    if a.results.benchmark_type != b.results.benchmark_type:
        names = [one.info.name_for(one.results.config.get("benchmark_config", {})) for one in (a, b)]
        raise ResultsError(f"A was asked the questions of {names[0]}, B those of {names[1]}: nothing in common.")
