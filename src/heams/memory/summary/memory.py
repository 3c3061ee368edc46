"""The memory behind ``summary``."""

from collections.abc import Sequence
from pathlib import Path

from heams.memory.base import ForgetDemand, ForgetReceipt, MemoryEvent, MemoryItem, RecalledItem, RecallQuery
from heams.memory.items import without_score
from heams.memory.listening.listening_memory import ListeningMemory
from heams.memory.listening.pending import BatchLimits
from heams.memory.listening.state_file import load_state, save_state
from heams.memory.listening.times import latest
from heams.memory.summary.config import SummaryMemoryConfig
from heams.memory.summary.forgetting import forget_in
from heams.memory.summary.state import SummaryState
from heams.memory.summary.writing import SummaryWriter
from heams.scenarios.clock import Instant


class SummaryMemory(ListeningMemory):
    """Recalls the summary and the last events, whatever is asked."""

    def __init__(self, config: SummaryMemoryConfig, writer: SummaryWriter) -> None:
        super().__init__(BatchLimits(config.batch_events, config.batch_tokens))
        self._config = config
        self._writer = writer
        self._state = SummaryState()

    async def _read(self, batch: Sequence[MemoryEvent], now: Instant | None) -> None:
        written = await self._writer.with_events(self._state.text, batch, now)
        text, cut = await self._writer.within_limit(written)
        recent = self._state.heard(batch, self._config.recent_events)
        self._state = SummaryState(text=text, at=latest([self._state.at, now]), cut=cut, recent=recent)

    async def _recall(self, query: RecallQuery) -> Sequence[RecalledItem]:
        """The summary first, then the last events in order; a limit leaves out the older ones."""
        items = self._state.items()
        if query.limit is None or len(items) <= query.limit:
            return items
        return [*items[:1], *items[len(items) - query.limit + 1 :]]

    async def _forget(self, demand: ForgetDemand) -> ForgetReceipt:
        self._state, receipt = await forget_in(self._state, demand, self._writer)
        return receipt

    async def _dump(self) -> Sequence[MemoryItem]:
        return [without_score(item) for item in self._state.items()]

    async def _part(self) -> None:
        """A state never changes, so it is shared for ever."""

    async def _persist(self, directory: Path) -> None:
        save_state(directory, self._state, self._config)

    async def _restore(self, directory: Path) -> None:
        self._state = load_state(directory, SummaryState, self._config)
