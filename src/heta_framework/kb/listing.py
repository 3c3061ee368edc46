"""Which knowledge bases an object store holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from heta_framework.common.stores.object.many import get_many
from heta_framework.kb.lifecycle.sealed_json import TornRecordError, unseal
from heta_framework.kb.manifest import KnowledgeBaseManifest
from heta_framework.kb.runtime import ROOT, KnowledgeBaseRuntime

if TYPE_CHECKING:
    from heta_framework.common.stores.object.protocol import ObjectStoreProtocol


async def list_knowledge_bases(objects: ObjectStoreProtocol) -> tuple[KnowledgeBaseManifest, ...]:
    """The manifests of all knowledge bases that were built once, by name.

    One whose first build did not finish has none yet; one whose manifest is damaged is left out.
    """
    keys = [info.key for info in await objects.list(f"{ROOT}/") if info.key.endswith("/manifest.json")]
    found: list[KnowledgeBaseManifest] = []
    for key, data in zip(keys, await get_many(objects, keys), strict=True):
        try:
            manifest = KnowledgeBaseManifest.from_dict(unseal(data))
        except TornRecordError:
            continue
        if KnowledgeBaseRuntime(manifest.name).manifest_key == key:
            found.append(manifest)
    return tuple(sorted(found, key=lambda manifest: manifest.name))
