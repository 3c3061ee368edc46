"""Which raw documents a knowledge base holds: what its inputs say, until an update adds or removes some."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from heta_framework.kb.documents import DocumentEntry, SourceDocument
from heta_framework.kb.lifecycle.inputs import SOURCE_DOCUMENTS, UPDATE_ARTIFACT
from heta_framework.kb.steps.errors import LostArtifactError

if TYPE_CHECKING:
    from heta_framework.common.stores.object.protocol import ObjectStoreProtocol

DOCUMENT_KEYS = "parsed_document_keys"
MEDIA_TYPES_ARTIFACT = "kb_media_types"


async def documents_after_updates(
    objects: ObjectStoreProtocol, artifacts: Mapping[str, Any]
) -> tuple[SourceDocument, ...] | None:
    """The documents after updates; None where there was no update and the inputs alone decide.

    Raises:
        LostArtifactError: there were updates and the listing of documents is damaged, so that nobody knows which.
    """
    return await documents_as_built(objects, artifacts) if UPDATE_ARTIFACT in artifacts else None


async def documents_as_built(
    objects: ObjectStoreProtocol, artifacts: Mapping[str, Any]
) -> tuple[SourceDocument, ...] | None:
    """The documents that are listed, whatever raw documents there are by now; None where no step lists documents.

    None also where the listing is damaged and the inputs still tell what it held.

    Raises:
        LostArtifactError: the listing is damaged and updates have changed it since the build.
    """
    if DOCUMENT_KEYS not in artifacts:
        return None
    try:
        return await all_documents(objects, artifacts)
    except LostArtifactError as error:
        if UPDATE_ARTIFACT not in artifacts:
            return None
        raise LostArtifactError(
            f"the listing of the documents is damaged ({error}) and updates have changed it since the build; "
            "delete the knowledge base and create it from its raw documents"
        ) from error


async def all_documents(objects: ObjectStoreProtocol, artifacts: Mapping[str, Any]) -> tuple[SourceDocument, ...]:
    """The raw documents behind the listing, each under the id that it has."""
    media_types = _media_types(artifacts)
    return tuple(
        [
            SourceDocument(entry.key, entry.document_id, media_types.get(entry.key), entry.metadata)
            async for entry in listed_documents(objects, artifacts)
        ]
    )


async def listed_documents(objects: ObjectStoreProtocol, artifacts: Mapping[str, Any]) -> AsyncIterator[DocumentEntry]:
    """The documents of a knowledge base, in the order of their listing."""
    from heta_framework.kb.derived.document_packs import read_documents

    async for entries in read_documents(objects, artifacts.get(DOCUMENT_KEYS, ())):
        for entry in entries:
            yield entry


_Document = TypeVar("_Document", DocumentEntry, SourceDocument)


def going_documents(
    documents: Iterable[_Document], add: Iterable[SourceDocument], remove: Iterable[str]
) -> list[_Document]:
    """Those that an update takes away: the removed, and those in whose place an added one comes.

    One that is added with an id takes the place of that id, one without takes the place of its raw key.
    """
    added: tuple[SourceDocument, ...] = tuple(add)
    ids = {*remove, *(document.document_id for document in added)}
    keys = {document.key for document in added if document.document_id is None}
    return [document for document in documents if document.document_id in ids or document.key in keys]


def remembered_media_types(
    artifacts: Mapping[str, Any], added: Iterable[SourceDocument], removed: Iterable[DocumentEntry]
) -> dict[str, str]:
    """The media types that callers gave, by raw key: the listing does not hold them."""
    gone = {entry.key for entry in removed}
    kept = {key: media_type for key, media_type in _media_types(artifacts).items() if key not in gone}
    return kept | {document.key: document.media_type for document in added if document.media_type}


def _media_types(artifacts: Mapping[str, Any]) -> dict[str, str]:
    if MEDIA_TYPES_ARTIFACT in artifacts:
        return dict(artifacts[MEDIA_TYPES_ARTIFACT])
    given = map(SourceDocument.of, artifacts.get(SOURCE_DOCUMENTS) or ())
    return {document.key: document.media_type for document in given if document.media_type}
