"""Texts and metadata of records, kept slim: a tuple of values a record, its keys shared by all records alike.

A dict of a dozen keys takes some 700 bytes; the tuple takes 150, and strings that a record shares with the one before
it (chunks of a document come one after the other) are held once. Metadata stays what it was, JSON-safe or not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from heta_framework.common.stores.vector.types import VectorRecord, VectorSearchResult


class Payload(NamedTuple):
    """What a record carries beside its vector."""

    text: str | None
    keys: tuple[str, ...]
    values: tuple[Any, ...]

    def result(self, record_id: str, score: float) -> VectorSearchResult:
        """The record as a hit."""
        return VectorSearchResult(record_id, score, self.text, dict(zip(self.keys, self.values, strict=True)))


class Packer:
    """Makes payloads that share what neighbours have in common."""

    def __init__(self) -> None:
        self._keys: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._last: tuple[Any, ...] = ()

    def pack(self, records: Iterable[VectorRecord]) -> dict[str, Payload]:
        """The payloads by record id."""
        return {record.id: self._payload(record) for record in records}

    def _payload(self, record: VectorRecord) -> Payload:
        own_keys = tuple(record.metadata)
        keys = self._keys.setdefault(own_keys, own_keys)
        own = tuple(record.metadata.values())
        if len(own) == len(self._last):
            own = _shared(self._last, own)
        self._last = own
        return Payload(record.text, keys, own)


class Filter:
    """Metadata that payloads must carry, compared with ==; a missing key equals nothing."""

    def __init__(self, wanted: Mapping[str, Any]) -> None:
        self._wanted = wanted
        self._places: dict[int, list[tuple[int, Any]] | None] = {}  # by the identity of the shared keys

    def __call__(self, payload: Payload) -> bool:
        """Whether the payload carries all of it."""
        known = id(payload.keys)
        if known not in self._places:
            self._places[known] = self._places_in(payload.keys)
        places = self._places[known]
        if places is None:
            return False
        return all(payload.values[place] == value for place, value in places)

    def _places_in(self, keys: tuple[str, ...]) -> list[tuple[int, Any]] | None:
        if any(key not in keys for key in self._wanted):
            return None
        return [(keys.index(key), value) for key, value in self._wanted.items()]


def _shared(before: tuple[Any, ...], now: tuple[Any, ...]) -> tuple[Any, ...]:
    """The values of now, equal strings being the ones of before."""
    return tuple(
        [
            old if type(new) is str and type(old) is str and old == new else new
            for old, new in zip(before, now, strict=True)
        ]
    )
