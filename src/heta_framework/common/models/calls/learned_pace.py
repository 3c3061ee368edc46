"""How many requests a second an endpoint takes, learned from how many it took before it refused.

A quota of requests (or tokens) per time refuses whatever comes too early, however few are under way at once. So once
a whole run of requests was refused, the next ones are sent evenly spaced, at the rate at which they were taken so far.
The pace then grows slowly, is eased after single refusals, and is given up when it is so high that it is none.

Refusals can have other reasons than the pace, and then sending less does not help. So it never falls far below what
the endpoint has shown to take.
"""

import math
from dataclasses import dataclass

from heta_framework.common.models.calls.throughput import Throughput

_MARGIN = 0.95
_GROWTH_UNTESTED = 0.25
_GROWTH_TESTED = 0.05
_SHORTEST_ROUND_S, _LONGEST_ROUND_S = 1.0, 120.0
_EASE = 0.9
_LOWEST_OF_BEST = 0.7
_LOWEST_SHARE = 0.5
_FEW = 3
_FIRST_GUESS = 1.0
_NO_PACE = 1_000.0
_IDLE_S = 10.0


@dataclass
class _Round:
    """From the first request that an endpoint takes until it takes some again after it refused.

    ``storm``: the last request that was sent before the refusals were noticed. ``before``: the pace until then.
    """

    storm: int
    before: float | None
    began: float
    taken: int
    ended: float

    @property
    def seconds(self) -> float:
        return max(self.ended - self.began, 1e-3)

    def rate(self) -> float:
        measured = _MARGIN * self.taken / self.seconds
        if self.before is None:
            return measured or _FIRST_GUESS
        return min(max(measured, self.before * _LOWEST_SHARE), self.before * _EASE)


class LearnedPace:
    """``rate`` in requests a second; None while nothing speaks for one. Times are seconds of any one clock."""

    def __init__(self) -> None:
        self.rate: float | None = None
        self._throughput = Throughput()
        self._round: _Round | None = None
        self._tested = False
        self._eased = 0
        self._began = 0.0
        self._taken = 0
        self._last = -math.inf
        self._grown_at = 0.0

    def delay(self, now: float) -> float:
        """Seconds until the next request may be sent."""
        self._grow(now)
        return 0.0 if self.rate is None else max(0.0, self._last + 1 / self.rate - now)

    def sent(self, now: float) -> None:
        """A request is sent."""
        if self.rate is None and now - self._last > _IDLE_S:
            self._began, self._taken = now, 0
        self._taken += 1
        self._last = now
        self._throughput.sent(now)

    def refused(self, number: int, now: float, *, storm: int, run: bool, until: float) -> None:
        """The request of this ``number`` was refused; nothing is sent ``until`` then.

        Requests are numbered as they are sent; those up to ``storm`` were sent before the storm of refusals was
        noticed to which this one belongs.
        """
        self._throughput.refused(until)
        last = self._round
        if last is not None and number <= last.storm:
            last.taken -= 1
        else:
            self._taken -= 1
        if last is not None and storm == last.storm:
            last.ended = max(last.ended, until)
            self._follow(last, now)
        elif run:
            self._follow(self._next_round(storm, until), now)
        elif last is not None and storm > self._eased:
            self._ease(storm)

    def _next_round(self, storm: int, until: float) -> _Round:
        last = self._round
        if last is not None and self._taken < _FEW:  # the pause was too short: the same round goes on
            last.storm, last.ended = storm, until
        else:
            self._tested = self.rate is not None
            last = _Round(storm, self.rate, self._began, self._taken, until)
        self._round = last
        self._began, self._taken = until, 0
        return last

    def _follow(self, last: _Round, now: float) -> None:
        self.rate, self._grown_at = max(last.rate(), self._lowest), now
        self._began = last.ended

    def _ease(self, storm: int) -> None:
        self._eased, self._tested = storm, True
        if self.rate is not None:
            self.rate = max(self.rate * _EASE, min(self.rate, self._lowest))

    @property
    def _lowest(self) -> float:
        return _LOWEST_OF_BEST * self._throughput.best

    def _grow(self, now: float) -> None:
        if self.rate is None or self._round is None:
            return
        growth = _GROWTH_TESTED if self._tested else _GROWTH_UNTESTED
        seconds = min(max(self._round.seconds, _SHORTEST_ROUND_S), _LONGEST_ROUND_S)
        self.rate *= math.exp(growth * max(0.0, now - self._grown_at) / seconds)
        self._grown_at = max(now, self._grown_at)
        if self.rate > _NO_PACE:
            self.rate = self._round = None
