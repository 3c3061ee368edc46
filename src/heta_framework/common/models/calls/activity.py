"""What is going on with model calls at one moment, so that waiting can be shown."""

from collections.abc import Iterable
from typing import NamedTuple


class Activity(NamedTuple):
    """A snapshot.

    Attributes:
        in_flight: requests that wait for an endpoint's answer.
        waiting_for_slot: calls that have not begun, because as many as an endpoint bears are in progress.
        waiting_to_send: requests that wait for the end of a pause, for the pace or for a budget.
        backing_off: calls that wait before they are tried again.
        paused_s: seconds until the last endpoint that asked for a pause is asked again; 0 when none is paused.
        retries: further attempts so far.
    """

    in_flight: int = 0
    waiting_for_slot: int = 0
    waiting_to_send: int = 0
    backing_off: int = 0
    paused_s: float = 0.0
    retries: int = 0


def sum_of(activities: Iterable[Activity]) -> Activity:
    """What goes on at all endpoints together."""
    parts = list(activities)
    counts = {name: sum(getattr(part, name) for part in parts) for name in Activity._fields if name != "paused_s"}
    return Activity(**counts, paused_s=max((part.paused_s for part in parts), default=0.0))
