"""The log of a run's cases: each finished case is appended, and counts when it is durable."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple, Self

import anyio.to_thread

from heta_framework.common.durable_lines import BatchWriter, LineFiles
from heta_framework.common.durable_lines.line_files import joined
from heta_framework.common.stores.object.errors import ObjectStoreError
from heta_framework.common.stores.object.protocol import ObjectStoreProtocol
from heta_framework.evaluation.records.case_line import case_line
from heta_framework.evaluation.records.entry_book import EntryBook
from heta_framework.evaluation.records.entry_file import entry_offsets
from heta_framework.evaluation.records.line_head import CaseIndex, CaseKey, CaseLine
from heta_framework.evaluation.records.mending import mended_index, without_superseded
from heta_framework.evaluation.records.one_writer import OneWriter
from heta_framework.evaluation.records.parts import Parts
from heta_framework.evaluation.records.record_folder import CASES, TEXTS, WRITE_ORDER, RecordFolder, open_folder
from heta_framework.evaluation.records.saved_cases import SavedCases
from heta_framework.evaluation.types.case_result import EvaluationCaseResult

_PART_EVERY_S = 1.0
_WAITING = 500.0
_WAITING_FOR_PARTS = 4_000.0
_RESULTS_A_WEIGHT = 10  # a case of a hundred results takes the memory of ten


class _Submitted(NamedTuple):
    result: EvaluationCaseResult
    ordinal: int
    unit: str


class CaseLog:
    """The cases of one report, those of earlier processes and those of this one. An async context manager.

    Inside ``async with await CaseLog.open(objects, folder, modes=modes) as log:`` submit, then ``await log.finish()``.
    Leaving without `finish` keeps what was submitted, so that a later process goes on from there.

    Attributes:
        done: whose lines were there at the opening, failed cases included -> what the head of the line says.
        failed: those of them whose query failed.
    """

    def __init__(
        self, folder: RecordFolder, index: CaseIndex, modes: Sequence[str], lock: OneWriter, parts: Mapping[str, Parts]
    ) -> None:
        self.done: Mapping[CaseKey, CaseLine] = index.lines
        self.failed: Collection[CaseKey] = frozenset(key for key, line in index.lines.items() if line.failed)
        self._folder = folder
        self._modes = tuple(modes)
        self._lock = lock
        self._parts = parts
        self._files = LineFiles(folder.path, WRITE_ORDER)
        self._entries: list[bytes] = []
        self._book = EntryBook(self._entries.append, entry_offsets(folder.texts))
        self._queue = (
            BatchWriter(self._write, linger_s=_PART_EVERY_S, max_waiting=_WAITING_FOR_PARTS, name="case log")
            if parts
            else BatchWriter(self._write, max_waiting=_WAITING, name="case log")
        )
        self._is_open = True

    @classmethod
    async def open(cls, objects: ObjectStoreProtocol, folder: str, *, modes: Sequence[str]) -> Self:
        """The log under the key ``folder`` (`report_folder`), mended where a process was killed while it wrote.

        Args:
            modes: the query modes of the run, in the order asked.

        Raises:
            ReportBusyError: another process of this machine writes it.
        """
        place = await open_folder(objects, folder)
        parts = {}
        if place.is_temporary:
            parts = {name: await Parts.open(objects, f"{folder}/{name}") for name in WRITE_ORDER}
        return await anyio.to_thread.run_sync(cls._opened, place, tuple(modes), parts)

    @classmethod
    def _opened(cls, folder: RecordFolder, modes: Sequence[str], parts: Mapping[str, Parts]) -> Self:
        lock = OneWriter(folder.path)
        try:
            return cls(folder, mended_index(folder), modes, lock, parts)
        except BaseException:
            lock.release()
            raise

    async def __aenter__(self) -> Self:
        await self._queue.__aenter__()
        return self

    async def __aexit__(self, *how: object) -> None:
        try:
            await self._close()
        finally:
            self._lock.release()

    def submit(
        self, result: EvaluationCaseResult, ordinal: int, unit: str, on_durable: Callable[[], None] | None = None
    ) -> None:
        """Queue a result; it replaces an earlier one of the same case and mode.

        Args:
            ordinal: the case's place in the benchmark, times the number of modes, plus the place of the mode.
            unit: the run unit that the case belongs to.
            on_durable: called, on the event loop, when the line is forced to the disk or in the store.

        Raises:
            ValueError: the mode is none of the run's.
            RuntimeError: the log was finished.
            ObjectStoreError: an earlier line could not be written.
        """
        if not self._is_open:
            raise RuntimeError("this log was finished; open it again to add cases")
        if result.query_mode not in self._modes:
            raise ValueError(f"found the mode {result.query_mode!r}; this log has {', '.join(self._modes)}")
        found = 0 if result.response is None else len(result.response.results)
        weight = max(1.0, found / _RESULTS_A_WEIGHT)
        self._queue.submit(_Submitted(result, ordinal, unit), on_durable, weight=weight)

    async def wait_for_room(self) -> None:
        """Hold a producer back while too much waits to be written.

        Raises:
            ObjectStoreError: a line could not be written.
        """
        await self._queue.wait_for_room()

    async def saved(self) -> SavedCases:
        """The cases that are durable at this moment."""
        return await anyio.to_thread.run_sync(SavedCases.in_folder, self._folder)

    async def finish(self) -> SavedCases:
        """Write what waits, remove lines that later ones replace, join parts; return all cases.

        Raises:
            ObjectStoreError: a line could not be written.
        """
        await self._close()
        if self._queue.failure is not None:
            raise self._queue.failure
        index = await anyio.to_thread.run_sync(without_superseded, self._folder)
        for name, parts in self._parts.items():
            await parts.join(self._folder.path / name)
        return await anyio.to_thread.run_sync(SavedCases.in_folder, self._folder, index)

    async def _close(self) -> None:
        if self._is_open:
            self._is_open = False
            await self._queue.__aexit__(None, None, None)
            self._files.close()

    async def _write(self, batch: list[_Submitted]) -> None:
        lines = await anyio.to_thread.run_sync(self._append, batch)
        for name, parts in self._parts.items():
            if lines[name]:
                await parts.put(joined(lines[name]))

    def _append(self, batch: list[_Submitted]) -> dict[str, list[bytes]]:
        cases = [case_line(one.result, one.ordinal, one.unit, self._book) for one in batch]
        lines = {TEXTS: self._entries.copy(), CASES: cases}
        self._entries.clear()
        try:
            self._files.append(lines)
        except OSError as cause:
            reason = cause.strerror or cause
            raise ObjectStoreError(f"the cases cannot be written to {self._folder.path}: {reason}") from cause
        return lines
