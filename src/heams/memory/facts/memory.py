"""The memory behind ``facts``."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from heams.memory.base import ForgetDemand, ForgetReceipt, MemoryEvent, MemoryItem, RecalledItem, RecallQuery
from heams.memory.facts.config import FactsMemoryConfig
from heams.memory.facts.extraction import extract
from heams.memory.facts.forgetting import facts_to_forget
from heams.memory.facts.store import FactStore
from heams.memory.listening.listening_memory import ListeningMemory
from heams.memory.listening.pending import BatchLimits
from heams.scenarios.clock import Instant
from heta_framework.common.models.language.protocol import LanguageModelProtocol


class FactsMemory(ListeningMemory):
    """Keeps what the model makes of the events, not the events."""

    def __init__(self, config: FactsMemoryConfig, model: LanguageModelProtocol, facts: FactStore) -> None:
        super().__init__(BatchLimits(config.batch_events, config.batch_tokens))
        self._config = config
        self._model = model
        self._facts = facts
        self._operations = 0
        self._left_out = 0

    def tallies(self) -> Mapping[str, int]:
        """How many operations the model wanted, and how many of them were left out because they broke a rule."""
        return {"operations": self._operations, "operations left out": self._left_out}

    async def _read(self, batch: Sequence[MemoryEvent], now: Instant | None) -> None:
        revision = await extract(batch, now, self._facts, self._config, self._model)
        self._facts.apply(revision)
        self._operations += revision.operations
        self._left_out += revision.rejected

    async def _recall(self, query: RecallQuery) -> Sequence[RecalledItem]:
        return await self._facts.recall(query)

    async def _forget(self, demand: ForgetDemand) -> ForgetReceipt:
        forgotten = await facts_to_forget(demand, self._facts, self._config, self._model)
        self._facts.remove(forgotten.facts)
        return forgotten.receipt(demand)

    async def _dump(self) -> Sequence[MemoryItem]:
        return await self._facts.dump()

    async def _part(self) -> None:
        self._facts = await self._facts.fork()

    async def _persist(self, directory: Path) -> None:
        await self._facts.persist(directory)

    async def _restore(self, directory: Path) -> None:
        await self._facts.restore(directory)
