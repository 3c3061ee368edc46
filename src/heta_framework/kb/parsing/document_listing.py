"""One listing of documents in the making: parsed document by document, or copied from another knowledge base."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from heta_framework.kb.components import parser_ref
from heta_framework.kb.derived.cache_writer import torn_pack_issues
from heta_framework.kb.derived.document_packs import document_records
from heta_framework.kb.derived.packs import PackWriter
from heta_framework.kb.documents import DocumentEntry, SourceDocument
from heta_framework.kb.errors import StepError
from heta_framework.kb.parsing.batch_parsing import BatchParser, Outcome, Parsable, Refused
from heta_framework.kb.parsing.parse_record import ParseSummary, parse_cache
from heta_framework.kb.parsing.raw_digest import RawDigest
from heta_framework.kb.parsing.raw_documents import RawBatches, RawDocument
from heta_framework.kb.parsing.shared_listing import MOST_DOCUMENTS, Listing, SharedListing, parser_settings
from heta_framework.kb.parsing.sources import DocumentIds
from heta_framework.kb.run_record import issues_from
from heta_framework.kb.steps.issues import IssueResolution, IssueSubject, StepIssue

if TYPE_CHECKING:
    from heta_framework.kb.context import StepExecutionContext
    from heta_framework.kb.steps.parse_documents import ParseDocumentsConfig

_LISTING_FORMAT = 1


class DocumentListing:
    """Lists documents below a prefix.

    Attributes:
        counts: words of each document, by its id.
        skipped: keys of raw documents that were left out.
        digest: over the raw documents.
        noted: the keys of the step cache under which others find the listing; empty where they do not.
    """

    def __init__(self, config: ParseDocumentsConfig, context: StepExecutionContext, step: str, prefix: str) -> None:
        self._config = config
        self._context = context
        self._step = step
        self._prefix = prefix
        self._objects = context.objects(config.object_store)
        self._registry = context.get_component(parser_ref(config.parser_registry).key)
        self._parsed = parse_cache(context, config.object_store)
        self._documents: list[tuple[str, int, str]] = []
        self._issues: list[StepIssue] = []
        self.counts: dict[str, int] = {}
        self.skipped: list[str] = []
        self.digest = RawDigest()
        self.noted: tuple[str, ...] = ()

    async def add(self, documents: Sequence[SourceDocument], ids: DocumentIds) -> tuple[str, ...]:
        """List these documents; the keys of the packs."""
        raw = RawBatches(self._objects, documents)
        shared = self._shared(documents)
        if shared is None:
            return await self._listed(raw, ids, len(documents))
        keys = await self._copied(shared, raw)
        if keys is not None:
            self._context.progress(self._step, len(documents), len(documents))
        else:
            keys = await self._listed(raw, ids, len(documents))
            if not self.skipped:
                issues = [asdict(issue) for issue in self._issues]
                await shared.note(Listing(self.digest.value, keys, self._documents, issues))
        self.noted = shared.keys(self.digest.value)
        return keys

    def _shared(self, documents: Sequence[SourceDocument]) -> SharedListing | None:
        """Where to look for a listing of the same documents.

        None of more than a note holds, and where the knowledge base says itself which documents there are: in updates
        and in what mends them.
        """
        delta, parsers = self._context.delta, parser_settings(self._registry)
        given = not delta.full or delta.documents is not None
        if given or parsers is None or not 0 < len(documents) <= MOST_DOCUMENTS:
            return None
        most, store = self._config.max_document_bytes, self._config.object_store
        cache = self._context.cache("listing", _LISTING_FORMAT, parsers, most, store=store)
        return SharedListing(self._objects, cache, self._prefix, documents)

    async def _copied(self, shared: SharedListing, raw: RawBatches) -> tuple[str, ...] | None:
        """The packs of a listing of the very same documents; None where there is none."""
        listing = await shared.found()
        if listing is None:
            return None
        digest = RawDigest()
        async for batch in raw.first():
            digest.add(batch)
        keys = await shared.copied(listing, self._parsed) if digest.value == listing.digest else None
        if keys is None:
            return None
        self.digest = digest
        self.counts = {document_id: words for document_id, words, _ in listing.documents}
        for issue in issues_from(listing.issues):
            self._context.report(issue)
        return keys

    async def _listed(self, raw: RawBatches, ids: DocumentIds, total: int) -> tuple[str, ...]:
        parser = BatchParser(self._registry, self._parsed, self._config.max_document_bytes)
        listing = PackWriter(self._objects, self._prefix)
        done = 0
        try:
            async for batch in raw.last():
                self.digest.add(batch)
                outcomes = await parser.parse(batch)
                entries = [self._entry(*found, ids) for found in map(self._accepted, outcomes) if found is not None]
                await listing.add(document_records(entries))
                done += len(batch)
                self._context.progress(self._step, done, total)
        finally:
            await parser.close()  # what was parsed before a failure is not parsed again
        for issue in torn_pack_issues(self._parsed, self._step):
            self._context.report(issue)
        return await listing.close()

    def _accepted(self, outcome: Outcome) -> tuple[Parsable, ParseSummary] | None:
        """The outcome; None of a document that is left out."""
        if not isinstance(outcome, Refused):
            return outcome
        if not self._config.skip_unsupported:
            raise StepError(outcome.message, document=outcome.raw.document.key)
        self.skipped.append(outcome.raw.document.key)
        self._report(outcome.raw, outcome.code, outcome.message, "left out", severity="error")
        return None

    def _entry(self, one: Parsable, summary: ParseSummary, ids: DocumentIds) -> DocumentEntry:
        document_id = ids.of(one.raw.document, one.content_sha256)
        for issue in summary.issues:
            self._report(one.raw, issue.code, f"{one.key}: {issue.message}", "kept", severity=issue.severity)
        if summary.is_blank and not summary.issues:
            self._report(one.raw, "empty_document", f"{one.key} holds no text", "kept", severity="info")
        self.counts[document_id] = summary.words
        self._documents.append((document_id, summary.words, one.parse_key))
        return DocumentEntry(
            document_id=document_id,
            key=one.key,
            name=one.name,
            file_type=one.file_type,
            content_sha256=one.content_sha256,
            parse_key=one.parse_key,
            metadata=one.raw.document.metadata,
        )

    def _report(self, raw: RawDocument, code: str, message: str, outcome: str, *, severity: Any) -> None:
        subject = IssueSubject("document", raw.document.document_id or raw.document.key)
        resolution = IssueResolution("went on", outcome)
        issue = StepIssue(self._step, subject, message, code, severity, resolution, {"key": raw.document.key})
        self._issues.append(issue)
        self._context.report(issue)
