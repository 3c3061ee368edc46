"""Adds documents to a finished knowledge base and removes some, without building the rest again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from heta_framework.common.config.nearest import did_you_mean
from heta_framework.kb.builder import KnowledgeBaseBuilder
from heta_framework.kb.documents import DocumentEntry, DocumentLike, SourceDocument, several
from heta_framework.kb.lifecycle.building import Built, with_live_artifacts
from heta_framework.kb.lifecycle.embedding_check import require_same_embedding
from heta_framework.kb.lifecycle.forgetting import cache_keys_of, cache_packs, noted_packs, pack_folders
from heta_framework.kb.lifecycle.lease import held
from heta_framework.kb.lifecycle.loading import files_of, make_whole
from heta_framework.kb.lifecycle.pending_update import PendingUpdate, new_update_id
from heta_framework.kb.lifecycle.rebuilding import rebuild
from heta_framework.kb.lifecycle.settling import carry_out
from heta_framework.kb.lifecycle.sources import DOCUMENT_KEYS, going_documents, listed_documents, remembered_media_types
from heta_framework.kb.steps.errors import LostArtifactError

if TYPE_CHECKING:
    from heta_framework.kb.context import Progress
    from heta_framework.kb.lifecycle.run_files import RunFiles
    from heta_framework.kb.manifest import KnowledgeBaseManifest
    from heta_framework.kb.recipe import KnowledgeRecipe
    from heta_framework.kb.run_record import RecipeRunRecord


@dataclass(frozen=True)
class UpdateRequest:
    """What a caller wants: documents to add, and ids of documents to remove."""

    add: tuple[SourceDocument, ...]
    remove: tuple[str, ...]

    @classmethod
    def of(cls, add: Iterable[DocumentLike], remove: Iterable[str]) -> UpdateRequest:
        """From what a caller gives.

        Raises:
            TypeError: one string is given where several are expected.
        """
        added = tuple(SourceDocument.of(one) for one in several("add", add))
        return cls(added, tuple(dict.fromkeys(several("remove", remove))))


async def update(
    recipe: KnowledgeRecipe,
    name: str,
    request: UpdateRequest,
    *,
    builder: KnowledgeBaseBuilder | None = None,
    progress: Progress | None = None,
    live: RecipeRunRecord | None = None,
) -> Built:
    """Remove, then add; durable when this returns.

    Args:
        live: the record of the knowledge base as the caller holds it, for artifacts that no file can hold.

    Raises:
        LookupError: there is no document of an id to remove; nothing was changed.
        KnowledgeBuildError: a step failed; the knowledge base is what it was.
    """
    files = files_of(recipe, name, to="update a KB")
    async with held(files.objects, files.runtime) as lease:
        manifest = await make_whole(recipe, files, lease)
        require_same_embedding(recipe, manifest.run_record.artifacts, name)
        if live is not None:
            manifest = replace(manifest, run_record=with_live_artifacts(manifest.run_record, live))
        if not (request.add or request.remove):
            return Built(manifest)
        try:
            pending = await _pending(files, manifest, request)
        except LostArtifactError:  # a listing that is damaged is made again, as far as anybody still knows what it held
            manifest = (await rebuild(recipe, files, lease, await files.standing(), manifest)).manifest
            pending = await _pending(files, manifest, request)
        await files.write_pending_update(pending.to_dict())
        return await carry_out(pending, recipe, files, lease, manifest, builder=builder, progress=progress)


async def _pending(files: RunFiles, manifest: KnowledgeBaseManifest, request: UpdateRequest) -> PendingUpdate:
    artifacts = manifest.run_record.artifacts
    entries = {entry.document_id: entry async for entry in listed_documents(files.objects, artifacts)}
    if DOCUMENT_KEYS in artifacts:
        _require_known(request.remove, entries, manifest.name)
    going = going_documents(entries.values(), request.add, request.remove)
    gone = {entry.document_id for entry in going}
    staying_keys = {entry.key for entry in entries.values() if entry.document_id not in gone}
    return PendingUpdate(
        update_id=new_update_id(),
        add=request.add,
        remove=request.remove,
        forget=tuple(sorted(await cache_keys_of(files.objects, artifacts, going))) if going else (),
        media_types=remembered_media_types(artifacts, request.add, going),
        gone_ids=tuple(sorted(gone)),
        gone_keys=tuple(sorted({entry.key for entry in going} - staying_keys)),
        folders=pack_folders(artifacts),
        noted=noted_packs(artifacts),
        cache_packs=await cache_packs(files.objects),
    )


def _require_known(ids: Iterable[str], entries: Mapping[str, DocumentEntry], name: str) -> None:
    for one in ids:
        if one not in entries:
            hint = did_you_mean(one, entries) or f"it has {len(entries)} documents, see documents()"
            raise LookupError(f"knowledge base {name!r} has no document {one!r}; {hint}")
