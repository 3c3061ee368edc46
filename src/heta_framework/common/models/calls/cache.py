"""The cache layer: a call that was answered before is answered from disk, and equal calls at one moment ask once."""

import asyncio
import sqlite3
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final, Self, TypeVar

from heta_framework.common.models.calls.cache_file import error_code, is_damage, prepare
from heta_framework.common.models.calls.cache_store import CacheStore, DamagedReply
from heta_framework.common.models.calls.call import Handler, ModelCall, ModelReply
from heta_framework.common.models.calls.notices import Say, log_notice
from heta_framework.common.models.calls.single_flight import SingleFlight
from heta_framework.common.models.calls.stored_reply import copied
from heta_framework.common.models.errors import CallFailed

T = TypeVar("T")
_HITS_AT_ONCE: Final = 256
_OCCUPIED: Final = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def open_cache_layer(directory: Path, say: Say = log_notice) -> "CacheLayer":
    """The cache in ``directory``, which is created where it is missing.

    Where it cannot be created or written (read-only folder, full disk), the layer works without: ``say`` is told once.

    Raises:
        CacheError: the directory is a file, or the database in it belongs to something else or to a newer version.
    """
    layer = CacheLayer(directory, say)
    layer.open()
    return layer


class CacheLayer:
    """Answers calls from the cache and keeps the replies of the others. Errors are never kept.

    Equal calls that are made at the same moment in one event loop ask once: one of them gets the reply as the
    provider's, the others as the cache's. When the call fails for good, all of them fail with it, and one carries the
    counts of its attempts; but where whoever asked first was cancelled, the others ask themselves. Processes that share
    a directory may ask for the same thing twice; the first reply stays.

    Reading and writing have a thread and a connection each, so that hits do not wait for a writer of another process.
    Trouble with the file never fails a call: it is told to ``say`` once, and the run goes on without.
    """

    def __init__(self, directory: Path, say: Say = log_notice) -> None:
        self._directory = directory
        self._say = say
        self._said: set[str] = set()
        self._reader: _StoreThread | None = None
        self._writer: _StoreThread | None = None
        self._flights: SingleFlight[ModelReply | CallFailed] = SingleFlight()
        self._hits: Counter[str] = Counter()

    def open(self) -> None:
        """Open or create the database; see ``open_cache_layer``."""
        try:
            file = prepare(self._directory, self._say)
            self._reader, self._writer = _StoreThread(file), _StoreThread(file)
        except (OSError, sqlite3.Error) as error:
            self._give_up(f"cannot be opened ({error})")

    async def __call__(self, call: ModelCall, handle: Handler) -> ModelReply:
        """Answer from the cache, or by the layers below.

        Raises:
            CallFailed: the call, or the equal one that was under way, failed for good.
        """
        landing = await self._flights.join(call.key, partial(self._answer, call, handle))
        outcome = landing.value
        if isinstance(outcome, CallFailed):
            if landing.orphaned:
                return await self(call, handle)
            raise outcome if landing.first else _same_failure(outcome)
        if not landing.first:
            outcome = replace(outcome, source="cache", retries=0, possibly_billed=0)
        if outcome.source == "cache":
            self._count_hit(call.key)
        return replace(outcome, body=copied(outcome.body)) if landing.shared else outcome

    def close(self) -> None:
        """Write what is left to write and close the database."""
        self._flush_hits()
        for thread in (self._reader, self._writer):
            if thread is not None:
                thread.close()
        self._reader = self._writer = None

    async def aclose(self) -> None:
        """As ``close``, without holding up the event loop."""
        await asyncio.to_thread(self.close)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def _answer(self, call: ModelCall, handle: Handler) -> ModelReply | CallFailed:
        found = await self._look_up(call.key)
        if found is not None:
            return found
        try:
            reply = await handle(call)
        except CallFailed as failure:
            return failure
        await self._keep(call, reply)
        return reply

    async def _look_up(self, key: str) -> ModelReply | None:
        if self._reader is None:
            return None
        try:
            return await self._reader.run(lambda store: store.get(key))
        except DamagedReply as damage:
            self._say_once("reply", f"holds a damaged reply ({damage}), which is asked for again")
            await self._write(lambda store: store.discard(key))
        except sqlite3.Error as error:
            if error_code(error) not in _OCCUPIED:
                self._give_up(f"cannot be read ({error})")
        return None

    async def _keep(self, call: ModelCall, reply: ModelReply) -> None:
        await self._write(lambda store: store.put(call, reply))

    async def _write(self, change: Callable[[CacheStore], None]) -> None:
        if self._writer is None:
            return
        try:
            await self._writer.run(change)
        except sqlite3.Error as error:
            self._on_failed_write(error)

    def _on_failed_write(self, error: sqlite3.Error) -> None:
        if error_code(error) in _OCCUPIED:
            self._say_once("held", f"is held by another process for too long ({error}); some replies are not kept")
        elif is_damage(error):
            self._give_up(f"is damaged ({error}); move the file away before the next run")
        else:
            writer, self._writer = self._writer, None
            _close(writer)
            self._say_once("writing", f"cannot be written ({error}); the run goes on, and new replies are not kept")

    def _count_hit(self, key: str) -> None:
        self._hits[key] += 1
        if self._hits.total() >= _HITS_AT_ONCE:
            self._flush_hits()

    def _flush_hits(self) -> None:
        """Statistics alone: what cannot be written is not worth a word."""
        hits, self._hits = self._hits, Counter()
        if self._writer is not None and hits:
            self._writer.start(lambda store: store.add_hits(hits))

    def _give_up(self, why: str) -> None:
        reader, writer = self._reader, self._writer
        self._reader = self._writer = None
        _close(reader, writer)
        self._say_once("gone", f"{why}; the run goes on without it")

    def _say_once(self, kind: str, what: str) -> None:
        if kind not in self._said:
            self._said.add(kind)
            self._say(f"the model cache in {self._directory} {what}")


class _StoreThread:
    """A connection to the cache in a thread of its own, which does one thing after the other."""

    def __init__(self, file: Path) -> None:
        self._store = CacheStore(file)
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="model-cache")

    async def run(self, work: Callable[[CacheStore], T]) -> T:
        """Do ``work`` and wait for it without holding up the event loop."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, self._store)

    def start(self, work: Callable[[CacheStore], None]) -> None:
        """Do ``work`` some time; whether it fails is nobody's business."""
        self._thread.submit(work, self._store)

    def close(self, *, wait: bool = True) -> None:
        """Close the connection after what is under way."""
        self._thread.submit(self._store.close)
        self._thread.shutdown(wait=wait)


def _close(*threads: _StoreThread | None) -> None:
    for thread in threads:
        if thread is not None:
            thread.close(wait=False)


def _same_failure(failure: CallFailed) -> CallFailed:
    """The failure for those who only waited: they made no attempts that anybody could count."""
    same = CallFailed(
        str(failure),
        kind=failure.kind,
        status=failure.status,
        retryable=failure.retryable,
        retry_after=failure.retry_after,
        throttled=failure.throttled,
    )
    same.__cause__ = failure
    return same
