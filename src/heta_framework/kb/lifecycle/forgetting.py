"""What goes when documents go: packs that nothing refers to, and results in the step cache that nobody else needs.

The step cache is shared by all knowledge bases of an object store. Its keys are made of contents: the parse key of a
document, the hash of a chunk's text, the name of a pack of the listing of documents; those of other results are noted
in packs. A key is forgotten when no knowledge base of the store holds that content any more.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from heta_framework.kb.documents import DocumentEntry
from heta_framework.kb.lifecycle.inputs import LISTING_NOTES
from heta_framework.kb.lifecycle.sealed_json import TornRecordError, unseal
from heta_framework.kb.lifecycle.sources import DOCUMENT_KEYS, listed_documents
from heta_framework.kb.runtime import ROOT
from heta_framework.kb.search.context import NAMESPACE_ARTIFACT
from heta_framework.kb.steps.errors import LostArtifactError

if TYPE_CHECKING:
    from heta_framework.common.stores.object.protocol import ObjectStoreProtocol
    from heta_framework.kb.chunks import Chunk

CACHE_ROOT = "_heta/cache"
CHUNK_KEYS = "chunk_keys"
USED_VECTORS = "graph_vector_cache_keys"
_PACK_SUFFIX = ".pack"
_DAMAGED = (FileNotFoundError, ValueError, LostArtifactError)


async def cache_keys_of(
    objects: ObjectStoreProtocol, artifacts: Mapping[str, Any], documents: Collection[DocumentEntry]
) -> set[str]:
    """The keys of everything in the step cache that was made of these documents.

    The names of all listing packs are among them: after an update those that did not change are still needed.
    """
    from heta_framework.kb.derived.chunk_packs import read_text_hashes

    ids = {document.document_id for document in documents}
    keys = {document.parse_key for document in documents} | set(_listing_names(artifacts))
    async for hashes in read_text_hashes(objects, artifacts.get(CHUNK_KEYS, ()), ids):
        keys |= hashes
    return keys


async def all_cache_keys(objects: ObjectStoreProtocol, artifacts: Mapping[str, Any]) -> AsyncIterator[str]:
    """The same for every document of a knowledge base, one by one; what is damaged is passed over."""
    from heta_framework.kb.derived.chunk_packs import read_text_hashes

    for name in _listing_names(artifacts):
        yield name
    async for key in noted_cache_keys(objects, noted_packs(artifacts)):
        yield key
    try:
        async for document in listed_documents(objects, artifacts):
            yield document.parse_key
        async for hashes in read_text_hashes(objects, artifacts.get(CHUNK_KEYS, ())):
            for key in hashes:
                yield key
    except _DAMAGED:
        return


def noted_packs(artifacts: Mapping[str, Any]) -> tuple[str, ...]:
    """The packs that note which further keys a knowledge base needs."""
    return tuple(artifacts.get(USED_VECTORS) or ())


async def noted_cache_keys(objects: ObjectStoreProtocol, packs: Iterable[str]) -> AsyncIterator[str]:
    """The keys that packs note; a pack that is damaged or gone is passed over."""
    from heta_framework.kb.derived.packs import read_pack

    for pack in packs:
        with suppress(*_DAMAGED):
            for key in await read_pack(objects, pack):
                yield key


async def cache_packs(objects: ObjectStoreProtocol) -> tuple[str, ...]:
    """The packs of the step cache."""
    return tuple(info.key for info in await objects.list(f"{CACHE_ROOT}/"))


async def keys_of_other_packs(objects: ObjectStoreProtocol, known: Collection[str]) -> set[str]:
    """The keys of everything in the step cache that is not in the packs that are known."""
    others = set(await cache_packs(objects)) - set(known)
    return {key async for key in noted_cache_keys(objects, sorted(others))}


async def listed_chunks(objects: ObjectStoreProtocol, artifacts: Mapping[str, Any]) -> AsyncIterator[Chunk]:
    """The chunks of a knowledge base, in the order of their packs."""
    from heta_framework.kb.derived.chunk_packs import read_chunks

    async for chunks in read_chunks(objects, artifacts.get(CHUNK_KEYS, ())):
        for chunk in chunks:
            yield chunk


def _listing_names(artifacts: Mapping[str, Any]) -> list[str]:
    """What the packs of the listing are called, after their content, and what is noted of them all together."""
    names = [key.rpartition("/")[2].removesuffix(_PACK_SUFFIX) for key in artifacts.get(DOCUMENT_KEYS, ())]
    return [*names, *(artifacts.get(LISTING_NOTES) or ())]


async def forget(objects: ObjectStoreProtocol, keys: Iterable[str], *, except_for: str | None = None) -> None:
    """Discard results from the step cache that no knowledge base needs.

    Args:
        keys: see `cache_keys_of`.
        except_for: the folder of a knowledge base whose needs do not count, because it is being deleted.
    """
    unneeded = set(keys)
    async for artifacts in _knowledge_bases(objects, except_for):
        if not unneeded:
            return
        async for key in all_cache_keys(objects, artifacts):
            unneeded.discard(key)
    if unneeded:
        await _discard(objects, unneeded)


async def sweep_unreferenced(
    objects: ObjectStoreProtocol, artifacts: Mapping[str, Any], folders: Iterable[str] = ()
) -> None:
    """Delete the packs of this knowledge base that its artifacts do not name.

    Args:
        folders: where it had packs before: where the last one of a kind is gone, no artifact says where it was.
    """
    from heta_framework.kb.derived.packs import sweep

    named = set(own_packs(artifacts))
    for folder in sorted({*folders, *pack_folders(artifacts)}):
        await sweep(objects, f"{folder}/", named)


def pack_folders(artifacts: Mapping[str, Any]) -> tuple[str, ...]:
    """Where the knowledge base keeps packs."""
    return tuple(sorted({key.rpartition("/")[0] for key in own_packs(artifacts)}))


def own_packs(artifacts: Mapping[str, Any]) -> Iterator[str]:
    """The keys of packs among the artifacts that lie under the knowledge base's own namespace."""
    namespace = artifacts.get(NAMESPACE_ARTIFACT)
    for value in artifacts.values():
        for key in value if isinstance(value, list | tuple) else (value,):
            if isinstance(key, str) and key.endswith(_PACK_SUFFIX) and f"/{namespace}/" in key:
                yield key


