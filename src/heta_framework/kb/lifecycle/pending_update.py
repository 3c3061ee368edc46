"""An update as it is written down before it begins, so that a process that dies in it leaves no doubt."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from heta_framework.kb.documents import SourceDocument


@dataclass(frozen=True)
class PendingUpdate:
    """What an update does.

    Attributes:
        add: raw documents; one of a document id that is in takes that document's place.
        remove: ids of documents.
        forget: keys in the step cache that only the documents that go needed, as far as this knowledge base knows.
        media_types: what is known of media types when the update is done, by raw key.
        failed: a step failed: the stores go back to what they were.
    """

    update_id: str
    add: tuple[SourceDocument, ...]
    remove: tuple[str, ...]
    forget: tuple[str, ...]
    media_types: Mapping[str, str]
    failed: bool = False

    @classmethod
    def new(
        cls,
        *,
        add: Iterable[SourceDocument],
        remove: Iterable[str],
        forget: Iterable[str],
        media_types: Mapping[str, str],
    ) -> PendingUpdate:
        """An update that begins."""
        return cls(f"update_{uuid.uuid4().hex}", tuple(add), tuple(remove), tuple(forget), dict(media_types))

    def to_dict(self) -> dict[str, Any]:
        """The fields, JSON-safe."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> PendingUpdate:
        """From what `to_dict` gave."""
        add = tuple(map(SourceDocument.of, data["add"]))
        return cls(**{**data, "add": add, "remove": tuple(data["remove"]), "forget": tuple(data["forget"])})
