"""What is kept of each unit beside the report, so that a run that is taken up knows knowledge bases that are gone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from heta_framework.evaluation.runner.unit_manifests import slim_manifest
from heta_framework.kb import KnowledgeBase, KnowledgeRecipe, QueryEngineRegistry
from heta_framework.kb.lifecycle.run_files import RunFiles
from heta_framework.kb.manifest import KnowledgeBaseManifest

if TYPE_CHECKING:
    from heta_framework.common.stores.object.protocol import ObjectStoreProtocol


class UnitFiles:
    """The manifests of a run's knowledge bases, in the folder ``units`` of its report."""

    def __init__(self, objects: ObjectStoreProtocol, folder: str | None) -> None:
        """``folder`` is the report's; None keeps nothing."""
        self._objects = objects
        self._folder = folder

    async def save(self, place: int, kb: KnowledgeBase) -> None:
        """Keep the manifest of the unit at this place among the units."""
        if self._folder is not None:
            text = json.dumps(slim_manifest(kb), ensure_ascii=False, allow_nan=False)
            await self._objects.put(self._key(place), text.encode())

    async def standing(
        self, name: str, recipe: KnowledgeRecipe, engines: QueryEngineRegistry | None
    ) -> KnowledgeBase | None:
        """A finished knowledge base of this name; None where there is none.

        Its indexes are not looked at: nobody is going to ask it.
        """
        standing = await RunFiles(self._objects, name).outline()
        if not standing.finished or standing.manifest is None:
            return None
        return KnowledgeBase.restore(manifest=standing.manifest, recipe=recipe, query_engines=engines)

    async def kept(
        self, place: int, recipe: KnowledgeRecipe, engines: QueryEngineRegistry | None
    ) -> KnowledgeBase | None:
        """A knowledge base that is gone, as far as its manifest tells; None where nothing was kept of it."""
        manifest = await self._kept(place)
        if manifest is None:
            return None
        return KnowledgeBase.restore(manifest=manifest, recipe=recipe, query_engines=engines)

    async def _kept(self, place: int) -> KnowledgeBaseManifest | None:
        if self._folder is None:
            return None
        try:
            found: Mapping[str, Any] = json.loads(await self._objects.get(self._key(place)))
        except (FileNotFoundError, ValueError):
            return None
        return KnowledgeBaseManifest.from_dict(found)

    def _key(self, place: int) -> str:
        return f"{self._folder}/units/{place:06d}.json"
