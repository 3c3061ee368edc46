"""The knowledge bases of a run: built from exactly a unit's documents, found again, and let go of."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from heta_framework.evaluation.runner.config import BenchmarkRunConfig
from heta_framework.evaluation.runner.documents import StoredDocuments
from heta_framework.evaluation.runner.progress import BUILT, RunProgress, Watcher
from heta_framework.evaluation.runner.units import PlannedUnit
from heta_framework.kb import (
    KnowledgeBase,
    KnowledgeBaseAlreadyExistsError,
    KnowledgeRecipe,
    QueryEngineRegistry,
)
from heta_framework.kb.lifecycle.inputs import UPDATE_ARTIFACT, checked_inputs
from heta_framework.kb.lifecycle.run_files import RunFiles
from heta_framework.kb.lifecycle.step_identity import inputs_identity, step_identities

if TYPE_CHECKING:
    from heta_framework.common.stores.object.protocol import ObjectStoreProtocol
    from heta_framework.kb.context import Progress

_BUILD = "benchmark_build"


@dataclass(frozen=True)
class UnitBuilder:
    """Builds what the recipe says.

    Attributes:
        benchmark: its key, noted in each knowledge base.
        initial_artifacts: the caller's own, for every build.
    """

    recipe: KnowledgeRecipe
    objects: ObjectStoreProtocol
    benchmark: str
    documents: StoredDocuments
    config: BenchmarkRunConfig
    watcher: Watcher
    engines: QueryEngineRegistry | None = None
    initial_artifacts: Mapping[str, Any] = field(default_factory=dict)

    async def build(self, unit: PlannedUnit) -> KnowledgeBase:
        """The unit's knowledge base: a finished one of the same recipe and documents is taken as it is.

        Raises:
            KnowledgeBuildError: a step failed, and the run is told to raise then.
            KnowledgeBaseAlreadyExistsError: another knowledge base has the name.
            KnowledgeBaseBusyError: another process is building it.
        """
        inputs = checked_inputs(self._artifacts(unit))
        identity = self._identity(unit, inputs)
        kb = await self._found(unit, identity) or await self._made(unit, inputs, identity)
        self.watcher(RunProgress("build", unit.unit_id, len(unit.documents), len(unit.documents), message=BUILT))
        return kb

    async def _found(self, unit: PlannedUnit, identity: str) -> KnowledgeBase | None:
        name = unit.knowledge_base_name
        standing = await RunFiles(self.objects, name).outline()
        if not standing.finished or standing.manifest is None:
            return None
        if standing.manifest.metadata.get(_BUILD) != identity:
            raise _taken(name, "it was built by another recipe or from other documents")
        if UPDATE_ARTIFACT in standing.manifest.run_record.artifacts:
            raise _taken(name, "its documents were updated since it was built")
        return await KnowledgeBase.load(recipe=self.recipe, name=name, query_engines=self.engines)

    async def _made(self, unit: PlannedUnit, inputs: Mapping[str, Any], identity: str) -> KnowledgeBase:
        return await KnowledgeBase.create(
            recipe=self.recipe,
            name=unit.knowledge_base_name,
            initial_artifacts=inputs,
            metadata={_BUILD: identity, "benchmark": self.benchmark, "benchmark_run_unit": unit.unit_id},
            on_error=self.config.on_build_error,
            progress=self._progress(unit),
            query_engines=self.engines,
        )

    def _artifacts(self, unit: PlannedUnit) -> dict[str, Any]:
        sources = tuple(self.documents.sources[position] for position in unit.documents)
        keys = tuple(source.key for source in sources)
        own = {"source_documents": sources, "source_keys": keys, "benchmark_document_keys": keys}
        return {**self.initial_artifacts, **own}

    def _identity(self, unit: PlannedUnit, inputs: Mapping[str, Any]) -> str:
        """A hash over the steps, what they are given, and the documents' contents."""
        steps = step_identities(self.recipe, inputs) or (inputs_identity(inputs),)
        return hashlib.sha256(f"{steps[-1]} {self.documents.identity_of(unit.documents)}".encode()).hexdigest()

    def _progress(self, unit: PlannedUnit) -> Progress:
        def tell(step: str, done: int, total: int | None) -> None:
            self.watcher(RunProgress("build", unit.unit_id, done, total, message=step))

        return tell


def _taken(name: str, why: str) -> KnowledgeBaseAlreadyExistsError:
    return KnowledgeBaseAlreadyExistsError(
        f"knowledge base already exists and succeeded: {name}; it cannot serve this run: {why}. "
        "Choose another knowledge_base_name, or load it and delete() it first"
    )
