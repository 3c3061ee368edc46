"""Removes one thing after another from the stores, and keeps account of what went and what did not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from heta_framework.kb.derived.pack_memory import PACKS
from heta_framework.kb.lifecycle.run_files import discard
from heta_framework.kb.runtime import REPORTS_FOLDER
from heta_framework.kb.steps.cleanup import CleanupIssue, CleanupTarget

if TYPE_CHECKING:
    from heta_framework.kb.recipe import KnowledgeRecipe

_SLOTS = {
    "vector_collection": "stores.vector",
    "sql_table": "stores.sql",
    "text_index": "stores.text_index",
    "object_key": "stores.objects",
    "runtime_prefix": "stores.objects",
}


class Remover:
    """Removes targets.

    Attributes:
        removed: the targets that are gone.
        issues: those that are not, and why.
    """

    def __init__(self, recipe: KnowledgeRecipe) -> None:
        self._recipe = recipe
        self.removed: list[CleanupTarget] = []
        self.issues: list[CleanupIssue] = []

    async def remove(self, target: CleanupTarget) -> None:
        """Remove one target; that it is gone already is no failure."""
        try:
            await self._remove(target, self._recipe.component_at(component_of(target)))
        except Exception as error:  # noqa: BLE001 - stores are plugins: one that fails must not keep the others from being cleaned
            self.issues.append(CleanupIssue(target, str(error), type(error).__name__))
        else:
            self.removed.append(target)

    async def _remove(self, target: CleanupTarget, store: Any) -> None:
        if target.kind == "vector_collection":
            if await store.has_collection(target.value):
                await store.drop_collection(target.value)
        elif target.kind == "text_index":
            await self._drop_index(target.value, store)
        elif target.kind == "sql_table":
            await store.execute(f'DROP TABLE IF EXISTS "{target.value}"')
        elif target.kind == "object_key":
            await discard(store, target.value)
        else:
            await self._remove_folder(target.value, store)

    async def _drop_index(self, name: str, store: Any) -> None:
        try:
            await store.count(name)
        except ValueError:  # what every text index says of one that it does not know
            return
        await store.drop_index(name)

    async def _remove_folder(self, prefix: str, objects: Any) -> None:
        folder = f"{prefix.rstrip('/')}/"
        PACKS.forget(folder)
        for info in await objects.list(folder):
            if not info.key.startswith(f"{folder}{REPORTS_FOLDER}/"):
                await discard(objects, info.key)


def component_of(target: CleanupTarget) -> str:
    """The key of the store: a key is taken as it is, a bare name is that of a named store of the kind."""
    slot = _SLOTS[target.kind]
    if target.component is None:
        return slot
    return target.component if target.component.startswith("stores.") else f"{slot}.{target.component}"
