"""The memory behind ``notes``."""

from collections.abc import Sequence
from pathlib import Path

from heams.memory.base import ForgetDemand, ForgetReceipt, MemoryEvent, MemoryItem, RecalledItem, RecallQuery
from heams.memory.items import without_score
from heams.memory.listening.event_lines import shown_events, shown_text
from heams.memory.listening.listening_memory import ListeningMemory
from heams.memory.listening.pending import BatchLimits
from heams.memory.listening.state_file import load_state, save_state
from heams.memory.notes.config import NotesMemoryConfig
from heams.memory.notes.desk import Desk
from heams.memory.notes.forgetting import literal_passages, receipt, without_events, without_lines
from heams.memory.notes.keeper import NoteKeeper
from heams.memory.notes.searchable import SearchableNotes
from heams.memory.notes.state import NotesState
from heams.scenarios.clock import Instant, shown_time
from heta_framework.common.text.prompt_template import fill


class NotesMemory(ListeningMemory):
    """Recalls paragraphs of the files that the model keeps."""

    def __init__(self, config: NotesMemoryConfig, keeper: NoteKeeper) -> None:
        super().__init__(BatchLimits(config.batch_events, config.batch_tokens))
        self._config = config
        self._keeper = keeper
        self._notes = SearchableNotes(NotesState(), config.embedding)

    async def _read(self, batch: Sequence[MemoryEvent], now: Instant | None) -> None:
        desk = self._desk(batch)
        prompt = fill(
            self._config.prompt,
            events=shown_events(batch),
            files=shown_text("files", desk.listing()),
            now=shown_time(now),
        )
        await self._keeper.keep(prompt, desk)
        self._hold(desk.state())

    async def _recall(self, query: RecallQuery) -> Sequence[RecalledItem]:
        return self._notes.search(query.text, query.limit)

    async def _forget(self, demand: ForgetDemand) -> ForgetReceipt:
        before = self._notes.state
        if demand.event_ids:
            after, how = without_events(before, demand.event_ids), "from the named events"
        elif demand.content.strip() and before.files:
            after, how = await self._without_words(before, demand), "that the model and the demand's words point to"
        else:
            after, how = before, "with these words"
        self._hold(after)
        return receipt(before, after, demand, how)

    async def _without_words(self, state: NotesState, demand: ForgetDemand) -> NotesState:
        """The model first, because it can take words out of a line; what it leaves literally goes with its lines."""
        desk = self._desk(())
        prompt = fill(
            self._config.forget_prompt,
            demand=shown_text("demand", demand.content),
            files=shown_text("files", desk.listing()),
        )
        await self._keeper.forget(prompt, desk)
        return without_lines(desk.state(), literal_passages(state, demand))

    async def _dump(self) -> Sequence[MemoryItem]:
        return [without_score(item) for item in self._notes.items]

    async def _part(self) -> None:
        """Notes never change once they are held, so they are shared for ever."""

    async def _persist(self, directory: Path) -> None:
        save_state(directory, self._notes.state, self._config)

    async def _restore(self, directory: Path) -> None:
        self._hold(load_state(directory, NotesState, self._config))

    def _desk(self, batch: Sequence[MemoryEvent]) -> Desk:
        limits = {"max_files": self._config.max_files, "max_file_chars": self._config.max_file_chars}
        return Desk(self._notes.state, batch, **limits)

    def _hold(self, state: NotesState) -> None:
        self._notes = SearchableNotes(state, self._config.embedding)
