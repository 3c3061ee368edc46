"""Results on their way into a step cache: gathered into packs, but never long in memory alone."""

from __future__ import annotations

import time

from heta_framework.kb.derived.packs import PACK_BYTES, PACK_RECORDS
from heta_framework.kb.derived.step_cache import StepCache
from heta_framework.kb.steps.issues import IssueResolution, IssueSubject, StepIssue

_LONGEST_WAIT_S = 15.0


class CacheWriter:
    """Puts results into a cache when they make a pack, or when the oldest has waited for 15 seconds.

    A process that is killed loses what was not yet put, and nothing else.
    """

    def __init__(self, cache: StepCache) -> None:
        self._cache = cache
        self._waiting: dict[str, bytes] = {}
        self._size = 0
        self._since = time.monotonic()

    async def add(self, results: dict[str, bytes]) -> None:
        """Take results; may put."""
        if not self._waiting:
            self._since = time.monotonic()
        self._waiting |= results
        self._size += sum(map(len, results.values()))
        full = len(self._waiting) >= PACK_RECORDS or self._size >= PACK_BYTES
        if full or time.monotonic() - self._since >= _LONGEST_WAIT_S:
            await self.close()

    async def close(self) -> None:
        """Put what is left."""
        if self._waiting:
            await self._cache.put(self._waiting)
        self._waiting, self._size = {}, 0


def torn_pack_issues(cache: StepCache, step: str) -> list[StepIssue]:
    """One issue a pack that the cache found torn; what it held is made anew."""
    return [
        StepIssue(
            step,
            IssueSubject("pack", pack),
            f"{pack} was cut or altered; its results are made anew",
            "torn_cache_pack",
            resolution=IssueResolution("deleted", "results made anew"),
        )
        for pack in cache.torn
    ]
