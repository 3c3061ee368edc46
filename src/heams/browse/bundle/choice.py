"""Which samples of an experiment become pages of the file: all where there are few, else those that failed first."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, zip_longest

from heams.browse.index import Experiment
from heams.browse.queries import Metric, SampleRow, Selection, parse_sort, sample_page
from heams.reporting.errors import ResultsError
from heams.reporting.metrics import LLM_JUDGE
from heta_framework.common.config import ConfigError

SIZES = (25, 50, 100, 200)
"""Rows of a page of a list, to choose from."""
_FAILED_FIRST = "-verdict,value"

SampleKey = tuple[str, int, int | None]
"""Sample, repeat and step: what one page of a sample is about."""


@dataclass(frozen=True, slots=True)
class ChosenList:
    """The list of a metric: ``total`` rows, of which ``pages`` pages of ``size`` are in the file, in order ``sort``.

    ``rows`` are those whose samples are in the file.
    """

    metric: str
    total: int
    pages: int
    size: int
    sort: str
    rows: tuple[SampleRow, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """``lists`` are those of the headline's metrics and of judges; ``samples`` become pages.

    ``complete``: none was left out.
    """

    key: str
    lists: tuple[ChosenList, ...] = ()
    samples: tuple[SampleKey, ...] = ()
    complete: bool = True


def sample_key(row: SampleRow) -> SampleKey:
    """The page that a row of a list leads to."""
    return row.sample, row.repeat, row.step


def choose(experiment: Experiment, most: int) -> Choice:
    """Choose at most ``most`` samples; each of their metrics has its turn. Unreadable results have none."""
    try:
        digest = experiment.digest()
    except (ResultsError, ConfigError):
        return Choice(experiment.key)  # its own page says why
    metrics = [
        Metric(one.evaluator, one.metric)
        for place, one in enumerate(digest.metrics)
        if place < (len(digest.headline) or 1) or one.evaluator == LLM_JUDGE
    ]
    everything = [_list(experiment, metric, most, "") for metric in metrics]
    samples = tuple(dict.fromkeys(sample_key(row) for one in everything for row in one.rows))
    if len(samples) <= most and all(one.total <= len(one.rows) for one in everything):
        return Choice(experiment.key, tuple(everything), samples)
    return _limited(experiment, metrics, most)


def _limited(experiment: Experiment, metrics: Iterable[Metric], most: int) -> Choice:
    lists = tuple(_list(experiment, metric, most, _FAILED_FIRST) for metric in metrics)
    turns = chain.from_iterable(zip_longest(*(one.rows for one in lists)))
    rows = sorted((row for row in turns if row is not None), key=lambda row: row.verdict == "pass")
    samples = dict.fromkeys(map(sample_key, rows))
    return Choice(experiment.key, lists, tuple(samples)[:most], complete=False)


def _list(experiment: Experiment, metric: Metric, most: int, sort: str) -> ChosenList:
    with experiment.tables() as tables:
        page = sample_page(tables, Selection(metric), parse_sort(sort), size=max(most, 1))
    size = next((size for size in SIZES if size >= most), SIZES[-1])
    shown = min(page.total, most) if sort else page.total
    return ChosenList(str(metric), page.total, max(1, -(-shown // size)), size, sort, page.rows)


def rows_of(choice: Choice) -> Iterator[tuple[ChosenList, SampleRow]]:
    """A row for each chosen sample, with the list that it is in: the first of the headline."""
    chosen = set(choice.samples)
    for one in choice.lists:
        for row in one.rows:
            key = sample_key(row)
            if key in chosen:
                chosen.remove(key)
                yield one, row
