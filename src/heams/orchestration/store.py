"""The artifacts of one experiment on disk, written so that a line that was counted is never lost.

One writer task gathers the lines that are waiting, appends them file by file, forces them to the disk and only then
reports them as durable. Texts and ingest records go before the results that refer to them.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Final, Self

import anyio.to_thread

from heta_framework.common.durable_lines import BatchWriter, LineFiles

RUNS = "runs.jsonl"
INGESTS = "ingests.jsonl"
TEXTS = "texts.jsonl"
WRITE_ORDER: Final = (TEXTS, INGESTS, RUNS)


class StoreError(Exception):
    """Results cannot be written (disk full, folder gone, no permission). The run stops; what was counted is safe."""


class ResultWriter:
    """The writer task of one experiment folder. Use as an async context manager.

    ``redact`` takes secrets out of each line before it is queued.
    """

    def __init__(self, directory: Path, *, redact: Callable[[bytes], bytes] = lambda line: line) -> None:
        self._directory = directory
        self._redact = redact
        self._files = LineFiles(directory, WRITE_ORDER)
        self._queue = BatchWriter(self._write, name="heams result writer")

    async def __aenter__(self) -> Self:
        await self._queue.__aenter__()
        return self

    async def __aexit__(self, *how: object) -> None:
        await self._queue.__aexit__(*how)
        self._files.close()

    def submit(self, name: str, line: bytes, on_durable: Callable[[], None] | None = None) -> None:
        """Queue one line (without newline) for ``name``; ``on_durable`` is called once it is on the disk.

        Raises:
            StoreError: an earlier write failed (or whatever a callback raised).
        """
        self._queue.submit((name, self._redact(line)), on_durable)

    async def wait_for_room(self) -> None:
        """Hold a producer back while too many lines wait.

        Raises:
            StoreError: a write failed.
        """
        await self._queue.wait_for_room()

    async def _write(self, batch: list[tuple[str, bytes]]) -> None:
        lines: dict[str, list[bytes]] = {}
        for name, line in batch:
            lines.setdefault(name, []).append(line)
        try:
            await anyio.to_thread.run_sync(self._files.append, lines)
        except OSError as cause:
            raise StoreError(f"cannot write results to {self._directory}: {cause.strerror or cause}") from cause

    @property
    def failure(self) -> Exception | None:
        """What stopped the writer, if anything: a ``StoreError``, or what a callback raised."""
        return self._queue.failure
