"""What the address of a sample asks for: which sample, which part of it, and the list that it is in."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from starlette.datastructures import QueryParams

from heams.browse.pages.errors import Link, Problem
from heams.browse.rendering import links

Tab = Literal["verdict", "transcript", "recalled", "memory", "costs", "json"]
TABS: tuple[Tab, ...] = get_args(Tab)
_OWN = frozenset(
    {"id", "repeat", "step", "tab", "verdict", "d", "at", "steps", "items", "history", "also", "seen", "label"}
)
DIFF_OFF = "off"
_MOST_DIGITS = 9


@dataclass(frozen=True, slots=True)
class Asked:
    """``step`` and ``repeat`` belong to the sample's identity; ``at`` is the step that a part of the page looks at.

    ``verdict`` is the place of a record, ``steps``, ``items`` and ``history`` are pages (from 1) of what is long.
    ``state`` is everything else: the list's metric, filter, order, columns and page.
    """

    key: str
    sample_id: str
    repeat: int | None
    step: int | None
    tab: Tab
    verdict: int | None
    diff: bool
    at: int | None
    steps: int | None
    items: int
    history: int | None
    also: bool
    state: Mapping[str, str]

    @property
    def metric(self) -> str:
        """The metric of the list, ``evaluator/metric``; empty where the address names none."""
        return self.state.get("metric", "")


def asked(key: str, given: QueryParams) -> Asked:
    """Read the parameters.

    Raises:
        Problem: the address names no sample, or has something else in it where a number or a tab belongs.
    """
    if not given.get("id"):
        raise Problem("The address names no sample: it needs id=….", [Link("All samples", links.samples(key))])
    return Asked(
        key=key,
        sample_id=given["id"],
        repeat=_number(given, "repeat"),
        step=_number(given, "step"),
        tab=_tab(key, given),
        verdict=_number(given, "verdict", 1),
        diff=given.get("d") != DIFF_OFF,
        at=_number(given, "at"),
        steps=_number(given, "steps", 1),
        items=_number(given, "items", 1) or 1,
        history=_number(given, "history", 1),
        also="also" in given,
        state={name: value for name, value in given.items() if name not in _OWN},
    )


def _number(given: QueryParams, name: str, smallest: int = 0) -> int | None:
    text = given.get(name, "")
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS and int(text) >= smallest):
        raise Problem(f"{name}: found “{text[:100]}”; allowed are whole numbers from {smallest}.")
    return int(text)


def _tab(key: str, given: QueryParams) -> Tab:
    text = given.get("tab") or TABS[0]
    for tab in TABS:
        if tab == text:
            return tab
    here = links.sample(key, given["id"], tab=None)
    raise Problem(f"tab: found “{text[:100]}”; allowed are {', '.join(TABS)}.", [Link("The sample", here)])
