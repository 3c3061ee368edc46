"""How many requests an endpoint bears at once, found out by trying: additive increase, multiplicative decrease.

The rule of TCP's congestion avoidance (Jacobson 1988, "Congestion Avoidance and Control"; RFC 5681), with refusals in
the place of lost packets. Like DCTCP's (Alizadeh et al. 2010, "Data Center TCP"; RFC 8257) the limit shrinks by half of
the share that was refused, so that few refusals among many requests cost little.

Two things are added. A refusal tells at which load it happened, so a whole run of refusals sets the limit to what was
borne, not to a part of what was tried. And the load above is tried again more and more seldom while it is refused, so
that an endpoint with a fixed limit hardly ever has to refuse.
"""

_REFUSED_SHARE_GAIN = 1 / 32
_GOOD_LOAD_SHARE = 0.8
_FORGET_LOAD = 0.995
_PATIENCE_AFTER_RUN = 16
_MOST_PATIENCE = 64


class AdaptiveConcurrency:
    """The limit: from 1 to ``maximum``, where it starts. ``others`` are the requests under way when one was sent."""

    def __init__(self, maximum: int) -> None:
        self.maximum = maximum
        self.limit = maximum
        self._wall = maximum
        self._patience = 1
        self._successes = 0
        self._good_load = 0.0
        self._refused_share = 0.0

    def raise_maximum(self, maximum: int) -> None:
        """Allow more; where nothing was refused yet it is used at once."""
        if self.limit == self.maximum < maximum:
            self.limit = self._wall = maximum
        self.maximum = max(maximum, self.maximum)

    def succeeded(self, others: int, *, under_way: int) -> None:
        """A request was answered; ``under_way`` counts it too. Only a limit that is fully used grows."""
        self._good_load = max(others + 1.0, self._good_load * _FORGET_LOAD)
        self._refused_share -= self._refused_share * _REFUSED_SHARE_GAIN
        if under_way < self.limit or self.limit >= self.maximum:
            return
        self._successes += 1
        if self._successes >= (1 if self.limit < self._wall else self.limit * self._patience):
            self._grow()

    def refused(self, others: int, *, news: bool, run: bool) -> None:
        """A request was refused: by itself, or as one of a ``run`` of requests sent one after the other.

        It is ``news`` where it was sent after the limit last shrank. Otherwise it belongs to the same storm and shrinks
        the limit no further, except that each of a run may show a lower load that was borne.
        """
        self._refused_share += (1 - self._refused_share) * _REFUSED_SHARE_GAIN
        if run and others >= max(1.0, self._good_load * _GOOD_LOAD_SHARE):
            self._stand_at(min(self.limit, others))
        elif news:
            self._shrink(others)

    def _grow(self) -> None:
        self._successes = 0
        if self.limit > self._wall:  # the load beyond the wall was borne
            self._wall = self.limit
            self._patience = max(1, self._patience // 2)
        self.limit += 1

    def _stand_at(self, load: int) -> None:
        self.limit = self._wall = load
        self._patience = max(self._patience, _PATIENCE_AFTER_RUN)
        self._successes = 0

    def _shrink(self, others: int) -> None:
        self._successes = 0
        if self.limit > self._wall and others >= self._wall:
            self.limit = self._wall
            self._patience = min(_MOST_PATIENCE, self._patience * 2)
            return
        self.limit = max(1, min(self.limit - 1, round(self.limit * (1 - self._refused_share / 2))))
        if self._patience == 1:
            self._wall = self.limit
