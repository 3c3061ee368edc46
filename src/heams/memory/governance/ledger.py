"""What a memory was told, event by event: category, time, speaker, purpose. The rules are kept by this book alone."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from pydantic import BaseModel, ConfigDict

from heams.memory.base import MemoryEvent
from heams.memory.governance.policy import RetentionPolicy
from heams.scenarios.clock import Instant
from heta_framework.common.text.anchors import holds

NEVER = datetime.max.replace(tzinfo=UTC)


class Entry(BaseModel):
    """What the rules need to know of an event."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    speaker: str
    at: Instant | None = None
    category: str | None = None
    purpose: str | None = None
    sources: tuple[str, ...] = ()
    audience: tuple[str, ...] = ()


class Ledger:
    """Entries by event id, and the role of each principal."""

    def __init__(self, entries: Mapping[str, Entry] | None = None, roles: Mapping[str, str] | None = None) -> None:
        self._entries = dict(entries or {})
        self._roles = dict(roles or {})

    @property
    def entries(self) -> Mapping[str, Entry]:
        """All entries; a live view."""
        return self._entries

    def hear(self, event: MemoryEvent, policy: RetentionPolicy | None) -> None:
        """Enter an event; one with a known id takes the older one's place.

        What was made from others (a note, or a turn that names them in ``metadata.derived_from``) has their category
        where it has none itself.
        """
        role = event.metadata.get("speaker_role")
        if isinstance(role, str):
            self._roles[event.speaker] = role
        roles = event.metadata.get("roles")
        if isinstance(roles, Mapping):
            self._roles |= {str(principal): str(name) for principal, name in roles.items()}
        sources = (*event.sources, *names_in(event.metadata.get("derived_from")))
        category = _category(event, policy) or self._common_category(sources)
        self._entries.pop(event.id, None)  # heard again it comes last: see with_derived
        self._entries[event.id] = Entry(
            speaker=event.speaker,
            at=event.at,
            category=category,
            purpose=_text(event.metadata.get("purpose")),
            sources=sources,
            audience=names_in(event.metadata.get("audience")),
        )

    def role_of(self, principal: str) -> str | None:
        """The role in which a principal spoke last, or was named last; None where that is not known."""
        return self._roles.get(principal)

    def due(self, policy: RetentionPolicy, now: datetime) -> list[str]:
        """Events whose time is over: as many days as their category is kept have gone by."""
        return [event_id for event_id, entry in self._entries.items() if _end_of(entry, policy) <= now]

    def next_end(self, policy: RetentionPolicy, event_ids: Iterable[str] | None = None) -> datetime:
        """When the time of the first of these events is over (of all, where none are named)."""
        names = self._entries if event_ids is None else event_ids
        entries = (self._entries[name] for name in names if name in self._entries)
        return min((_end_of(entry, policy) for entry in entries), default=NEVER)

    def of_purpose(self, purpose: str) -> list[str]:
        """Events that were told for a purpose."""
        return [event_id for event_id, entry in self._entries.items() if entry.purpose == purpose]

    def held(self, policy: RetentionPolicy) -> set[str]:
        """Events under legal hold."""
        return {event_id for event_id, entry in self._entries.items() if entry.category in policy.legal_hold}

    def with_derived(self, event_ids: Iterable[str]) -> list[str]:
        """The events, and all that was made from any of them, however indirectly."""
        found = dict.fromkeys(event_ids)
        if not found:
            return []
        for event_id, entry in self._entries.items():  # in order of hearing: what is made from others comes later
            if not found.keys().isdisjoint(entry.sources):
                found[event_id] = None
        return list(found)

    def strike(self, event_ids: Iterable[str]) -> None:
        """Forget events of which the memory holds nothing any more."""
        for event_id in event_ids:
            self._entries.pop(event_id, None)

    def copy(self) -> "Ledger":
        """An independent ledger with the same entries."""
        return Ledger(self._entries, self._roles)

    def to_dict(self) -> dict[str, Any]:
        """The ledger as JSON holds it."""
        entries = {event_id: entry.model_dump(mode="json") for event_id, entry in self._entries.items()}
        return {"entries": entries, "roles": self._roles}

    @classmethod
    def from_dict(cls, saved: Mapping[str, Any]) -> "Ledger":
        """The ledger that ``to_dict`` gave."""
        entries = {event_id: Entry.model_validate(entry) for event_id, entry in saved["entries"].items()}
        return cls(entries, saved["roles"])

    def _common_category(self, sources: Iterable[str]) -> str | None:
        found = {self._entries[source].category for source in sources if source in self._entries}
        return found.pop() if len(found) == 1 else None


def _end_of(entry: Entry, policy: RetentionPolicy) -> datetime:
    lifetime = policy.lifetime(entry.category)
    if lifetime is None or entry.at is None:
        return NEVER
    return entry.at + lifetime if lifetime < NEVER - entry.at else NEVER


def _category(event: MemoryEvent, policy: RetentionPolicy | None) -> str | None:
    own = _text(event.metadata.get("category"))
    if own is not None or policy is None:
        return own
    return next(
        (name for name, words in policy.categories.items() if any(holds(event.content, word) for word in words)), None
    )


def names_in(value: object) -> tuple[str, ...]:
    """The names in a field of metadata: of a list its entries, of anything else but null that alone."""
    if value is None:
        return ()
    return tuple(map(str, value)) if isinstance(value, list | tuple) else (str(value),)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
