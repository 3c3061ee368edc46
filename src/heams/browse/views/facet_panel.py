"""Facets as links: each value adds itself to the filter, or takes itself away again."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from heams.browse.filters import with_term, without, without_value
from heams.browse.queries import Facet, FacetValue
from heams.browse.views.list_state import ListState
from heams.criteria import CRITERION
from heams.reporting.verdicts import VERDICTS

MOST_SHOWN = 8
"""Values of a facet that are shown at once; the others unfold."""
VERDICT = "verdict"
_KEYS: Mapping[str, str] = {name: str(place) for place, name in enumerate(VERDICTS[:6], 1)}
_OUTCOME = "outcome"
"""Verdicts say the same and more: its facet is only shown to be taken back."""
_TITLES = {_OUTCOME: "Outcome", CRITERION: "Criterion", "history": "History"}


@dataclass(frozen=True, slots=True)
class FacetLink:
    """A value, what it is called, how many rows it leaves, and the list after a click. ``key`` does the same."""

    value: str
    words: str
    count: int
    chosen: bool
    href: str
    key: str | None = None


@dataclass(frozen=True, slots=True)
class FacetView:
    """A facet; ``folded`` values unfold, ``more`` are not listed. ``clear`` is None where nothing is chosen."""

    name: str
    title: str
    shown: tuple[FacetLink, ...]
    folded: tuple[FacetLink, ...]
    more: int
    clear: str | None


def verdict_links(facets: Sequence[Facet], state: ListState) -> tuple[FacetLink, ...]:
    """Every verdict, also those that no row has, so that each key always means the same."""
    found = {value.value: value for facet in facets if facet.name == VERDICT for value in facet.values}
    values = (found.get(name) or FacetValue(name, 0, chosen=False) for name in VERDICTS)
    return tuple(_link(VERDICT, value, state, value.value, _KEYS.get(value.value)) for value in values)


def facet_views(facets: Sequence[Facet], state: ListState, criteria: Mapping[str, str]) -> tuple[FacetView, ...]:
    """All facets that tell rows apart, but that of verdicts; ``criteria`` are the names of criteria."""
    return tuple(_view(facet, state, criteria) for facet in facets if facet.name != VERDICT and _divides(facet))


def _divides(facet: Facet) -> bool:
    several = len(facet.values) > 1 and any(value.count > 1 for value in facet.values)
    return bool(facet.chosen) or (several and facet.name != _OUTCOME)


def _view(facet: Facet, state: ListState, criteria: Mapping[str, str]) -> FacetView:
    words: Callable[[str], str] = (lambda value: criteria.get(value, value)) if facet.name == CRITERION else str
    found = [_link(facet.name, value, state, words(value.value)) for value in facet.values]
    shown = tuple(one for place, one in enumerate(found) if place < MOST_SHOWN or one.chosen)
    return FacetView(
        facet.name,
        _TITLES.get(facet.name, facet.field.tag or facet.name),
        shown,
        tuple(one for one in found if one not in shown),
        facet.more,
        state.address(q=without(state.q, facet.name)) if facet.chosen else None,
    )


def _link(field: str, value: FacetValue, state: ListState, words: str, key: str | None = None) -> FacetLink:
    edit = without_value if value.chosen else with_term
    href = state.address(q=edit(state.q, field, value.value))
    return FacetLink(value.value, words, value.count, value.chosen, href, key)
