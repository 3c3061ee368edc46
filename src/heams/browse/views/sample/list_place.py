"""Where a sample is in the list that it was opened from, and what is before and after it."""

from dataclasses import dataclass

from heams.browse.filters import FilterError, parse
from heams.browse.index import Experiment, Opened
from heams.browse.labels import labels_for
from heams.browse.queries.list_order import Around, ListedRow, ListOrder, list_order
from heams.browse.queries.page import PAGE_SIZE
from heams.browse.queries.selection import Metric, Selection
from heams.browse.queries.sorting import Sort, SortError, parse_sort, sort_text
from heams.browse.queries.verdicts_of import SampleVerdict
from heams.browse.rendering import links
from heams.browse.views.recent import Recent
from heams.browse.views.sample.asked import DIFF_OFF, Asked

_MOST_LISTS = 8
_LABEL = "label"
_MOST_DIGITS = 6


class ListOrders:
    """The orders of the lists that were used last. May be called by several threads."""

    def __init__(self) -> None:
        self._known: Recent[ListOrder] = Recent(_MOST_LISTS)

    def of(self, experiment: Experiment, tables: Opened, selection: Selection, sort: Sort) -> ListOrder:
        """The order of a list, read where it is not known or where results or labels have changed."""
        labels = frozenset(selection.labels.items())
        key = (experiment, tables.version, selection.metric, selection.filter, sort_text(sort), labels)
        return self._known.of(key, lambda: list_order(tables, selection, sort))


@dataclass(frozen=True, slots=True)
class ListPlace:
    """Addresses around a sample, None where there is nothing; ``place`` (from 1) of ``total`` rows.

    ``problem`` says why the list of the address cannot be read.
    """

    back: str
    previous: str | None = None
    next: str | None = None
    previous_failed: str | None = None
    next_failed: str | None = None
    place: int | None = None
    total: int = 0
    problem: str | None = None


def list_place(
    experiment: Experiment,
    tables: Opened,
    orders: ListOrders,
    wanted: Asked,
    row: SampleVerdict | None,
) -> ListPlace:
    """The place of ``row``, which is the verdict under the list's metric."""
    back = links.samples(wanted.key, **wanted.state)
    if row is None:
        return ListPlace(back)
    metric, words, order = Metric(row.evaluator, row.metric), wanted.state.get("q", ""), wanted.state.get("sort", "")
    try:
        filter_, sort = parse(words), parse_sort(order)
    except (FilterError, SortError) as error:
        return ListPlace(back, problem=str(error))
    labels = labels_for(experiment, tables, metric) if _LABEL in words.lower() or _LABEL in order else {}
    selection = Selection(metric, filter_, labels)
    around = orders.of(experiment, tables, selection, sort).around(tables, row.position, row.place)
    return _addressed(around, wanted)


def _addressed(around: Around, wanted: Asked) -> ListPlace:
    state = {name: value for name, value in wanted.state.items() if name != "page"}
    page = (around.place - 1) // _rows_a_page(wanted) + 1 if around.place is not None else 1
    state |= {"page": str(page)} if page > 1 else {}
    looks = {"tab": wanted.tab if wanted.tab != "verdict" else None, "d": None if wanted.diff else DIFF_OFF}

    def to(row: ListedRow | None) -> str | None:
        if row is None:
            return None
        verdict = row.place if row.ordinal > 1 else None
        return links.sample(wanted.key, row.sample_id, row.repeat, row.step_index, verdict=verdict, **looks, **state)

    return ListPlace(
        back=links.samples(wanted.key, **state),
        previous=to(around.previous),
        next=to(around.next),
        previous_failed=to(around.previous_failed),
        next_failed=to(around.next_failed),
        place=around.place,
        total=around.total,
    )


def _rows_a_page(wanted: Asked) -> int:
    size = wanted.state.get("size", "")
    return max(1, int(size)) if size.isascii() and size.isdigit() and len(size) <= _MOST_DIGITS else PAGE_SIZE
