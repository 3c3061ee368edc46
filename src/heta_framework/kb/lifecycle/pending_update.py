"""An update as it is written down before it begins, so that a process that dies in it leaves no doubt."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from heta_framework.kb.documents import SourceDocument


@dataclass(frozen=True)
class PendingUpdate:
    """What an update does.

    Attributes:
        add: raw documents; one of a document id that is in takes that document's place.
        remove: ids of documents.
        gone_ids, gone_keys: ids and raw keys of the documents that go, as they are listed.
        forget: keys in the step cache that only the documents that go needed, as far as this knowledge base knows.
        folders: where the knowledge base keeps packs: those that nothing names after the update are deleted.
        noted: packs that note further keys in the step cache, of results that steps made of several documents.
        cache_packs: the packs of the step cache before the update; what is in others, a failed update may have made.
        media_types: what is known of media types when the update is done, by raw key.
        failed: a step failed: the stores go back to what they were.
    """

    update_id: str
    add: tuple[SourceDocument, ...]
    remove: tuple[str, ...]
    forget: tuple[str, ...]
    media_types: Mapping[str, str]
    gone_ids: tuple[str, ...] = ()
    gone_keys: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    noted: tuple[str, ...] = ()
    cache_packs: tuple[str, ...] = ()
    failed: bool = False

    @property
    def takes_away(self) -> bool:
        """Whether documents go."""
        return bool(self.gone_ids or self.remove)

    def to_dict(self) -> dict[str, Any]:
        """The fields, JSON-safe."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> PendingUpdate:
        """From what `to_dict` gave."""
        read: dict[str, Any] = {name: tuple(one) if isinstance(one, list) else one for name, one in data.items()}
        return cls(**{**read, "add": tuple(map(SourceDocument.of, data["add"]))})


def new_update_id() -> str:
    """An id that no other update has."""
    return f"update_{uuid.uuid4().hex}"
