"""Watches the model calls of a run: an endpoint that never answers ends it, and what a replay lacks is counted."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from heams.orchestration.stopping import StopSignal
from heta_framework.common.config.url_secrets import without_secrets_in
from heta_framework.common.models.calls.call import ModelCall, ModelReply
from heta_framework.common.models.errors import CallFailed, ReplayMiss

MOST_IN_VAIN: Final = 10
"""So many calls may fail before the first reply of their model: then key, address or name are wrong, or it is down."""
_ABOUT_THE_REQUEST: Final = frozenset({400, 413, 422})
"""Statuses that say nothing of other calls."""


class CallWatch:
    """For one run. Only a component that swallows its failures goes on without noticing what is counted here.

    Attributes:
        misses: how many calls the cassette of a replay did not hold.
        first_miss: the words for the first of them.
    """

    def __init__(self, stop: StopSignal) -> None:
        self._stop = stop
        self._answering: set[tuple[str, str]] = set()
        self._in_vain: Counter[tuple[str, str]] = Counter()
        self.misses = 0
        self.first_miss: str | None = None

    def answered(self, call: ModelCall, reply: ModelReply) -> None:
        """A reply came, from wherever."""
        if reply.source == "provider":
            self._answering.add(_endpoint(call))

    @contextmanager
    def failures_of(self, call: ModelCall) -> Iterator[None]:
        """Note how ``call``, which is made inside, fails."""
        try:
            yield
        except ReplayMiss as miss:
            self.misses += 1
            self.first_miss = self.first_miss or str(miss)
            raise
        except CallFailed as failure:
            if failure.status not in _ABOUT_THE_REQUEST:
                self._fail(call, str(failure))
            raise
        except asyncio.CancelledError:
            self._fail(call, "no answer in the time that its work was given")
            raise

    def _fail(self, call: ModelCall, words: str) -> None:
        endpoint = _endpoint(call)
        if endpoint in self._answering:
            return
        self._in_vain[endpoint] += 1
        if self._in_vain[endpoint] == MOST_IN_VAIN:
            where = f" at {without_secrets_in(call.base_url)}" if call.base_url else ""
            said = f"none of the first {MOST_IN_VAIN} calls of {call.model}{where} was answered. The last one: {words}"
            self._stop.wind_down(lambda: said)


def _endpoint(call: ModelCall) -> tuple[str, str]:
    return call.model, call.base_url
