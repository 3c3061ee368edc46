"""Parses raw documents into pages and lists them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from heta_framework.common.stores.fields import positive
from heta_framework.kb.components import parser_ref, store_ref
from heta_framework.kb.context import StepExecutionContext, execution
from heta_framework.kb.derived.document_packs import read_documents
from heta_framework.kb.derived.packs import compacted, packs_without, sweep
from heta_framework.kb.documents import SourceDocument
from heta_framework.kb.lifecycle.inputs import LISTING_NOTES
from heta_framework.kb.parsing.document_listing import DocumentListing
from heta_framework.kb.parsing.raw_digest import RawDigest
from heta_framework.kb.parsing.raw_documents import read_raw
from heta_framework.kb.parsing.sources import DocumentIds, wanted_documents
from heta_framework.kb.steps.cleanup import StepCleanupPlan
from heta_framework.kb.steps.issues import IssueResolution, IssueSubject, StepIssue
from heta_framework.kb.steps.pack_artifacts import pack_cleanup, packs_are_whole
from heta_framework.kb.steps.protocol import StepCapabilities, StepContextProtocol, StepRequirements

_KEYS = "parsed_document_keys"
_RESULT = "parse_documents_result"
_DIGEST = "raw_documents_digest"


@dataclass(frozen=True)
class ParseDocumentsConfig:
    """How documents are parsed.

    Attributes:
        raw_prefix: where raw documents lie when the build does not say which it wants.
        parsed_prefix: where the listing goes.
        skip_unsupported: a document that no parser takes or can read is left out with an issue; else it fails the step.
        object_store, parser_registry: named components; None for the recipe's slots.
        document_token_counts_artifact: the artifact with the number of words of each document, by its id.
        max_document_bytes: a raw document of more is left out like one that cannot be read.
    """

    raw_prefix: str = "raw"
    parsed_prefix: str = "parsed"
    skip_unsupported: bool = True
    object_store: str | None = None
    parser_registry: str | None = None
    document_token_counts_artifact: str = "document_token_counts"  # noqa: S105 - a name
    max_document_bytes: int = 256 << 20

    def __post_init__(self) -> None:
        positive("max_document_bytes", self.max_document_bytes)
        if self.raw_prefix.startswith("/") or self.parsed_prefix.startswith("/"):
            raise ValueError("key must be relative")


@dataclass(frozen=True)
class ParseDocumentsResult:
    """What the step did.

    Attributes:
        document_keys: packs with the listing of all documents.
        skipped_keys: raw documents that were left out, see the step's issues.
        document_token_counts: words of each document, by its id.
    """

    document_keys: tuple[str, ...]
    skipped_keys: tuple[str, ...] = ()
    document_token_counts: Mapping[str, int] = field(default_factory=dict)


class ParseDocuments:
    """Turns the raw documents that the knowledge base is to hold into pages of text.

    Which they are: those of the update; else the artifact ``source_documents``; else ``source_keys``; else everything
    below ``raw_prefix``. Equal content is parsed once for all knowledge bases of the object store.
    """

    name = "parse_documents"

    def __init__(self, config: ParseDocumentsConfig | None = None) -> None:
        self.config = config or ParseDocumentsConfig()

    @property
    def requirements(self) -> StepRequirements:
        """The object store and the parsers."""
        components = {store_ref("objects", self.config.object_store), parser_ref(self.config.parser_registry)}
        return StepRequirements(components=frozenset(components))

    @property
    def capabilities(self) -> StepCapabilities:
        """The listing, the result, and the counts."""
        return StepCapabilities(artifacts=frozenset({_KEYS, _RESULT, self.config.document_token_counts_artifact}))

    async def run(self, context: StepContextProtocol) -> None:
        """Parse what is to be added, and list it.

        Raises:
            ValueError: two documents have the same id.
            StepError: a raw document is not there, or, without ``skip_unsupported``, cannot be parsed.
        """
        await _Parsing(self.config, execution(context), self.name).run()

    async def intact(self, context: StepContextProtocol) -> bool:
        """Whether the listing can be read."""
        return await packs_are_whole(execution(context), _KEYS, self.config.object_store)

    async def sources_unchanged(self, context: StepContextProtocol) -> bool:
        """Whether the raw documents are, byte for byte, those that the finished run read."""
        given = execution(context)
        objects = given.objects(self.config.object_store)
        digest = RawDigest()
        async for batch in read_raw(objects, await wanted_documents(given, objects, self.config.raw_prefix)):
            digest.add(batch)
        return given.artifacts.get(_DIGEST) == digest.value

    def cleanup_plan(self, artifacts: Mapping[str, Any]) -> StepCleanupPlan:
        """The listing. What was parsed stays in the step cache: other knowledge bases may share it."""
        return pack_cleanup(artifacts, _KEYS, self.config.parsed_prefix, self.config.object_store)


class _Parsing:
    """One run of the step."""

    def __init__(self, config: ParseDocumentsConfig, context: StepExecutionContext, step: str) -> None:
        self._config = config
        self._context = context
        self._step = step
        self._objects = context.objects(config.object_store)
        self._prefix = f"{config.parsed_prefix.rstrip('/')}/{context.namespace}/"
        self._counts: dict[str, int] = {}

    async def run(self) -> None:
        documents = await wanted_documents(self._context, self._objects, self._config.raw_prefix)
        if self._context.delta.full and not documents:
            self._say_nothing_is_there()
        kept_keys, kept_ids = await self._keep(documents)
        listing = DocumentListing(self._config, self._context, self._step, self._prefix)
        added_keys = await listing.add(documents, DocumentIds(kept_ids, documents))
        self._context.delta.added_document_keys = added_keys
        keys = tuple(dict.fromkeys((*kept_keys, *added_keys)))
        self._context.set_artifact(_KEYS, keys)
        counts = self._counts | listing.counts
        self._context.set_artifact(self._config.document_token_counts_artifact, counts)
        self._context.set_artifact(_DIGEST, listing.digest.value if self._context.delta.full else None)
        if listing.noted:
            self._context.set_artifact(LISTING_NOTES, listing.noted)
        self._context.set_artifact(_RESULT, ParseDocumentsResult(keys, tuple(listing.skipped), dict(counts)))

    async def _keep(self, documents: Sequence[SourceDocument]) -> tuple[tuple[str, ...], list[str]]:
        """In an update, the packs of the documents that stay, and their ids; nothing in a build.

        A build deletes no packs: where it repairs a knowledge base and fails, the listing of before is all that says
        which documents there are.
        """
        delta = self._context.delta
        if delta.full:
            return (), []
        known = tuple(self._context.artifacts.get(_KEYS) or ())
        await sweep(self._objects, self._prefix, known)
        ids = {document.document_id for document in documents if document.document_id is not None}
        keys = {document.key for document in documents if document.document_id is None}
        entries = [entry async for listed in read_documents(self._objects, known) for entry in listed]
        replaced = {entry.document_id for entry in entries if entry.document_id in ids or entry.key in keys}
        delta.removed_document_ids |= replaced
        gone = delta.removed_document_ids
        counts = self._context.artifacts.get(self._config.document_token_counts_artifact) or {}
        self._counts = {name: count for name, count in counts.items() if name not in gone}
        kept, _ = await packs_without(self._objects, self._prefix, known, lambda name, _: name in gone)
        kept = await compacted(self._objects, self._prefix, kept)
        return kept, [entry.document_id for entry in entries if entry.document_id not in gone]

    def _say_nothing_is_there(self) -> None:
        message = "no raw documents were given or found, so there is nothing to parse"
        subject = IssueSubject("setting", "source_documents")
        resolution = IssueResolution("went on", "the knowledge base is empty")
        self._context.report(StepIssue(self._step, subject, message, "no_documents", "info", resolution))
