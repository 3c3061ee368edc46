"""A unit from its documents to its last case: built, asked, let go of; several units side by side."""

from __future__ import annotations

from collections.abc import Sequence

from heta_framework.evaluation.runner.config import BenchmarkRunConfig
from heta_framework.evaluation.runner.knowledge_bases import UnitBuilder
from heta_framework.evaluation.runner.query_phase import QueryPhase
from heta_framework.evaluation.runner.releasing import release
from heta_framework.evaluation.runner.side_by_side import side_by_side
from heta_framework.evaluation.runner.unit_files import UnitFiles
from heta_framework.evaluation.runner.units import PlannedUnit
from heta_framework.evaluation.types import EvaluationError
from heta_framework.kb import KnowledgeBase


class UnitWork:
    """All units of a run."""

    def __init__(self, builder: UnitBuilder, phase: QueryPhase, files: UnitFiles, config: BenchmarkRunConfig) -> None:
        self._builder = builder
        self._phase = phase
        self._files = files
        self._config = config

    async def run(self, units: Sequence[PlannedUnit]) -> tuple[KnowledgeBase, ...]:
        """Work through them; the knowledge bases come in the order of the units."""
        done: dict[int, KnowledgeBase] = {}
        waiting = iter(enumerate(units))

        async def work() -> None:
            for place, unit in waiting:
                done[place] = await self._one(place, unit)

        await side_by_side(work, min(self._config.max_concurrent_units, len(units)))
        return tuple(done[place] for place in range(len(units)))

    async def _one(self, place: int, unit: PlannedUnit) -> KnowledgeBase:
        if not self._phase.has_questions(unit) and (known := await self._known(place, unit)):
            return known
        kb = await self._builder.build(unit)
        await self._files.save(place, kb)
        if kb.run_record.status == "succeeded":
            await self._phase.ask(unit, kb)
        else:
            await self._phase.fail(unit, _build_failure(kb))
        return await self._released(kb)

    async def _known(self, place: int, unit: PlannedUnit) -> KnowledgeBase | None:
        """The knowledge base of a unit whose cases are done."""
        recipe, engines = self._builder.recipe, self._builder.engines
        standing = await self._files.standing(unit.knowledge_base_name, recipe, engines)
        if standing is not None:
            return await self._released(standing)
        return await self._files.kept(place, recipe, engines)

    async def _released(self, kb: KnowledgeBase) -> KnowledgeBase:
        return await release(kb, discard=self._config.discard_knowledge_bases)


def _build_failure(kb: KnowledgeBase) -> EvaluationError:
    failed = next((step for step in kb.run_record.step_records if step.status == "failed"), None)
    why = f": step {failed.step_name!r} failed: {failed.error}" if failed else ""
    return EvaluationError(
        f"the knowledge base {kb.name!r} could not be built{why}", "KnowledgeBuildError", metadata={"phase": "build"}
    )
