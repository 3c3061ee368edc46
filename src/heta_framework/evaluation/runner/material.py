"""What a benchmark gives: looked over and checked as a whole before anything is written."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from anyio import to_thread

from heta_framework.evaluation.runner.cases import CaseBook
from heta_framework.evaluation.runner.distinct import DistinctIds
from heta_framework.evaluation.runner.documents import look_over
from heta_framework.evaluation.runner.identities import Digest
from heta_framework.evaluation.runner.request import RunRequest
from heta_framework.evaluation.runner.units import PlannedUnit, plan_units
from heta_framework.evaluation.types import BenchmarkWorkspace, PreparedBenchmark


@dataclass(frozen=True)
class Material:
    """A benchmark that is ready to be run."""

    prepared: PreparedBenchmark
    document_ids: DistinctIds
    cases: CaseBook
    units: tuple[PlannedUnit, ...]

    @property
    def question_count(self) -> int:
        """Cases that are in units; each is asked in every mode."""
        return sum(len(unit.cases) for unit in self.units)

    def units_identity(self) -> dict[str, object]:
        """Count and hash of the units, their documents and cases."""
        digest = Digest()
        for unit in self.units:
            digest.add(unit.unit_id, unit.knowledge_base_name, list(unit.documents), list(unit.cases))
        return digest.to_dict()


@asynccontextmanager
async def opened_material(request: RunRequest) -> AsyncIterator[Material]:
    """Prepare the benchmark and read its ids, cases and units.

    Raises:
        TypeError: the benchmark gives something else than a benchmark gives.
        ValueError: something is missing, comes twice, or names what does not exist.
    """
    await to_thread.run_sync(_make_folders, request.workspace)
    prepared = await _prepared(request)
    cases = CaseBook(request.workspace.cache_dir)
    try:
        document_ids = await look_over(request.benchmark, prepared)
        await cases.read(request.benchmark, prepared)
        units = await plan_units(
            request.benchmark,
            prepared,
            knowledge_base_name=request.knowledge_base_name,
            documents=document_ids,
            cases=cases.ids,
        )
        yield Material(prepared, document_ids, cases, units)
    finally:
        cases.close()


async def _prepared(request: RunRequest) -> PreparedBenchmark:
    given: Any = request.benchmark.prepare(request.workspace)
    prepared = await given if isinstance(given, Awaitable) else given
    if not isinstance(prepared, PreparedBenchmark):
        raise TypeError(f"prepare() must return a PreparedBenchmark, found {type(prepared).__name__}")
    return prepared


def _make_folders(workspace: BenchmarkWorkspace) -> None:
    for folder in (workspace.root_dir, workspace.cache_dir, workspace.output_dir):
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
