"""The artifacts of one experiment on disk, written so that a line that was counted is never lost.

One writer task gathers the lines that are waiting, appends them file by file, forces them to the disk and only then
reports them as durable. Texts and ingest records go before the results that refer to them.
"""

import asyncio
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from io import FileIO
from pathlib import Path
from typing import Final

import anyio.to_thread

LINGER_S: Final = 0.02
"""How long the writer waits for company before it forces a batch to the disk."""
MAX_WAITING: Final = 500
"""Lines that may wait; past it, producers are held back."""

RUNS = "runs.jsonl"
INGESTS = "ingests.jsonl"
TEXTS = "texts.jsonl"
WRITE_ORDER: Final = (TEXTS, INGESTS, RUNS)


class StoreError(Exception):
    """Results cannot be written (disk full, folder gone, no permission). The run stops; what was counted is safe."""


@dataclass(slots=True)
class _Batch:
    lines: dict[str, list[bytes]] = field(default_factory=lambda: {name: [] for name in WRITE_ORDER})
    callbacks: list[Callable[[], None]] = field(default_factory=list)
    size: int = 0


class AppendOnlyFile:
    """A file that only grows by whole lines: a write that fails half-way is cut off again."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = FileIO(path, "ab")
        self._good = self._file.seek(0, os.SEEK_END)

    def append(self, data: bytes) -> None:
        """Write and force to disk.

        Raises:
            OSError: the write failed; the file is as long as it was before.
        """
        view = memoryview(data)
        try:
            while view:
                view = view[self._file.write(view) or 0 :]
            os.fsync(self._file.fileno())
        except OSError:
            os.ftruncate(self._file.fileno(), self._good)
            raise
        self._good += len(data)

    def close(self) -> None:
        """Close the file."""
        self._file.close()


class ResultWriter:
    """The writer task of one experiment folder. Use as an async context manager.

    ``redact`` takes secrets out of each line before it is queued.
    """

    def __init__(self, directory: Path, *, redact: Callable[[bytes], bytes] = lambda line: line) -> None:
        self._directory = directory
        self._redact = redact
        self._files: dict[str, AppendOnlyFile] = {}
        self._batch = _Batch()
        self._wake = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()
        self._closing = False
        self._failure: Exception | None = None
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> "ResultWriter":
        self._task = asyncio.create_task(self._write_batches(), name="heams result writer")
        return self

    async def __aexit__(self, *_: object) -> None:
        self._closing = True
        self._wake.set()
        if self._task is not None:
            await self._task
        for file in self._files.values():
            file.close()

    def submit(self, name: str, line: bytes, on_durable: Callable[[], None] | None = None) -> None:
        """Queue one line (without newline) for ``name``; ``on_durable`` is called once it is on the disk.

        Raises:
            StoreError: an earlier write failed (or whatever a callback raised).
        """
        if self._failure is not None:
            raise self._failure
        self._batch.lines[name].append(self._redact(line))
        self._batch.size += 1
        if on_durable is not None:
            self._batch.callbacks.append(on_durable)
        if self._batch.size >= MAX_WAITING:
            self._room.clear()
        self._wake.set()

    async def wait_for_room(self) -> None:
        """Hold a producer back while too many lines wait.

        Raises:
            StoreError: a write failed.
        """
        await self._room.wait()
        if self._failure is not None:
            raise self._failure

    async def _write_batches(self) -> None:
        while True:
            await self._wake.wait()
            if not self._closing:
                await asyncio.sleep(LINGER_S)
            self._wake.clear()
            batch, self._batch = self._batch, _Batch()
            if batch.size and self._failure is None:
                await self._write(batch)
            self._room.set()
            if self._closing and not self._batch.size:
                return

    async def _write(self, batch: _Batch) -> None:
        try:
            await anyio.to_thread.run_sync(self._append, batch)
            for callback in batch.callbacks:
                callback()
        except OSError as cause:
            self._failure = StoreError(f"cannot write results to {self._directory}: {cause.strerror or cause}")
        except Exception as cause:  # noqa: BLE001 - whoever listens may fail; producers must learn of it, not wait
            self._failure = cause

    def _append(self, batch: _Batch) -> None:
        for name in WRITE_ORDER:
            lines = batch.lines[name]
            if lines:
                if name not in self._files:
                    self._files[name] = AppendOnlyFile(self._directory / name)
                lines.append(b"")
                self._files[name].append(b"\n".join(lines))

    @property
    def failure(self) -> Exception | None:
        """What stopped the writer, if anything: a ``StoreError``, or what a callback raised."""
        return self._failure
