"""The filter of a list as people see it: its text, its terms one by one, and what is wrong with it."""

from collections.abc import Collection
from dataclasses import dataclass

from heams.browse.filters import EVERYTHING, Filter, FilterError, parse, to_text
from heams.browse.filters.edits import joined, parts_of
from heams.browse.filters.fields import TAG
from heams.browse.filters.syntax import FieldRef
from heams.browse.filters.text import field_text
from heams.browse.views.list_state import ListState

_AROUND = 60
"""Characters that are shown on either side of what cannot be read."""


@dataclass(frozen=True, slots=True)
class FilterProblem:
    """Why a filter cannot be read: the text around the place, what was expected, and a text that would do."""

    before: str
    wrong: str
    after: str
    words: str
    allowed: tuple[str, ...]
    nearest: str | None
    corrected: str | None


@dataclass(frozen=True, slots=True)
class Chip:
    """One term of the filter, and the address of the list without it."""

    text: str
    without: str


@dataclass(frozen=True, slots=True)
class FilterBox:
    """``text`` stands in the box; ``filter`` is what the list shows: the last one that could be read.

    ``state`` is that of the list shown.
    """

    text: str
    state: ListState
    filter: Filter
    chips: tuple[Chip, ...]
    problem: FilterProblem | None = None


def filter_box(state: ListState, tags: Collection[str]) -> FilterBox:
    """The box for an address; ``tags`` are the names of the tags that there are."""
    try:
        return _box(state.q, state, parse(state.q, tags=tags))
    except FilterError as error:
        problem = _problem(state.q, error)
    shown = state.was if _readable(state.was, tags) else ""
    last = state.with_filter(shown)
    box = _box(state.q, last, parse(shown, tags=tags))
    return FilterBox(box.text, box.state, box.filter, box.chips, problem)


def _box(text: str, state: ListState, found: Filter) -> FilterBox:
    parts = parts_of(found)
    rest = [to_text(joined([*parts[:place], *parts[place + 1 :]])) for place in range(len(parts))]
    chips = (Chip(to_text(part), state.address(q=others)) for part, others in zip(parts, rest, strict=True))
    return FilterBox(text, state, found, tuple(chips))


def _readable(text: str, tags: Collection[str]) -> bool:
    try:
        return parse(text, tags=tags) is not EVERYTHING
    except FilterError:
        return False


def _problem(text: str, error: FilterError) -> FilterProblem:
    start, end = error.start, min(error.end, error.start + _AROUND)
    before, after = text[:start], text[end:]
    return FilterProblem(
        f"…{before[-_AROUND:]}" if len(before) > _AROUND else before,
        text[start:end],
        f"{after[:_AROUND]}…" if len(after) > _AROUND else after,
        error.problem,
        error.allowed,
        error.nearest,
        None if error.nearest is None else text[: error.start] + _meant(text, error, error.nearest) + text[error.end :],
    )


def _meant(text: str, error: FilterError, name: str) -> str:
    """What to write: the error of a tag names the tag alone, and underlines the field."""
    is_tag = text[error.start : error.end].lower().startswith(f"{TAG}.")
    return field_text(FieldRef(TAG, name)) if is_tag else name
