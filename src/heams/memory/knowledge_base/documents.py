"""What was heard as documents of a knowledge base: one for each event, or one for each session.

A document is the text by which its events are found (turns as ``speaker: text``, because questions name people), and
it knows which part of that text each event is. So a chunk leads back to its events by where it stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from types import MappingProxyType

from heams.memory.base import RecalledItem
from heams.memory.items import searchable_text
from heams.memory.knowledge_base.config import DocumentUnit
from heta_framework.common.text.surrogates import replace_surrogates

_BETWEEN_EVENTS = "\n"


@dataclass(frozen=True, slots=True)
class Passage:
    """The part of a document that one event is: ``text[start:end]``."""

    event: RecalledItem
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class HeardDocument:
    """A document and the events in it, in the order in which they were heard.

    ``file_name`` is what its raw file is called. Another text has another name, so a change that fails harms nothing.
    """

    id: str
    text: str
    passages: tuple[Passage, ...]
    file_name: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "file_name", f"{_digest(self.id)}-{_digest(self.text)}.txt")

    @property
    def content(self) -> bytes:
        """Its bytes."""
        return self.text.encode()

    def events_between(self, start: int, end: int) -> list[RecalledItem]:
        """The events of which some of ``text[start:end]`` is."""
        return [passage.event for passage in self.passages if passage.start < end and start < passage.end]

    def holds(self, events: Sequence[RecalledItem]) -> bool:
        """Whether it was made of these very events."""
        return len(events) == len(self.passages) and all(
            passage.event is event for passage, event in zip(self.passages, events, strict=True)
        )

    def whole_event(self, start: int, end: int) -> RecalledItem | None:
        """The event that ``text[start:end]`` is all of, white space apart; None where there is none."""
        only = self.passages[0] if len(self.passages) == 1 else None
        if only is None or self.text[start:end].strip() != self.text.strip():
            return None
        return only.event


Documents = Mapping[str, HeardDocument]


def documents_of(
    events: Iterable[RecalledItem], unit: DocumentUnit, known: Documents = MappingProxyType({})
) -> dict[str, HeardDocument]:
    """The documents that these events make, by id. Events without a session are documents of their own.

    Args:
        known: documents that were made before, which are taken where their events are the same.
    """
    groups: dict[str, list[RecalledItem]] = {}
    for event in events:
        groups.setdefault(_document_id(event, unit), []).append(event)
    return {document_id: _known_or_made(document_id, group, known) for document_id, group in groups.items()}


def _known_or_made(document_id: str, events: list[RecalledItem], known: Documents) -> HeardDocument:
    document = known.get(document_id)
    return document if document is not None and document.holds(events) else _document(document_id, events)


def _document_id(event: RecalledItem, unit: DocumentUnit) -> str:
    if unit == "event":
        return _usable(event.id)
    session = event.metadata.get("session_id")
    return _usable(f"event:{event.id}" if session is None else f"session:{session}")


def _storable(text: str) -> str:
    """As many characters that a text file can hold and that reads back equal: no half ones, no byte order mark."""
    return replace_surrogates(text).replace("\ufeff", "\ufffd").replace("\0", "\ufffd")


def _usable(name: str) -> str:
    """A knowledge base takes ids that are not blank, begin and end with no space, and are valid Unicode."""
    if name and name == name.strip() and name == replace_surrogates(name):
        return name
    return f"id:{_digest(name)}"


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def _document(document_id: str, events: Iterable[RecalledItem]) -> HeardDocument:
    passages: list[Passage] = []
    texts: list[str] = []
    end = 0
    for event in events:
        text = _storable(searchable_text(event))
        start = end + len(_BETWEEN_EVENTS) if texts else 0
        end = start + len(text)
        texts.append(text)
        passages.append(Passage(event, start, end))
    return HeardDocument(document_id, _BETWEEN_EVENTS.join(texts), tuple(passages))
