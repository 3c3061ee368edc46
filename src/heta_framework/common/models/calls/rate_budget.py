"""A budget per minute, as a token bucket: what is used up comes back little by little."""

WINDOW_S = 60.0
_SLACK_S = 1.0  # the endpoint's clock is another one, and requests do not all travel equally long
_BURST = 0.05
_ROUNDING = 1e-9


class RateBudget:
    """Lets through at most ``per_minute`` units in any 60 s, and some 97 % of that all the time.

    Short bursts of a twentieth pass at once; beyond that units are spread evenly over the minute, because endpoints
    that grant so many a minute seldom bear all of them in its first second. Times are seconds of any one clock that
    does not go back. A single request larger than the burst waits until all of it is there, and is let through.
    """

    def __init__(self, per_minute: float) -> None:
        self.per_minute = per_minute
        self._burst = max(1.0, per_minute * _BURST)
        # the burst passes at the window's start, and the first unit that comes back counts to the window as well
        self._per_second = (per_minute - self._burst + 1) / (WINDOW_S + _SLACK_S)
        self._left = self._burst
        self._at = 0.0

    def delay(self, units: float, now: float) -> float:
        """Seconds until ``units`` may pass; 0 when they may pass now."""
        self._refill(now)
        missing = min(units, self._burst) - self._left
        return 0.0 if missing <= _ROUNDING else missing / self._per_second

    def take(self, units: float, now: float) -> None:
        """Let ``units`` pass."""
        self._refill(now)
        self._left -= units

    def correct(self, units: float) -> None:
        """Take ``units`` more than was thought; fewer where negative."""
        self._left = min(self._burst, self._left - units)

    def _refill(self, now: float) -> None:
        self._left = min(self._burst, self._left + max(0.0, now - self._at) * self._per_second)
        self._at = max(self._at, now)
