"""The gate of one endpoint: calls wait for a slot, and each attempt of a call waits for its turn to be sent."""

import math
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from threading import RLock

from heta_framework.common.models.calls.activity import Activity
from heta_framework.common.models.calls.throttle import Sent, Throttle
from heta_framework.common.models.calls.turnstile import Turnstile
from heta_framework.common.models.errors import CallFailed
from heta_framework.common.models.settings import EndpointConfig


@dataclass(eq=False, slots=True)
class Attempt:
    """One attempt. Whoever makes it sets ``tokens_taken`` when it succeeded, ``timed_out`` when no answer came."""

    tokens: float
    number: int
    sent: Sent | None = None
    tokens_taken: float | None = None
    timed_out: bool = False


class EndpointGate:
    """Slots are held while calls back off, so that endless retries keep new calls from beginning."""

    def __init__(self) -> None:
        self._lock = RLock()
        self._throttle = Throttle()
        self._known: set[tuple[int, int | None, int | None]] = set()
        self._held = 0
        self._retries = 0
        self._slots = Turnstile(_Slots(self), self._lock)
        self._turns = Turnstile(_Turns(self._throttle), self._lock)

    def adopt(self, endpoint: EndpointConfig) -> None:
        """Heed the limits of a configuration; to be called before its first call."""
        limits = (endpoint.max_concurrency, endpoint.requests_per_minute, endpoint.tokens_per_minute)
        if limits not in self._known:
            with self._lock:
                self._known.add(limits)
                self._throttle.adopt(endpoint)

    @asynccontextmanager
    async def slot(self, endpoint: EndpointConfig) -> AsyncIterator[None]:
        """One of the slots; there are as many as requests may be under way at present."""
        await self._slots.enter(endpoint.max_concurrency)
        try:
            yield
        finally:
            with self._lock:
                self._held -= 1
                self._slots.check()

    @asynccontextmanager
    async def turn(self, tokens: float, number: int) -> AsyncIterator[Attempt]:
        """The turn to send the attempt of this ``number`` (from 0 on), of about so many ``tokens``.

        How the attempt ends inside teaches what the endpoint bears.
        """
        attempt = Attempt(tokens, number)
        await self._turns.enter(attempt)
        assert attempt.sent is not None  # noqa: S101 - set where it was let in
        self._retries += number > 0
        failure: CallFailed | None = None
        try:
            yield attempt
        except CallFailed as error:
            failure = error
            raise
        finally:
            self._ended(attempt, attempt.sent, failure)

    def activity(self) -> Activity:
        """What goes on at this endpoint now."""
        with self._lock:
            under_way, waiting = self._throttle.under_way, len(self._turns)
            return Activity(
                in_flight=under_way,
                waiting_for_slot=len(self._slots),
                waiting_to_send=waiting,
                backing_off=max(0, self._held - under_way - waiting),
                paused_s=max(0.0, self._throttle.paused_until - time.monotonic()),
                retries=self._retries,
            )

    def _ended(self, attempt: Attempt, sent: Sent, failure: CallFailed | None) -> None:
        now = time.monotonic()
        with self._lock:
            if attempt.tokens_taken is not None:
                self._throttle.succeeded(sent, attempt.tokens_taken)
            elif attempt.timed_out:
                self._throttle.timed_out(sent)
            elif failure is not None:
                self._failed(sent, failure, now)
            self._throttle.end(sent)
            self._turns.check()
            self._slots.check()

    def _failed(self, sent: Sent, failure: CallFailed, now: float) -> None:
        if failure.throttled:
            self._throttle.refused(sent, failure.retry_after, now)
        elif failure.retry_after is not None and failure.retryable:
            self._throttle.asked_to_wait(failure.retry_after, now)


class _Slots:
    """As many calls may be in progress as the endpoint bears requests, and no more than their configuration allows."""

    def __init__(self, gate: EndpointGate) -> None:
        self._gate = gate

    def delay(self, entrant: int) -> float:
        limit = min(entrant, self._gate._throttle.concurrency.limit)
        return 0.0 if self._gate._held < limit else math.inf

    def enter(self, entrant: int) -> None:
        self._gate._held += 1

    def leave(self, entrant: int) -> None:
        self._gate._held -= 1


class _Turns:
    def __init__(self, throttle: Throttle) -> None:
        self._throttle = throttle

    def delay(self, entrant: Attempt) -> float:
        return self._throttle.delay(entrant.tokens, time.monotonic())

    def enter(self, entrant: Attempt) -> None:
        entrant.sent = self._throttle.send(entrant.tokens, time.monotonic())

    def leave(self, entrant: Attempt) -> None:
        if entrant.sent is not None:
            self._throttle.end(entrant.sent)
