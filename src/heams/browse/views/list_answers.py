"""What lists of samples ask the tables and keep: facets, scores, and the values that completion offers."""

from dataclasses import dataclass

from heams.browse.filters import KnownValues
from heams.browse.index import Experiment, Opened
from heams.browse.queries import Facet, Histogram, Metric, Selection, facets, histogram, known_values, tag_names
from heams.browse.views.recent import Recent

_MOST_LISTS = 64
_MOST_KNOWN = 16


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What stands around a list, on all of its pages and in every order."""

    facets: tuple[Facet, ...]
    histogram: Histogram


class ListAnswers:
    """Answers for all experiments; those about results that have changed since are asked for anew."""

    def __init__(self) -> None:
        self._surroundings: Recent[Surroundings] = Recent(_MOST_LISTS)
        self._known: Recent[KnownValues] = Recent(_MOST_KNOWN)
        self._tags: Recent[tuple[str, ...]] = Recent(_MOST_LISTS)

    def surroundings(self, experiment: Experiment, tables: Opened, selection: Selection) -> Surroundings:
        """Facets and scores of a selection."""
        labels = frozenset(selection.labels.items())
        key = (experiment, tables.version, selection.metric, selection.filter, labels)
        return self._surroundings.of(
            key, lambda: Surroundings(tuple(facets(tables, selection)), histogram(tables, selection))
        )

    def known(self, experiment: Experiment, tables: Opened, metric: Metric | None) -> KnownValues:
        """The values that completion offers under a metric, whatever is filtered."""
        key = (experiment, tables.version, metric)
        return self._known.of(key, lambda: known_values(tables, Selection(metric)))

    def tags(self, experiment: Experiment, tables: Opened) -> tuple[str, ...]:
        """The names of the tags under any metric: a filter on one is no mistake under another metric."""
        key = (experiment, tables.version)
        return self._tags.of(key, lambda: tuple(tag_names(tables, Selection(None))))
