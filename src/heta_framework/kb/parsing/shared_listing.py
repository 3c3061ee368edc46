"""A listing of documents that another knowledge base has already made of the very same raw documents.

What a listing holds follows from the documents - their keys, ids, media types, metadata and contents - and from the
parsers. So a recipe that begins like one before it reads and hashes the documents and copies that one's listing; where
that is gone or damaged by now, or something that was parsed is, it makes its own.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from heta_framework.common.stores.object.protocol import ObjectStoreProtocol
from heta_framework.kb.derived.copied_packs import copied_packs
from heta_framework.kb.derived.fast_json import decode_json, encode_json
from heta_framework.kb.derived.step_cache import StepCache
from heta_framework.kb.documents import SourceDocument
from heta_framework.kb.parsing.protocol import parser_identity
from heta_framework.kb.parsing.registry import DocumentParserRegistry

MOST_DOCUMENTS = 50_000
"""A note holds a line of each: larger listings are made anew."""


class Listing(NamedTuple):
    """A listing without gaps.

    Attributes:
        digest: over the contents of the raw documents.
        keys: of the packs, in order.
        documents: id, number of words and parse key of each.
        issues: what was reported of them, as ``asdict`` gives it.
    """

    digest: str
    keys: tuple[str, ...]
    documents: list[tuple[str, int, str]]
    issues: list[dict[str, Any]]


class SharedListing:
    """Finds such a listing, and says where this knowledge base's own is."""

    def __init__(
        self, objects: ObjectStoreProtocol, cache: StepCache, prefix: str, documents: Sequence[SourceDocument]
    ) -> None:
        """Start.

        Args:
            cache: notes where listings are; belongs to one set of parsers.
            prefix: where this knowledge base's packs go.
        """
        self._objects = objects
        self._cache = cache
        self._prefix = prefix
        self._name = _name_of(documents)

    async def found(self) -> Listing | None:
        """The last listing of documents of these keys, ids, media types and metadata; contents may be others by now."""
        last = (await self._cache.get([self._name])).get(self._name)
        if last is None:
            return None
        _, key = self.keys(last.decode())
        note = (await self._cache.get([key])).get(key)
        return None if note is None else Listing(*decode_json(note))

    def keys(self, digest: str) -> tuple[str, str]:
        """What is noted of a listing: under the first key its digest, under the second all of it."""
        return self._name, f"{self._name}-{digest}"

    async def copied(self, listing: Listing, parsed: StepCache) -> tuple[str, ...] | None:
        """The packs of the listing copied to this knowledge base; None where they, or pages, are gone or damaged."""
        if await parsed.missing(parse_key for _, _, parse_key in listing.documents):
            return None
        return await copied_packs(self._objects, listing.keys, self._prefix)

    async def note(self, listing: Listing) -> None:
        """Note this knowledge base's listing for others, in the place of what they find now."""
        digest_key, listing_key = self.keys(listing.digest)
        await self._cache.discard([digest_key, listing_key])
        await self._cache.put({digest_key: listing.digest.encode(), listing_key: encode_json(listing)})


def parser_settings(registry: object) -> tuple[tuple[str, str], ...] | None:
    """The parser of each file type; None of a registry of the caller's own, which may choose by other rules."""
    if type(registry) is not DocumentParserRegistry:
        return None
    return tuple((one, parser_identity(registry.get_parser(one))) for one in sorted(registry.supported_file_types))


def _name_of(documents: Sequence[SourceDocument]) -> str:
    known = [(one.key, one.document_id, one.media_type, one.metadata) for one in documents]
    return hashlib.sha256(json.dumps(known).encode()).hexdigest()[:40]
