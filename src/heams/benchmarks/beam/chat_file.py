"""Reads one chat: batches of messages, in the flat layout or, for chats of 10M tokens, in plans of batches."""

import re
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, StrictInt, StringConstraints, TypeAdapter

from heams.benchmarks.beam import defects
from heams.benchmarks.beam.records import Batch, Chat, Message
from heams.benchmarks.beam.time_anchor import parse_time_anchor
from heams.benchmarks.skip import SkipReason
from heta_framework.common.data_files.errors import DatasetFormatError
from heta_framework.common.data_files.reading import checked, parse_json, read_bytes

_MARKER = re.compile(r"[^\S\n]*->->[^\S\n]*[\w.]+[^\S\n]*,[^\S\n]*(?:N/A|[\w.]+)[^\S\n]*$", re.MULTILINE)


class _Raw(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)  # index and question_type are the generator's, and hints


_Id = Annotated[str, StringConstraints(strict=True, strip_whitespace=True, min_length=1)]


class _RawMessage(_Raw):
    role: Literal["user", "assistant"]
    content: str
    id: StrictInt | _Id | None = None
    time_anchor: str | None = None


class _RawBatch(_Raw):
    turns: list[list[_RawMessage]]
    batch_number: int | None = None
    time_anchor: str | None = None


_BATCHES = TypeAdapter(list[_RawBatch])
_ENTRIES = TypeAdapter(list[dict[str, Any]])


def read_chat(path: Path, name: str) -> Chat:
    """The chat of a file; ``name`` stands in its notes.

    Raises:
        DatasetFormatError: the file is cut off, a record cannot be used, or an id occurs twice.
    """
    reader = _Reader(path, name)
    batches = tuple(reader.batches())
    for message_id, times in Counter(message.id for batch in batches for message in batch.messages).items():
        if times > 1:
            raise DatasetFormatError(path, "id", f"found the id {message_id!r} {times} times; expected unique ids")
    if not any(batch.messages for batch in batches):
        raise DatasetFormatError(path, "", "found no messages; expected batches with turns")
    return Chat(batches, tuple(reader.notes))


class _Reader:
    def __init__(self, path: Path, name: str) -> None:
        self._path = path
        self._name = name
        self._at: datetime | None = None
        self._number = 0
        self.notes: list[SkipReason] = []

    def batches(self) -> Iterator[Batch]:
        entries = checked(_ENTRIES, parse_json(read_bytes(self._path), self._path), self._path)
        if any("turns" in entry for entry in entries):
            yield from self._of_plan(None, entries)
            return
        for plan, batches in _plans(entries):
            yield from self._of_plan(plan, batches)

    def _of_plan(self, plan: str | None, entries: Any) -> Iterator[Batch]:
        batches = checked(_BATCHES, entries, self._path, plan or "")
        for place, raw in enumerate(batches, start=1):
            number = place if raw.batch_number is None else raw.batch_number
            name = f"batch-{number}" if plan is None else f"{plan}-batch-{number}"
            messages = [message for turn in raw.turns for message in turn]
            self._read_date(name, [raw.time_anchor, *(message.time_anchor for message in messages)])
            yield Batch(name, self._at, tuple(self._message(message, plan) for message in messages))

    def _read_date(self, batch: str, anchors: list[str | None]) -> None:
        """A batch without a date of its own goes on at that of the one before."""
        for anchor in filter(None, anchors):
            try:
                self._at = parse_time_anchor(anchor)
            except ValueError as cause:
                self._note(defects.UNREADABLE_TIME_ANCHOR, f"{batch}: {cause}")
            else:
                return

    def _message(self, raw: _RawMessage, plan: str | None) -> Message:
        self._number += 1
        own = f"unnumbered-{self._number}" if raw.id is None else str(raw.id)
        if raw.id is None:
            self._note(defects.MESSAGE_WITHOUT_ID, f"message {self._number} is called {own!r}")
        return Message(own if plan is None else f"{plan}:{own}", raw.role, _without_marker(raw))

    def _note(self, rule: str, detail: str) -> None:
        self.notes.append(defects.note(self._name, rule, detail))


def _plans(entries: list[dict[str, Any]]) -> Iterator[tuple[str, Any]]:
    """Each plan by its name. Tables fill up an entry with the names of the other plans, and with null."""
    for entry in entries:
        for name, batches in entry.items():
            if batches is not None:
                yield name, batches


def _without_marker(raw: _RawMessage) -> str:
    return _MARKER.sub("", raw.content) if raw.role == "user" else raw.content
