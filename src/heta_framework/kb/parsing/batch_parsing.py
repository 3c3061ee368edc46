"""Parsing many documents: what the step cache holds is not parsed again, and computing shares worker threads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import anyio
from anyio import to_thread

from heta_framework.common.models.many import in_order
from heta_framework.kb.derived.cache_writer import CacheWriter
from heta_framework.kb.derived.step_cache import StepCache
from heta_framework.kb.errors import StepError
from heta_framework.kb.parsing.file_types import file_type_of
from heta_framework.kb.parsing.parse_record import ParseSummary, decoded_summaries, encoded_document, parse_key
from heta_framework.kb.parsing.protocol import ComputingParser, DocumentParserProtocol, parser_identity
from heta_framework.kb.parsing.raw_documents import RawDocument
from heta_framework.kb.parsing.registry import DocumentParserRegistry
from heta_framework.kb.parsing.types import ParsedPage, ParsedSource, document_of

_AT_ONCE = 8


class Parsable(NamedTuple):
    """A raw document of a type that a parser takes."""

    raw: RawDocument
    name: str
    file_type: str
    parser: DocumentParserProtocol
    parse_key: str

    @property
    def key(self) -> str:
        """The raw document's key."""
        return self.raw.document.key

    @property
    def content_sha256(self) -> str:
        """Hash of the raw document's bytes."""
        return self.raw.content_sha256

    @property
    def source(self) -> ParsedSource:
        """What the parser is told of it."""
        return ParsedSource(self.key, self.name, self.file_type, self.content_sha256)


class Refused(NamedTuple):
    """A document that did not become text, and why."""

    raw: RawDocument
    code: str
    message: str


Outcome = tuple[Parsable, ParseSummary] | Refused


class BatchParser:
    """Parses batches of raw documents into the step cache."""

    def __init__(self, registry: DocumentParserRegistry, cache: StepCache, max_bytes: int) -> None:
        self._registry = registry
        self._cache = cache
        self._max_bytes = max_bytes
        self._writer = CacheWriter(cache)
        self._parsers: dict[str, tuple[DocumentParserProtocol, str] | None] = {}

    async def parse(self, batch: Sequence[RawDocument]) -> list[Outcome]:
        """What became of each document, in their order.

        Raises:
            StepError: a parser failed in a way that says nothing of the document.
        """
        prepared = await to_thread.run_sync(self._prepare, batch)
        parsable = {one.parse_key: one for one in prepared if isinstance(one, Parsable)}
        kept = await self._cache.get(parsable)
        parsed = await self._parse_anew([one for key, one in parsable.items() if key not in kept])
        fresh = {key: found for key, found in parsed.items() if isinstance(found, bytes)}
        await self._writer.add(fresh)
        summaries = await to_thread.run_sync(decoded_summaries, {**kept, **fresh})
        return [_outcome(one, summaries, parsed) if isinstance(one, Parsable) else one for one in prepared]

    async def close(self) -> None:
        """Put what is not yet in the cache."""
        await self._writer.close()

    def _prepare(self, batch: Sequence[RawDocument]) -> list[Parsable | Refused]:
        return [self._prepared(raw) for raw in batch]

    def _prepared(self, raw: RawDocument) -> Parsable | Refused:
        key = raw.document.key
        file_type = file_type_of(key, raw.document.media_type)
        if file_type not in self._parsers:
            self._parsers[file_type] = self._parser_of(file_type)
        found = self._parsers[file_type]
        if found is None:
            known = ", ".join(sorted(self._registry.supported_file_types)) or "none"
            said = f"file type {file_type!r}" if file_type else "no file type that its media type or suffix tells"
            return Refused(raw, "unsupported_file_type", f"{key}: {said}; parsers take: {known}")
        if len(raw.data) > self._max_bytes:
            return Refused(raw, "document_too_large", f"{key}: {len(raw.data)} bytes, at most {self._max_bytes}")
        parser, identity = found
        return Parsable(
            raw, key.rpartition("/")[2], file_type, parser, parse_key(raw.content_sha256, file_type, identity)
        )

    def _parser_of(self, file_type: str) -> tuple[DocumentParserProtocol, str] | None:
        """The parser of a type and what it is, both asked for once; None where none takes it."""
        parser = self._registry.find_parser(file_type) if file_type else None
        return (parser, parser_identity(parser)) if parser is not None else None

    async def _parse_anew(self, todo: Sequence[Parsable]) -> dict[str, bytes | str]:
        """What the cache is to hold, or the reason why the document cannot be read, by parse key."""
        computing = [one for one in todo if _computes(one)]
        waiting = [one for one in todo if not _computes(one)]
        found = await to_thread.run_sync(_computed, computing) if computing else {}
        limit = anyio.CapacityLimiter(_AT_ONCE)
        answers = await in_order(_awaited(one, limit) for one in waiting)
        return found | {one.parse_key: answer for one, answer in zip(waiting, answers, strict=True)}


def _computes(one: Parsable) -> bool:
    return not one.raw.data or (isinstance(one.parser, ComputingParser) and one.parser.computes)


def _computed(todo: Sequence[Parsable]) -> dict[str, bytes | str]:
    return {one.parse_key: _parsed_now(one) for one in todo}


def _parsed_now(one: Parsable) -> bytes | str:
    if not one.raw.data or not isinstance(one.parser, ComputingParser):
        return encoded_document(document_of(one.source, [ParsedPage(0, "")]))
    try:
        return encoded_document(one.parser.parse_now(one.source, one.raw.data))
    except ValueError as error:
        return str(error)
    except Exception as error:  # a library below a parser met what it was not made for
        raise _parser_failed(one, error) from error


async def _awaited(one: Parsable, limit: anyio.CapacityLimiter) -> bytes | str:
    async with limit:
        try:
            return encoded_document(await one.parser.parse(one.source, one.raw.data))
        except ValueError as error:
            return str(error)
        except Exception as error:  # parsers are plugins
            raise _parser_failed(one, error) from error


def _parser_failed(one: Parsable, error: Exception) -> StepError:
    said = f"{type(error).__name__}: {error}"
    return StepError(f"{one.key}: {type(one.parser).__name__} failed: {said}", document=one.key)


def _outcome(one: Parsable, summaries: Mapping[str, ParseSummary], parsed: Mapping[str, bytes | str]) -> Outcome:
    if one.parse_key in summaries:
        return one, summaries[one.parse_key]
    return Refused(one.raw, "unreadable_document", f"{one.key}: {parsed[one.parse_key]!s}")
