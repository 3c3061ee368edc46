"""When the next request may be sent to an endpoint: limits that are set, limits that are learned, and pauses.

Nothing here waits or knows of tasks: times are given, and answers are seconds.
"""

import math
import random
from collections import deque
from dataclasses import dataclass

from heta_framework.common.models.calls.adaptive_concurrency import AdaptiveConcurrency
from heta_framework.common.models.calls.learned_pace import LearnedPace
from heta_framework.common.models.calls.rate_budget import RateBudget
from heta_framework.common.models.settings import EndpointConfig

LONGEST_PAUSE_S = 120.0
"""The longest that is waited when an endpoint asks for a pause."""
_FIRST_PAUSE_S = 0.5
_LONGEST_OWN_PAUSE_S = 30.0
_LONGEST_SPREAD_S = 0.5
_RUN, _RUN_WITH_RETRY_AFTER = 6, 2
_REMEMBERED = 256


@dataclass(eq=False, slots=True)
class Sent:
    """A request that was sent.

    Attributes:
        number: 1 for the first one, and so on.
        others: how many were under way when it was sent.
        refusals: how many had been refused by then.
        tokens: how many it was thought to take.
    """

    number: int
    others: int
    refusals: int
    tokens: float


class Throttle:
    """What one endpoint bears. ``maximum`` is the most requests that may ever be under way at once."""

    def __init__(self, maximum: int = 1) -> None:
        self.concurrency = AdaptiveConcurrency(maximum)
        self.pace = LearnedPace()
        self.under_way = 0
        self.paused_until = -math.inf
        self._spread_s = 0.0
        self._requests: RateBudget | None = None
        self._tokens: RateBudget | None = None
        self._number = 0
        self._last_at = -math.inf
        self._storm_end = 0
        self._storm_top: Sent | None = None
        self._refusals = 0
        self._storms_in_a_row = 0
        self._paused_storm = 0
        self._refused: deque[int] = deque(maxlen=_REMEMBERED)

    def adopt(self, endpoint: EndpointConfig) -> None:
        """Heed the limits of a configuration; where several differ, the strictest budget holds."""
        self.concurrency.raise_maximum(endpoint.max_concurrency)
        self._requests = _stricter(self._requests, endpoint.requests_per_minute)
        self._tokens = _stricter(self._tokens, endpoint.tokens_per_minute)

    def delay(self, tokens: float, now: float) -> float:
        """Seconds until a request of about so many tokens may be sent; infinite where one under way must end first."""
        if self.under_way >= self.concurrency.limit:
            return math.inf
        return max(
            self.paused_until - now,
            self._spread_delay(now),
            self.pace.delay(now),
            self._requests.delay(1, now) if self._requests is not None else 0.0,
            self._tokens.delay(tokens, now) if self._tokens is not None else 0.0,
            0.0,
        )

    def send(self, tokens: float, now: float) -> Sent:
        """A request is sent."""
        self._number += 1
        sent = Sent(self._number, self.under_way, self._refusals, tokens)
        self.under_way += 1
        self._last_at = now
        self.pace.sent(now)
        if self._requests is not None:
            self._requests.take(1, now)
        if self._tokens is not None:
            self._tokens.take(tokens, now)
        return sent

    def end(self, sent: Sent) -> None:
        """A request is no longer under way, however it ended."""
        self.under_way -= 1

    def succeeded(self, sent: Sent, tokens: float | None) -> None:
        """A request, still under way, was answered; it took so many tokens, where that is known."""
        self.concurrency.succeeded(sent.others, under_way=self.under_way)
        if sent.number > self._storm_end:
            self._storms_in_a_row = 0
        if self._tokens is not None and tokens is not None:
            self._tokens.correct(tokens - sent.tokens)

    def asked_to_wait(self, seconds: float, now: float) -> None:
        """The endpoint wants no request for so long. The wait that is kept has an upper limit."""
        self._pause(min(seconds, LONGEST_PAUSE_S), now)

    def timed_out(self, sent: Sent) -> None:
        """A request got no answer in time: an endpoint that cannot refuse may be as overburdened as one that does."""
        self.concurrency.refused(sent.others, news=self._is_news(sent), run=False)

    def refused(self, sent: Sent, retry_after: float | None, now: float) -> None:
        """A request, still under way, was refused because there are too many."""
        self._refused.append(sent.number)
        self._refusals += 1
        news, run = self._is_news(sent), self._run_around(sent.number)
        load = self._load(sent, news)
        if retry_after is not None:
            self.asked_to_wait(retry_after, now)
        elif run >= _RUN and self._paused_storm < self._storm_end:
            self._pause_by_itself(now)
        self.concurrency.refused(load, news=news, run=run >= _RUN)
        self.pace.refused(
            sent.number,
            now,
            storm=self._storm_end,
            run=run >= (_RUN if retry_after is None else _RUN_WITH_RETRY_AFTER),
            until=max(now, self.paused_until),
        )
        if self._tokens is not None:
            self._tokens.correct(-sent.tokens)

    def _is_news(self, sent: Sent) -> bool:
        """Whether it was sent after the last storm was noticed; if so, a new one begins now."""
        news = sent.number > self._storm_end
        if news:
            self._storm_end = self._number
        return news

    def _load(self, sent: Sent, news: bool) -> int:
        """How many others the endpoint had taken when it refused the last one it has refused in this storm.

        Of those that were under way then, some were to be refused as well; they do not arrive in the order of sending.
        """
        top = self._storm_top
        if news or top is None or sent.number > top.number:
            top = self._storm_top = sent
        return max(0, top.others - (self._refusals - 1 - top.refusals))

    def _run_around(self, number: int) -> int:
        """How many requests were refused that were sent directly one after the other, this one among them."""
        refused = set(self._refused)
        first = last = number
        while first - 1 in refused:
            first -= 1
        while last + 1 in refused:
            last += 1
        return last - first + 1

    def _pause_by_itself(self, now: float) -> None:
        pause = min(_FIRST_PAUSE_S * 2.0**self._storms_in_a_row, _LONGEST_OWN_PAUSE_S)
        self._storms_in_a_row += 1
        self._paused_storm = self._storm_end
        self._pause(pause * random.uniform(0.75, 1.25), now)

    def _pause(self, seconds: float, now: float) -> None:
        """Nothing is sent for so long; what waited is spread over as long a time again, if that is short."""
        if now + seconds > self.paused_until:
            self.paused_until, self._spread_s = now + seconds, min(seconds, _LONGEST_SPREAD_S)

    def _spread_delay(self, now: float) -> float:
        """After a pause requests that waited do not all start at the same moment."""
        if not self.paused_until < now < self.paused_until + self._spread_s:
            return 0.0
        return self._last_at + self._spread_s / self.concurrency.limit - now


def _stricter(budget: RateBudget | None, per_minute: int | None) -> RateBudget | None:
    if per_minute is None or (budget is not None and budget.per_minute <= per_minute):
        return budget
    return RateBudget(per_minute)
