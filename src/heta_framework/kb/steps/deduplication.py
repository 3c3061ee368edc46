"""The frame of the two deduplication steps: facts are read, merged exactly, then by meaning, and written."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from anyio import to_thread

from heta_framework.kb.components import store_ref
from heta_framework.kb.context import StepExecutionContext, execution
from heta_framework.kb.graphing.fact_packs import Fact
from heta_framework.kb.graphing.merging.dedup_step import (
    DedupSettings,
    all_facts,
    merged_by_meaning,
    reply_cleanup,
    written_facts,
)
from heta_framework.kb.graphing.merging.id_mapping import IdMapping
from heta_framework.kb.graphing.merging.kinds import FactKind
from heta_framework.kb.steps.cleanup import StepCleanupPlan
from heta_framework.kb.steps.pack_artifacts import pack_cleanup, packs_are_whole
from heta_framework.kb.steps.protocol import StepCapabilities, StepContextProtocol, StepRequirements


@dataclass(frozen=True)
class FactPlaces:
    """Where a step finds facts and puts them.

    Attributes:
        source, merged: artifacts with the keys of the packs.
        prefix: where the packs of merged facts go.
        mapping: the artifact that says which fact became which.
    """

    source: str
    merged: str
    prefix: str
    mapping: str
    result: str


class DeduplicationStep(ABC):
    """What is alike whichever kind of fact is merged.

    An update looks at all facts again, from what the models replied before: the result is that of a build.
    """

    name: ClassVar[str]
    kind: ClassVar[FactKind]
    config: Any

    @property
    @abstractmethod
    def places(self) -> FactPlaces:
        """Where its facts are."""

    @abstractmethod
    def merged_exactly(self, facts: Sequence[Fact], run: StepExecutionContext) -> list[Fact]:
        """The facts with those that are the same as one; in a worker thread."""

    @abstractmethod
    def result(self, keys: tuple[str, ...], before: int, after: int, **counts: Any) -> object:
        """What the step says that it did.

        Args:
            before, after: how many facts there were and are.
            counts: the fields that the results of both kinds have.
        """

    @property
    def requirements(self) -> StepRequirements:
        """The packs of facts; models only where they are named."""
        components = {store_ref("objects", self.config.object_store), *DedupSettings.of(self.config).named_models()}
        return StepRequirements(frozenset(components), frozenset({self.places.source}))

    @property
    def capabilities(self) -> StepCapabilities:
        """The packs of merged facts, and which fact became which."""
        return StepCapabilities(frozenset({self.places.merged, self.places.mapping, self.places.result}))

    async def run(self, context: StepContextProtocol) -> None:
        """Merge all facts there are."""
        run, store, places = execution(context), self.config.object_store, self.places
        facts = await all_facts(run, store, places.source)
        exact = await to_thread.run_sync(self.merged_exactly, facts, run)
        outcome = await merged_by_meaning(run, self.kind, exact, DedupSettings.of(self.config), step=self.name)
        keys = await written_facts(run, store, places.prefix, places.merged, self.kind.id_field, outcome.facts)
        result = self.result(
            keys,
            len(facts),
            len(outcome.facts),
            exact_merge_count=len(facts) - len(exact),
            semantic_merge_count=outcome.merged,
            failed_group_count=outcome.failed,
            exact_round_count=1,
            semantic_round_count=outcome.rounds,
            issues=tuple(outcome.issues),
        )
        run.set_artifact(places.result, result)
        run.set_artifact(places.merged, keys)
        run.set_artifact(places.mapping, IdMapping.of(outcome.facts, self.kind.id_field))

    async def intact(self, context: StepContextProtocol) -> bool:
        """Whether the packs can be read."""
        return await packs_are_whole(execution(context), self.places.merged, self.config.object_store)

    def cleanup_plan(self, artifacts: Mapping[str, Any]) -> StepCleanupPlan:
        """The packs, and the models' replies."""
        store = self.config.object_store
        packs = pack_cleanup(artifacts, self.places.merged, self.places.prefix, store)
        return StepCleanupPlan((*packs.targets, *reply_cleanup(artifacts, self.name, store)))
