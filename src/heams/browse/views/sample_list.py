"""Everything that the page of a list of samples shows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from heams.browse.filters import EVERYTHING, to_text
from heams.browse.index import Experiment
from heams.browse.labels import labels_for
from heams.browse.queries import COLUMNS, Column, Label, LabelKey, Metric, SamplePage, Selection, sample_page
from heams.browse.queries import tag_columns as columns_of_tags
from heams.browse.queries.how_many import term_counts
from heams.browse.views.facet_panel import FacetLink, FacetView, facet_views, verdict_links
from heams.browse.views.filter_box import FilterBox, filter_box
from heams.browse.views.list_answers import ListAnswers
from heams.browse.views.list_state import ListState, read_metric, read_sort
from heams.browse.views.metric_lines import MetricLine, metric_lines
from heams.browse.views.sample_table import RowView, row_views, shown_columns
from heams.browse.views.score_bars import ScoreBars, score_bars
from heams.reporting.tables import Tables

_OF_METRIC = ("evaluator", "metric")
"""Columns that say the same in every row."""
Labels = Mapping[LabelKey, Label]


@dataclass(frozen=True, slots=True)
class Leftover:
    """A term of a filter that leaves nothing: rows with it alone, rows without it, and the lists of both."""

    term: str
    alone: int
    without: int
    alone_href: str
    without_href: str


@dataclass(frozen=True, slots=True)
class SampleList:
    """``state`` is that of the list shown; where the filter in the box cannot be read it is the last good one.

    ``line`` is None where nothing has a verdict yet. ``lowest`` and ``highest`` are the ends of the bars of scores.
    """

    state: ListState
    box: FilterBox
    lines: tuple[MetricLine, ...]
    headline: int
    line: MetricLine | None
    page: SamplePage
    rows: tuple[RowView, ...]
    columns: tuple[Column, ...]
    available: tuple[Column, ...]
    verdicts: tuple[FacetLink, ...]
    facets: tuple[FacetView, ...]
    scores: ScoreBars | None
    leftovers: tuple[Leftover, ...]
    lowest: float
    highest: float


def metrics_of(experiment: Experiment) -> list[Metric]:
    """The metrics of an experiment, those of the headline first."""
    return [Metric(one.evaluator, one.metric) for one in experiment.digest().metrics]


def sample_list(experiment: Experiment, answers: ListAnswers, asked: ListState) -> SampleList:
    """Read the list that an address asks for.

    Raises:
        AddressError: there is no such metric, or no such column to sort by.
        ResultsError: the results cannot be read.
    """
    digest = experiment.digest()
    lines = tuple(metric_lines(digest))
    metric = read_metric(asked, metrics_of(experiment))
    state = replace(asked, metric=str(metric or ""))
    sort = read_sort(state)
    with experiment.tables() as tables:
        tags = answers.tags(experiment, tables)
        box = filter_box(state, tags)
        labels = labels_for(experiment, tables, metric)
        selection = Selection(metric, box.filter, labels)
        page = sample_page(tables, selection, sort, state.page, state.size)
        around = answers.surroundings(experiment, tables, selection)
        leftovers = _leftovers(tables, selection, box.state) if not page.total else ()
    available = _available(tags, labels)
    columns = shown_columns(state.columns, available, page.rows)
    scores = score_bars(around.histogram, box.state, box.filter)
    return SampleList(
        state=box.state,
        box=box,
        lines=lines,
        headline=len(digest.headline),
        line=next((line for line in lines if line.metric == state.metric), None),
        page=page,
        rows=row_views(page.rows, columns, box.state, box.filter),
        columns=columns,
        available=available,
        verdicts=verdict_links(around.facets, box.state),
        facets=facet_views(around.facets, box.state, digest.info.criterion_names),
        scores=scores,
        leftovers=leftovers,
        lowest=min(scores.low, 0.0) if scores else 0.0,
        highest=max(scores.high, 1.0) if scores else 1.0,
    )


def _available(tags: Sequence[str], labels: Labels) -> tuple[Column, ...]:
    """All columns that can differ; labels of people are shown at first where there are any."""
    own = (column for column in COLUMNS if column.name not in _OF_METRIC)
    shown = (replace(column, shown=True) if column.name == "label" and labels else column for column in own)
    return (*shown, *columns_of_tags(tags))


def _leftovers(tables: Tables, selection: Selection, state: ListState) -> tuple[Leftover, ...]:
    if selection.filter is EVERYTHING:
        return ()
    return tuple(
        Leftover(
            text := to_text(one.term),
            one.alone,
            one.without,
            state.address(q=text),
            state.address(q=to_text(one.others)),
        )
        for one in term_counts(tables, selection)
    )
