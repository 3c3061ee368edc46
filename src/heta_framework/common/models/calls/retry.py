"""Tries a call again while that may help."""

import asyncio
import logging
from dataclasses import replace
from time import monotonic

from heta_framework.common.models.calls.call import Handler, ModelCall, ModelReply
from heta_framework.common.models.calls.endpoint_gate import EndpointGate
from heta_framework.common.models.calls.given_up import tell_given_up
from heta_framework.common.models.calls.limit import LimitLayer
from heta_framework.common.models.calls.throttle import LONGEST_PAUSE_S
from heta_framework.common.models.errors import CallFailed
from heta_framework.common.models.redaction import redact

FIRST_WAIT_S = 0.5
LONGEST_WAIT_S = 30.0
_BYTES_PER_TOKEN = 4

# stamina logs every retry as a warning, which Python prints where no logging is set up
logging.getLogger("stamina").addHandler(logging.NullHandler())


class RetryLayer:
    """Attempts with growing, jittered waits between them, each under the endpoint's timeout and through its gate."""

    def __init__(self, limit: LimitLayer) -> None:
        self._limit = limit

    async def __call__(self, call: ModelCall, handle: Handler) -> ModelReply:
        """The first whole reply.

        Raises:
            CallFailed: all attempts failed, or one in a way that no other attempt can mend. It carries the counts.
        """
        import stamina

        course = _Course(call, handle, self._limit.gate(call))
        caller = stamina.AsyncRetryingCaller(
            attempts=call.endpoint.max_attempts,
            timeout=None,
            wait_initial=FIRST_WAIT_S,
            wait_jitter=FIRST_WAIT_S,
            wait_max=LONGEST_WAIT_S,
        )
        try:
            return await caller(_worth_another_try, course.attempt)
        except CallFailed as failure:
            last = failure
        except BaseException:
            tell_given_up(course.retries, course.billed)
            raise
        raise course.failed(last)  # outside of the handler: a traceback with earlier errors could show their secrets


class _Course:
    """The attempts at one call."""

    def __init__(self, call: ModelCall, handle: Handler, gate: EndpointGate) -> None:
        self._call = call
        self._handle = handle
        self._gate = gate
        self._began = monotonic()
        self._attempts = 0
        self.billed = 0

    @property
    def retries(self) -> int:
        return max(0, self._attempts - 1)

    async def attempt(self) -> ModelReply:
        tokens = len(self._call.request_json) / _BYTES_PER_TOKEN
        async with self._gate.turn(tokens, self._attempts) as attempt:
            self._attempts += 1
            try:
                reply = await self._in_time()
            except CallFailed as failure:
                self.billed += failure.possibly_billed
                attempt.timed_out = isinstance(failure, _TimedOut)
                raise
            except BaseException:
                self.billed += 1
                raise
            attempt.tokens_taken = (reply.input_tokens or tokens) + (reply.output_tokens or 0)
        return replace(reply, retries=self.retries, possibly_billed=self.billed)

    def failed(self, last: CallFailed) -> CallFailed:
        """The failure of the whole call, in the words of its last one."""
        words = CallFailed(
            redact(f"{last}{self._circumstances(last)}"),
            kind=last.kind,
            status=last.status,
            retryable=last.retryable,
            retry_after=last.retry_after,
            possibly_billed=last.possibly_billed,
            throttled=last.throttled,
        )
        words.retries, words.attempts_possibly_billed = self.retries, self.billed
        return words

    async def _in_time(self) -> ModelReply:
        """The timeout covers everything from the first byte sent to the last one received."""
        seconds = self._call.endpoint.timeout_s
        try:
            async with asyncio.timeout(seconds) as limit:
                return await self._handle(self._call)
        except TimeoutError:
            if not limit.expired():
                raise
        raise _TimedOut(f"{self._call.model} gave no whole answer within {seconds:g} s")

    def _circumstances(self, last: CallFailed) -> str:
        notes = []
        if self._attempts > 1:
            notes.append(f"{self._attempts} attempts in {monotonic() - self._began:.1f} s")
        if last.retry_after is not None and last.retry_after > LONGEST_PAUSE_S:
            notes.append(f"asked to wait {last.retry_after:g} s, the longest wait is {LONGEST_PAUSE_S:g} s")
        return f" ({'; '.join(notes)})" if notes else ""


class _TimedOut(CallFailed):
    def __init__(self, message: str) -> None:
        super().__init__(message, retryable=True, possibly_billed=True)


def _worth_another_try(error: Exception) -> bool | float:
    """stamina's question: False for no, True for its own wait, or the seconds that the endpoint asked for."""
    if not isinstance(error, CallFailed) or not error.retryable:
        return False
    return True if error.retry_after is None else min(error.retry_after, LONGEST_PAUSE_S)
