"""A knowledge base and the documents in it, shared by forks until one of them changes it.

Only objects (raw documents and what was derived from them) are ever copied; indexes and tables are made again from
them, which calls no model. So a copy holds nothing that the original has dropped, whatever an index keeps in its files.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from anyio import to_thread

from heams.memory.knowledge_base.documents import Documents, HeardDocument
from heams.memory.knowledge_base.facts import GraphFact, facts_of
from heams.memory.knowledge_base.objects import copy_objects
from heams.memory.knowledge_base.workshop import Place, Workshop
from heta_framework.common.stores.object.many import delete_many, put_many
from heta_framework.kb.documents import SourceDocument
from heta_framework.kb.knowledge_base import KnowledgeBase
from heta_framework.kb.recipe_file import close_stores

if TYPE_CHECKING:
    from heta_framework.common.stores.object.protocol import ObjectStoreProtocol
    from heta_framework.kb.chunks import Chunk
    from heta_framework.kb.recipe import KnowledgeRecipe


class KnowledgeState:
    """One state. The knowledge base is made with the first documents."""

    def __init__(self, workshop: Workshop) -> None:
        """An empty one in a place of its own."""
        self.documents: Documents = {}
        self.knowledge_base: KnowledgeBase | None = None
        self.users = 1
        self._workshop = workshop
        self._place: Place = workshop.new_place()
        self._recipe: KnowledgeRecipe = workshop.recipe_at(self._place)
        self._chunks: Mapping[str, Chunk] | None = None
        self._packs: Mapping[str, Sequence[Chunk]] = {}
        self._facts: Mapping[str, GraphFact] | None = None

    @property
    def objects(self) -> ObjectStoreProtocol:
        """What everything can be made again from."""
        store: ObjectStoreProtocol = self._recipe.component_at("stores.objects")
        return store

    async def change(self, documents: Documents) -> None:
        """Hold these documents and no others.

        Raises:
            KnowledgeBuildError: a step failed; the state is what it was.
        """
        new = [document for key, document in documents.items() if not _equal(document, self.documents.get(key))]
        old = [document for key, document in self.documents.items() if not _equal(document, documents.get(key))]
        if new or old:
            await put_many(self.objects, [(self._key(document), document.content) for document in new])
            gone = [document.id for document in old if document.id not in documents]
            await self._update([self._source(document) for document in new], gone)
            await self._keep_raw(documents)
            self._chunks = self._facts = None
        self.documents = documents

    async def chunks(self) -> Mapping[str, Chunk]:
        """All chunks by id; read are only the packs that the last change has made."""
        if self._chunks is None:
            self._packs = await self._read_packs()
            self._chunks = {chunk.chunk_id: chunk for pack in self._packs.values() for chunk in pack}
        return self._chunks

    async def _read_packs(self) -> Mapping[str, Sequence[Chunk]]:
        from heta_framework.kb.derived.chunk_packs import read_chunks
        from heta_framework.kb.lifecycle.forgetting import CHUNK_KEYS

        base = self.knowledge_base
        keys = () if base is None else base.run_record.artifacts.get(CHUNK_KEYS, ())
        unread = [key for key in keys if key not in self._packs]
        read = [chunks async for chunks in read_chunks(self.objects, unread)]
        packs = {**self._packs, **dict(zip(unread, read, strict=True))}
        return {key: packs[key] for key in keys}

    async def facts(self) -> Mapping[str, GraphFact]:
        """All facts of the graph by id."""
        if self._facts is None:
            self._facts = {} if self.knowledge_base is None else await facts_of(self.knowledge_base)
        return self._facts

    async def copied(self) -> KnowledgeState:
        """The same state in a place of its own."""
        return await self.made_of(self.objects, self.documents, self._workshop)

    @classmethod
    async def made_of(cls, objects: ObjectStoreProtocol, documents: Documents, workshop: Workshop) -> KnowledgeState:
        """The state that consists of a copy of these objects.

        Raises:
            KnowledgeBuildError: its indexes could not be made.
        """
        made = cls(workshop)
        try:
            await copy_objects(objects, made.objects)
            if documents:
                made.knowledge_base = await KnowledgeBase.load(recipe=made._recipe, name=made._place.name)
        except BaseException:
            await made.release()
            raise
        made.documents = documents
        return made

    async def release(self) -> None:
        """One user fewer; with the last one, everything that the state keeps is gone."""
        self.users -= 1
        if self.users:
            return
        try:
            if self._workshop.on_servers:
                await self._clear_servers()
        finally:
            await close_stores(self._recipe)
        await to_thread.run_sync(lambda: shutil.rmtree(self._place.folder, ignore_errors=True))

    async def _update(self, add: Sequence[SourceDocument], remove: Sequence[str]) -> None:
        if self.knowledge_base is None:
            # what a knowledge base is made with stays in its record, which every update reads: so it is one document
            first, add = {"source_documents": tuple(add[:1])}, add[1:]
            self.knowledge_base = await KnowledgeBase.create(
                recipe=self._recipe, name=self._place.name, initial_artifacts=first
            )
        gone = await self._listed(remove)
        if add or gone:
            self.knowledge_base = await self.knowledge_base.update(add=add, remove=gone)

    async def _listed(self, ids: Sequence[str]) -> list[str]:
        """Those of the documents that are listed; one without text is not."""
        if not ids or self.knowledge_base is None:
            return []
        known = {entry.document_id for entry in await self.knowledge_base.documents()}
        return [document_id for document_id in ids if document_id in known]

    async def _clear_servers(self) -> None:
        """Servers are shared: a state leaves nothing behind on them."""
        if self.knowledge_base is not None:
            await self.knowledge_base.delete(purge=True)
        await self._keep_raw({})

    async def _keep_raw(self, documents: Documents) -> None:
        """Remove all raw documents but these, also what a change that failed has left."""
        kept = {self._key(document) for document in documents.values()}
        raw = [info.key for info in await self.objects.list(self._raw)]
        await delete_many(self.objects, [key for key in raw if key not in kept])

    @property
    def _raw(self) -> str:
        return f"raw/{self._place.name}/"

    def _key(self, document: HeardDocument) -> str:
        return f"{self._raw}{document.file_name}"

    def _source(self, document: HeardDocument) -> SourceDocument:
        return SourceDocument(self._key(document), document_id=document.id, media_type="text/plain")


def _equal(document: HeardDocument, other: HeardDocument | None) -> bool:
    return other is not None and document.text == other.text
