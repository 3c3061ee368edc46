"""Times of which some are not known."""

from collections.abc import Iterable

from heams.scenarios.clock import Instant


def latest(times: Iterable[Instant | None]) -> Instant | None:
    """The latest of those that are known; None if none is."""
    return max((at for at in times if at is not None), default=None)
