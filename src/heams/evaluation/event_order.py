"""Are the events named in their order? Kendall's tau-b over those that are named, times the share that is named.

An answer is cut into lines, or where it is one line into the parts of its list. Events and parts are matched one to
one, so that as much as possible of the events' words is found. Parts that match no event (a lead-in, a closing word)
do not count against the answer.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from heams.evaluation.nugget_rules import PARTLY_FROM, said_share, without_lead_in

_MARK = r"(?:[-*•]|\(?\d{1,2}[.):](?!\d))\s*"
_LIST_MARK = re.compile(rf"^\s*{_MARK}")
_PARTS = re.compile(rf";|,(?!\d)|\s(?={_MARK}\S)|\s+(?:and\s+)?(?:then|finally)\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class EventOrder:
    """``tau_b`` from -1 to 1, None where fewer than two events are named; ``named`` are indices in order of naming."""

    named: tuple[int, ...]
    events: int
    tau_b: float | None

    @property
    def recall(self) -> float:
        """The share of events that are named."""
        return len(self.named) / self.events

    @property
    def score(self) -> float:
        """``(tau_b + 1) / 2`` times ``recall``: 1 for all events in their order, 0 for none or all of them reversed.

        A single named event is in order.
        """
        order = 1.0 if self.tau_b is None else (self.tau_b + 1) / 2
        return order * self.recall


def event_order(answer: str, events: Sequence[str]) -> EventOrder:
    """How an answer orders ``events``, which are given in their true order.

    Raises:
        ValueError: there is no event.
    """
    if not events:
        raise ValueError("an order needs at least one event")
    place_of = _matched(parts_of(answer), [without_lead_in(event) for event in events])
    named = tuple(sorted(place_of, key=lambda event: place_of[event]))
    return EventOrder(named, len(events), _tau_b(place_of))


def parts_of(answer: str) -> list[str]:
    """The entries of an answer's list, in order, without their marks: its lines, or the parts of a single line."""
    lines = [line for line in answer.splitlines() if line.strip()]
    parts = _PARTS.split(lines[0]) if len(lines) == 1 else lines
    return [bare for part in parts if (bare := _LIST_MARK.sub("", part).strip())]


def names_event(part: str, event: str) -> bool:
    """Whether a part of an answer names an event, by the share of the event's words in it."""
    return said_share(part, without_lead_in(event)) >= PARTLY_FROM


def _matched(parts: Sequence[str], events: Sequence[str]) -> dict[int, int]:
    """The place of its part for each event that is named: the one-to-one matching with the largest sum of shares."""
    if not parts:
        return {}
    from scipy.optimize import linear_sum_assignment

    shares = [
        [share if (share := said_share(part, event)) >= PARTLY_FROM else 0.0 for part in parts] for event in events
    ]
    pairs = zip(*linear_sum_assignment(shares, maximize=True), strict=True)
    return {int(event): int(part) for event, part in pairs if shares[event][part] > 0}


def _tau_b(place_of: dict[int, int]) -> float | None:
    if len(place_of) < 2:
        return None
    from scipy.stats import kendalltau

    statistic = kendalltau(list(place_of), list(place_of.values()), variant="b").statistic
    return round(float(statistic), 12)  # it is divided by two square roots, which leave -0.9999999999999999
