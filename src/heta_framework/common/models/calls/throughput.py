"""How many requests a second an endpoint is known to take over some time, pauses included."""

_SHORTEST_S = 1.0
_FEWEST = 20
_MANY_REFUSED = 0.15
_FORGET_QUICKLY, _FORGET_SLOWLY = 0.85, 0.998


class Throughput:
    """Measured from pause to pause, because in between nothing was held back. ``best`` is in requests a second.

    A measurement ends with the first request after the pause: by then it is known which of those before were refused.
    """

    def __init__(self) -> None:
        self.best = 0.0
        self._since: float | None = None
        self._until: float | None = None
        self._sent = 0
        self._refused = 0

    def sent(self, now: float) -> None:
        """A request is sent."""
        if self._until is not None and now >= self._until:
            self._measure(self._until)
        if self._since is None:
            self._since = now
        self._sent += 1

    def refused(self, until: float) -> None:
        """A request was refused, and nothing is sent ``until`` then."""
        self._refused += 1
        self._until = max(until, self._until or until)

    def _measure(self, until: float) -> None:
        self._until = None
        if self._since is None or self._sent < _FEWEST or until - self._since < _SHORTEST_S:
            return
        many = self._refused > self._sent * _MANY_REFUSED
        self.best *= _FORGET_QUICKLY if many else _FORGET_SLOWLY
        self.best = max(self.best, (self._sent - self._refused) / (until - self._since))
        self._since, self._sent, self._refused = until, 0, 0
