"""The replay layer: calls are answered from a cassette, and nothing is ever asked."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Self

from heta_framework.common.models.calls.call import Handler, ModelCall, ModelReply
from heta_framework.common.models.calls.cassette_index import CassetteIndex
from heta_framework.common.models.calls.cassette_lines import cassette_lines
from heta_framework.common.models.calls.notices import Say, log_notice
from heta_framework.common.models.calls.replay_miss import MissExplainer
from heta_framework.common.models.errors import ReplayMiss


class ReplayLayer:
    """Answers from a cassette. Of several replies to one call the last one counts: it is what the run went on with.

    Only where each line is stands in memory. Answering and explaining what is missing have a thread each: the latter
    may take seconds.
    """

    def __init__(self, index: CassetteIndex) -> None:
        self._index = index
        self._lines = cassette_lines(index.path)
        self._misses = MissExplainer(index)
        self._answering = ThreadPoolExecutor(max_workers=1, thread_name_prefix="cassette")
        self._explaining = ThreadPoolExecutor(max_workers=1, thread_name_prefix="cassette-miss")

    @classmethod
    def open(cls, path: Path, say: Say = log_notice) -> Self:
        """Read where the replies are. ``say`` hears of a file that was not finished, whose whole replies are used.

        Raises:
            CassetteError: there is no such file, or it is no cassette that can be read.
        """
        return cls(CassetteIndex(path, say))

    def __len__(self) -> int:
        """How many calls can be answered."""
        return len(self._index)

    async def __call__(self, call: ModelCall, handle: Handler) -> ModelReply:
        """The recorded reply; ``handle`` is never used.

        Raises:
            ReplayMiss: there is none; the words name the nearest recorded call and in what it differs.
            CassetteError: its line is damaged, or the file is gone.
        """
        number = self._index.number_of(call.portable_key)
        loop = asyncio.get_running_loop()
        if number is None:
            raise ReplayMiss(await loop.run_in_executor(self._explaining, self._misses.explain, call))
        return (await loop.run_in_executor(self._answering, self._index.record, number, self._lines)).reply

    def close(self) -> None:
        """End the threads."""
        self._answering.shutdown()
        self._explaining.shutdown(cancel_futures=True)

    async def aclose(self) -> None:
        """As ``close``, without holding up the event loop."""
        await asyncio.to_thread(self.close)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()