async def _knowledge_bases(objects: ObjectStoreProtocol, except_for: str | None) -> AsyncIterator[dict[str, Any]]:
    """The artifacts of every knowledge base of the store, finished or not, those of one of them left out."""
    seen: set[tuple[str, ...]] = set()
    for info in await objects.list(f"{ROOT}/"):
        folder, _, file = info.key.removeprefix(f"{ROOT}/").partition("/")
        if folder != except_for and (file == "manifest.json" or file.endswith("/state.json")):
            try:
                data = unseal(await objects.get(info.key))
            except (FileNotFoundError, TornRecordError):
                continue
            artifacts = data["run_record"]["artifacts"] if file == "manifest.json" else data["artifacts"]
            packs = (*artifacts.get(DOCUMENT_KEYS, ()), *artifacts.get(CHUNK_KEYS, ()))
            if packs not in seen:
                seen.add(packs)
                yield artifacts


async def _discard(objects: ObjectStoreProtocol, keys: Collection[str]) -> None:
    from heta_framework.kb.derived.step_cache import StepCache

    prefixes = {info.key.rpartition("/")[0] for info in await objects.list(f"{CACHE_ROOT}/")}
    for prefix in sorted(prefixes):
        cache = StepCache(objects, prefix.split("/")[2])
        cache.prefix = f"{prefix}/"
        await cache.discard(keys)
