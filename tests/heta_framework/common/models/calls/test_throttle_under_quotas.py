"""Against endpoints with all kinds of quotas, in simulated time: few refusals after the first storm, and full use."""

import heapq
import itertools
import math
import random
from bisect import bisect_left
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

import pytest

from heta_framework.common.models.calls.throttle import Sent, Throttle
from heta_framework.common.models.settings import EndpointConfig


class Endpoint(Protocol):
    """Takes a request or refuses it; a refusal may name seconds to wait."""

    def refuses(self, now: float) -> tuple[bool, float | None]: ...

    def done(self) -> None: ...


@dataclass
class PerWindow:
    """So many requests in any so many seconds."""

    requests: int
    seconds: float
    tells: bool = True
    taken: deque[float] = field(default_factory=deque)

    def refuses(self, now: float) -> tuple[bool, float | None]:
        while self.taken and self.taken[0] <= now - self.seconds:
            self.taken.popleft()
        if len(self.taken) >= self.requests:
            return True, self.taken[0] + self.seconds - now if self.tells else None
        self.taken.append(now)
        return False, None

    def done(self) -> None:
        pass


@dataclass
class AtOnce:
    """So many requests at the same time."""

    most: int
    inside: int = 0

    def refuses(self, now: float) -> tuple[bool, float | None]:
        if self.inside >= self.most:
            return True, None
        self.inside += 1
        return False, None

    def done(self) -> None:
        self.inside -= 1


@dataclass
class AtRandom:
    """Refuses a share of all requests, whatever they do."""

    share: float
    wait: float | None = None

    def refuses(self, now: float) -> tuple[bool, float | None]:
        return (True, self.wait) if random.random() < self.share else (False, None)

    def done(self) -> None:
        pass


class Simulation:
    """Callers who want ``calls`` answers as soon as they can be had; times in simulated seconds."""

    def __init__(self, endpoint: Endpoint, *, latency: float, trip: float, limit: int = 100) -> None:
        self.endpoint, self.latency, self.trip = endpoint, latency, trip
        self.throttle = Throttle(limit)
        self.now = 0.0
        self.refused: list[float] = []
        self._sender_free = 0.0
        self._look_again = math.inf
        self._answered = 0
        self._waiting: deque[int] = deque()
        self._events: list[tuple[float, int, Callable[..., None], tuple[Any, ...]]] = []
        self._numbers = itertools.count()

    def play(self, calls: int) -> None:
        self._waiting = deque([0] * calls)
        self._at(0, lambda: None)
        while self._answered < calls:
            self.now, _, happen, what = heapq.heappop(self._events)
            happen(*what)
            self._send()

    def after_storm(self, quiet: float = 0.3) -> list[float]:
        """Refusals after the first storm: after the first pause between two of them."""
        pairs = enumerate(itertools.pairwise(self.refused), 1)
        end = next((index for index, (one, other) in pairs if other - one > quiet), len(self.refused))
        return self.refused[end:]

    def most_within(self, seconds: float) -> int:
        times = self.after_storm()
        return max((bisect_left(times, time + seconds) - index for index, time in enumerate(times)), default=0)

    def _at(self, delay: float, happen: Callable[..., None], *what: Any) -> None:
        heapq.heappush(self._events, (self.now + delay, next(self._numbers), happen, what))

    def _send(self) -> None:
        while self._waiting:
            delay = max(self.throttle.delay(0, self.now), self._sender_free - self.now)
            if delay > 0:
                self._send_in(delay)
                return
            tries, sent = self._waiting.popleft(), self.throttle.send(0, self.now)
            self._sender_free = self.now + 0.002
            self._at(self.trip / 2, self._arrive, sent, tries)

    def _send_in(self, delay: float) -> None:
        if self._look_again <= self.now:
            self._look_again = math.inf
        if self.now + delay < self._look_again:
            self._look_again = self.now + delay
            self._at(delay, lambda: None)

    def _arrive(self, sent: Sent, tries: int) -> None:
        refused, wait = self.endpoint.refuses(self.now)
        if refused:
            self.refused.append(self.now)
            self._at(self.trip / 2, self._refuse, sent, tries, wait)
        else:
            self._at(self.latency * random.uniform(0.8, 1.2), self._leave, sent)

    def _leave(self, sent: Sent) -> None:
        self.endpoint.done()
        self._at(self.trip / 2, self._answer, sent)

    def _answer(self, sent: Sent) -> None:
        self.throttle.succeeded(sent, None)
        self.throttle.end(sent)
        self._answered += 1

    def _refuse(self, sent: Sent, tries: int, wait: float | None) -> None:
        self.throttle.refused(sent, wait, self.now)
        self.throttle.end(sent)
        own = min(30.0, 0.5 * 2**tries + random.uniform(0, 0.5))
        self._at(own if wait is None else wait, self._waiting.appendleft, tries + 1)


