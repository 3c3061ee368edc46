"""The record layer: every reply goes into a cassette before whoever asked gets it."""

import asyncio
import hashlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Self

from heta_framework.common.models.calls.call import Handler, ModelCall, ModelReply
from heta_framework.common.models.calls.cassette import CassetteError, record_line
from heta_framework.common.models.calls.cassette_writer import CassetteWriter
from heta_framework.common.models.calls.notices import Say, log_notice


class RecordingLayer:
    """Writes replies, wherever they come from, to a cassette; an existing cassette is continued.

    What was answered is in the file even when the process is killed right after it. The same reply to the same call is
    written once. When a line cannot be written, whoever asked gets an error in place of the reply, and every later call
    is refused before anything is asked: what was done with a reply that is not in the cassette could not be replayed.
    """

    def __init__(self, writer: CassetteWriter, path: Path) -> None:
        self.path = path
        self._writer = writer
        self._written: set[bytes] = set()
        self._failure: OSError | None = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="cassette")

    @classmethod
    def open(cls, path: Path, say: Say = log_notice) -> Self:
        """Begin or continue the cassette at ``path``. ``say`` hears of a cut end that was mended.

        Raises:
            CassetteError: the file is no cassette, is being recorded by another process, or cannot be written.
        """
        return cls(CassetteWriter(path, say), path)

    async def __call__(self, call: ModelCall, handle: Handler) -> ModelReply:
        """Let the call through and record the reply.

        Raises:
            CassetteError: this reply, or an earlier one, could not be written.
        """
        self._check()
        reply = await handle(call)
        await asyncio.get_running_loop().run_in_executor(self._thread, self._record, call, reply)
        return reply

    def close(self) -> None:
        """Finish the file.

        Raises:
            CassetteError: it could not be forced to the disk.
        """
        self._thread.shutdown()
        try:
            self._writer.close()
        except OSError as error:
            raise CassetteError(f"{self.path} cannot be written: {error.strerror}") from error

    async def aclose(self) -> None:
        """As ``close``, without holding up the event loop."""
        await asyncio.to_thread(self.close)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    def _record(self, call: ModelCall, reply: ModelReply) -> None:
        line = record_line(call, reply)
        digest = hashlib.blake2b(line, digest_size=16).digest()
        if digest in self._written:
            return
        self._check()
        try:
            self._writer.append(line)
        except OSError as error:
            self._failure = error
            self._check()
        self._written.add(digest)

    def _check(self) -> None:
        if self._failure is not None:
            raise CassetteError(f"{self.path} cannot be written: {self._failure.strerror}") from self._failure
