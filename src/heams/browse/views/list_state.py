"""What the address of a list of samples says: metric, filter, order, columns and page."""

from dataclasses import dataclass, replace
from typing import Any

from starlette.datastructures import QueryParams

from heams.browse.filters import Filter, FilterError, parse
from heams.browse.queries import Metric, SampleRow
from heams.browse.queries.page import PAGE_SIZE
from heams.browse.queries.sorting import Sort, SortError, parse_sort
from heams.browse.rendering import links
from heta_framework.common.config import nearest

SIZES = (25, PAGE_SIZE, 100, 200)
"""Rows of a page, to choose from."""
_MOST_PAGES = 1_000_000_000
_WAS = "was"
_SHOWN = 100
"""Characters of a name that an error repeats."""


class AddressError(ValueError):
    """The address says something that no list can be. ``offer`` is words and an address that work, or None."""

    def __init__(self, words: str, offer: tuple[str, str] | None = None) -> None:
        super().__init__(words)
        self.offer = offer


@dataclass(frozen=True, slots=True)
class ListState:
    """The state of one list. Texts are as in the address; ``was`` is the last filter that could be read.

    ``metric`` is written ``evaluator/metric``; it is empty where the address names none.
    """

    key: str
    metric: str = ""
    q: str = ""
    sort: str = ""
    columns: str = ""
    page: int = 1
    size: int = PAGE_SIZE
    was: str = ""

    def address(self, **changes: Any) -> str:
        """The list with some of its state changed; a change of anything but the page begins at the first page."""
        return links.samples(self.key, **replace(self, **({"page": 1} | changes))._whole())

    def with_filter(self, text: str) -> "ListState":
        """The list under another filter, from its first page."""
        return replace(self, q=text, was="", page=1)

    def sample(self, row: SampleRow) -> str:
        """The page of a row, which knows the list by its address."""
        verdict = row.place if row.ordinal > 1 else None
        return links.sample(self.key, row.sample, row.repeat, row.step, verdict=verdict, **self._whole())

    def file(self, layout: str) -> str:
        """All rows of the list as a file."""
        return self._beside(f"samples.{layout}", **self._list())

    def beside(self, name: str, **more: Any) -> str:
        """What pages ask for by themselves: ``complete``, ``new``."""
        return self._beside(name, metric=self.metric, **more)

    def fields(self, *without: str) -> list[tuple[str, str]]:
        """What a form of this list has to send along, without what it sends itself."""
        return [(name, value) for name, value in self._whole().items() if value and name not in (*without, "page")]

    def _whole(self) -> dict[str, str]:
        page = str(self.page) if self.page > 1 else ""
        size = str(self.size) if self.size != PAGE_SIZE else ""
        return {**self._list(), "columns": self.columns, "page": page, "size": size}

    def _list(self) -> dict[str, str]:
        return {"metric": self.metric, "q": self.q, "sort": self.sort}

    def _beside(self, name: str, **state: Any) -> str:
        pairs = [(key, str(value)) for key, value in state.items() if value != ""]
        return links.address(f"{links.run(self.key)}/{name}", pairs)


def read_state(key: str, asked: QueryParams) -> ListState:
    """The state in an address.

    Raises:
        AddressError: page or size is no number of a page.
    """
    return ListState(
        key,
        metric=asked.get("metric", ""),
        q=asked.get("q", "").strip(),
        sort=asked.get("sort", ""),
        columns=",".join(one for one in asked.getlist("columns") if one),
        page=_whole_number("page", asked.get("page", ""), 1, range(1, _MOST_PAGES)),
        size=_whole_number("size", asked.get("size", ""), PAGE_SIZE, SIZES),
        was=asked.get(_WAS, "").strip(),
    )


def is_untidy(asked: QueryParams) -> bool:
    """Whether a form made the address: with fields that say nothing, or one field several times."""
    names = [name for name, _ in asked.multi_items()]
    return _WAS in asked or len(set(names)) < len(names) or any(not value for _, value in asked.multi_items())


def read_sort(state: ListState) -> Sort:
    """The order of the list.

    Raises:
        AddressError: there is no such column.
    """
    try:
        return parse_sort(state.sort)
    except SortError as error:
        offer = ("Show the list in its own order", state.address(sort=""))
        if error.nearest:
            offer = (f"Sort by {error.nearest}", state.address(sort=error.nearest))
        raise AddressError(f"{str(error)[:1].upper()}{str(error)[1:]}.", offer) from None


def read_filter(state: ListState) -> Filter:
    """The filter of an address that nobody can correct on the spot.

    Raises:
        AddressError: it cannot be read.
    """
    try:
        return parse(state.q)
    except FilterError as error:
        raise AddressError(f"The filter cannot be read: {error}.", ("Correct it", state.address())) from None


def read_metric(state: ListState, known: list[Metric]) -> Metric | None:
    """The metric of the list: the first one where the address names none; None where there is none at all.

    Raises:
        AddressError: there is no such metric.
    """
    if not state.metric:
        return known[0] if known else None
    found = next((one for one in known if str(one) == state.metric), None)  # names may hold slashes themselves
    if found is not None:
        return found
    names, wanted = [str(one) for one in known], state.metric[:_SHOWN]
    near = nearest(wanted, names) or (names[0] if names else None)
    offer = (f"Show {near}", state.address(metric=near)) if near else None
    words = f"There is no metric “{wanted}” in this experiment; it has {', '.join(names) or 'none so far'}."
    raise AddressError(words, offer)


def _whole_number(name: str, text: str, default: int, allowed: range | tuple[int, ...]) -> int:
    if not text:
        return default
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 12 else -1
    if number not in allowed:
        words = "a whole number from 1" if isinstance(allowed, range) else ", ".join(map(str, allowed))
        raise AddressError(f"{name}: found “{text[:40]}”; allowed is {words}.")
    return number