@pytest.fixture(autouse=True)
def _same_dice() -> None:
    random.seed(7)


@pytest.mark.parametrize(
    ("endpoint", "latency", "trip", "span"),
    [
        (PerWindow(100, 2), 0.1, 0.01, 2),
        (PerWindow(100, 2), 1, 0.01, 2),
        (PerWindow(100, 2), 1, 0.02, 2),
        (PerWindow(40, 10), 2, 0.01, 10),
        (PerWindow(40, 10), 2, 0.1, 10),
        (PerWindow(100, 2, tells=False), 0.1, 0.01, 2),
        (AtOnce(20), 1, 0.01, 1),
        (AtOnce(20), 1, 0.1, 1),
        (AtOnce(50), 1, 0.1, 1),
    ],
)
def test_after_the_storm_hardly_anything_is_refused(
    endpoint: PerWindow | AtOnce, latency: float, trip: float, span: float
) -> None:
    simulation = Simulation(endpoint, latency=latency, trip=trip)
    quota = endpoint.requests if isinstance(endpoint, PerWindow) else endpoint.most
    simulation.play(quota * 12)
    assert simulation.refused, "there was a storm"
    assert simulation.most_within(span) <= max(1, 0.05 * quota)


@pytest.mark.parametrize(
    ("endpoint", "latency", "per_second"),
    [
        (PerWindow(100, 2), 1, 50),
        (PerWindow(40, 10), 2, 4),
        (PerWindow(100, 2, tells=False), 0.1, 50),
        (AtOnce(20), 1, 20),
        (AtOnce(50), 0.5, 100),
    ],
)
def test_what_is_granted_is_used(endpoint: Endpoint, latency: float, per_second: float) -> None:
    simulation = Simulation(endpoint, latency=latency, trip=0.02)
    calls = int(per_second * 40)
    simulation.play(calls)
    assert calls / simulation.now >= 0.7 * per_second


@pytest.mark.parametrize(("share", "wait"), [(0.07, None), (0.07, 0.05), (0.2, None)])
def test_refusals_without_a_reason_do_not_bring_everything_to_a_stop(share: float, wait: float | None) -> None:
    simulation = Simulation(AtRandom(share, wait), latency=0.05, trip=0.01)
    simulation.play(1_000)
    assert simulation.now < 120


def test_while_nobody_complains_nothing_is_held_back() -> None:
    simulation = Simulation(AtOnce(100), latency=1, trip=0.01)
    simulation.play(1_000)
    assert simulation.refused == []
    assert simulation.now < 13


def test_a_pause_that_is_asked_for_is_kept_and_has_an_end() -> None:
    throttle = Throttle(10)
    throttle.refused(throttle.send(0, 0.0), 7.0, 0.1)
    assert throttle.delay(0, 0.2) == pytest.approx(6.9)
    throttle.asked_to_wait(3_600, 1.0)
    assert throttle.delay(0, 1.0) == 120


def test_after_a_pause_not_all_start_at_once() -> None:
    throttle = Throttle(10)
    throttle.asked_to_wait(5, 0.0)
    throttle.send(0, 5.01)
    assert 0 < throttle.delay(0, 5.01) <= 0.5


def test_as_many_as_the_limit_are_under_way() -> None:
    throttle = Throttle(2)
    first = throttle.send(0, 0.0)
    assert throttle.delay(0, 0.0) == 0
    throttle.send(0, 0.0)
    assert throttle.delay(0, 0.0) == math.inf
    throttle.end(first)
    assert throttle.delay(0, 0.0) == 0


def test_timeouts_make_room_as_refusals_do() -> None:
    throttle = Throttle(100)
    for sent in [throttle.send(0, 0.0) for _ in range(100)]:
        throttle.timed_out(sent)
        throttle.end(sent)
    assert throttle.concurrency.limit < 100


def test_the_strictest_budget_holds() -> None:
    throttle = Throttle(100)
    for per_minute in (600, 60, 6_000, None):
        throttle.adopt(EndpointConfig(model="m", requests_per_minute=per_minute, max_concurrency=500))
    sent = 0
    while throttle.delay(0, 0.0) == 0:
        throttle.send(0, 0.0)
        sent += 1
    assert sent == 3


def test_tokens_are_corrected_by_what_was_really_taken() -> None:
    throttle = Throttle(100)
    throttle.adopt(EndpointConfig(model="m", tokens_per_minute=10_000, max_concurrency=100))
    dear = throttle.send(10, 0.0)
    assert throttle.delay(10, 0.0) == 0
    throttle.succeeded(dear, 5_000)
    assert throttle.delay(10, 0.0) > 20
    refused = throttle.send(5_000, 100.0)
    throttle.refused(refused, None, 100.0)
    assert throttle.delay(10, 100.0) == 0
