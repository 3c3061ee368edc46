"""The steps of an update: each adds and removes where it can, else all of them run again with all documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from heta_framework.kb.builder import KnowledgeBaseBuilder
from heta_framework.kb.delta import Delta
from heta_framework.kb.lifecycle.inputs import LISTING_NOTES, UPDATE_ARTIFACT, earlier_inputs
from heta_framework.kb.lifecycle.json_values import is_note
from heta_framework.kb.lifecycle.redaction import inputs_without, issues_without, with_identities
from heta_framework.kb.lifecycle.run_issues import with_more
from heta_framework.kb.lifecycle.sources import MEDIA_TYPES_ARTIFACT, all_documents, going_documents
from heta_framework.kb.lifecycle.step_identity import step_identities
from heta_framework.kb.run_record import RecipeRunRecord, RecipeRunResult
from heta_framework.kb.run_state import RecipeRunState

if TYPE_CHECKING:
    from heta_framework.kb.context import Progress
    from heta_framework.kb.lifecycle.lease import Lease
    from heta_framework.kb.lifecycle.pending_update import PendingUpdate
    from heta_framework.kb.lifecycle.run_files import RunFiles
    from heta_framework.kb.manifest import KnowledgeBaseManifest
    from heta_framework.kb.recipe import KnowledgeRecipe


@dataclass(frozen=True)
class UpdateWork:
    """The steps of one update.

    Attributes:
        manifest: of the knowledge base before it.
    """

    update: PendingUpdate
    recipe: KnowledgeRecipe
    files: RunFiles
    lease: Lease
    manifest: KnowledgeBaseManifest
    builder: KnowledgeBaseBuilder
    progress: Progress | None

    @property
    def fits(self) -> bool:
        """Whether the recipe's steps are those that built: then each can bring what it made up to date."""
        recorded = tuple(step.identity for step in self.manifest.run_record.step_records)
        return recorded == self._identities()

    async def by_delta(self) -> RecipeRunResult:
        """Each step adds and removes."""
        delta = Delta.update(add=self.update.add, remove=self.update.remove)
        return await self._run(delta, self._old_artifacts())

    async def in_full(self) -> RecipeRunResult:
        """Each step runs with all documents, and finds in the step cache what it made of them before."""
        documents = await all_documents(self.files.objects, self.manifest.run_record.artifacts)
        going = going_documents(documents, self.update.add, self.update.remove)
        gone = {document.document_id for document in going}
        kept = tuple(document for document in documents if document.document_id not in gone)
        notes = {key: value for key, value in self._old_artifacts().items() if key.startswith("kb_")}
        given = {key: value for key, value in self._inputs().items() if not is_note(value)}
        return await self._run(Delta(documents=(*kept, *self.update.add)), {**given, **notes})

    def record_of(self, result: RecipeRunResult) -> RecipeRunRecord:
        """The record of the knowledge base: what still holds of its build, and what the update did."""
        update = self.update
        gone = {*update.remove, *update.gone_ids, *(document.document_id or document.key for document in update.add)}
        earlier = issues_without(self.manifest.run_record.issues, gone, update.gone_keys)
        notes: dict[str, Any] = {UPDATE_ARTIFACT: update.update_id, MEDIA_TYPES_ARTIFACT: dict(update.media_types)}
        if update.takes_away:
            notes[LISTING_NOTES] = ()
        record = replace(
            result.record,
            artifacts={**result.record.artifacts, **inputs_without(self._inputs(), gone, update.gone_keys), **notes},
            issues=with_more(earlier, result.record.issues),
        )
        return replace(record, step_records=with_identities(record.step_records, self.recipe, record.artifacts))

    async def _run(self, delta: Delta, artifacts: Mapping[str, Any]) -> RecipeRunResult:
        record = self.manifest.run_record
        state = RecipeRunState(
            run_id=record.run_id, started_at=record.started_at, name=self.manifest.name, guard=self.lease.check
        )
        return await self.builder.build(
            self.recipe,
            initial_artifacts=artifacts,
            run_state=state,
            progress=self.progress,
            delta=delta,
            identities=self._identities(),
        )

    def _old_artifacts(self) -> dict[str, Any]:
        return {key: value for key, value in self.manifest.run_record.artifacts.items() if not is_note(value)}

    def _inputs(self) -> dict[str, Any]:
        return earlier_inputs(self.manifest.run_record.artifacts)

    def _identities(self) -> tuple[str, ...]:
        return step_identities(self.recipe, self._inputs())
