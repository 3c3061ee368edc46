"""Which vectors in the step cache a graph needs: noted beside it, so that others can be forgotten when documents go.

Their keys follow from facts, and from what facts were before they were merged, so nobody could compute them later.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from heta_framework.kb.derived.packs import sweep, write_packs
from heta_framework.kb.steps.pack_artifacts import pack_cleanup

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from heta_framework.common.stores.object.protocol import ObjectStoreProtocol
    from heta_framework.kb.context import StepExecutionContext
    from heta_framework.kb.steps.cleanup import CleanupTarget

USED_VECTORS = "graph_vector_cache_keys"
"""The artifact with the packs whose records' keys are those of the vectors."""

_PREFIX = "embedded_facts"
_used: WeakKeyDictionary[StepExecutionContext, set[str]] = WeakKeyDictionary()


def use_vectors(run: StepExecutionContext, keys: Iterable[str]) -> None:
    """The vectors of these keys were asked for in this run, or will be when the graph has to be written again."""
    _used.setdefault(run, set()).update(keys)


async def note_used_vectors(run: StepExecutionContext, objects: ObjectStoreProtocol) -> None:
    """Write down which vectors were used; nothing where the models of this run keep none."""
    placed = f"{_PREFIX}/{run.namespace}/"
    packs = await write_packs(objects, placed, [(key, b"") for key in sorted(_used.get(run, ()))])
    if run.delta.full:
        await sweep(objects, placed, packs)
    run.set_artifact(USED_VECTORS, packs)


def used_vectors_cleanup(artifacts: Mapping[str, Any], store: str | None) -> tuple[CleanupTarget, ...]:
    """The notes, as far as the knowledge base has a namespace."""
    return pack_cleanup(artifacts, USED_VECTORS, _PREFIX, store).targets
