"""A benchmark that is prepared, counted, and cut to its first cases."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Self

from heta_framework.evaluation.protocols import BenchmarkEvaluatorProtocol, BenchmarkProtocol
from heta_framework.evaluation.types import (
    BenchmarkCase,
    BenchmarkDocument,
    BenchmarkManifest,
    BenchmarkResource,
    BenchmarkRunUnit,
    BenchmarkWorkspace,
    PreparedBenchmark,
)
from heta_framework.evaluation.yielded import yielded


@dataclass(frozen=True, slots=True)
class FirstCases:
    """A benchmark of the first cases of another one, and of the documents of their units.

    Attributes:
        all_case_ids: of all cases that some unit is asked, in the order of the benchmark.
        units: with the cases that are asked.
        limit: how many cases at most; None for all.
    """

    benchmark: BenchmarkProtocol
    prepared: PreparedBenchmark
    all_case_ids: Sequence[str]
    units: Sequence[BenchmarkRunUnit]
    limit: int | None = None

    @classmethod
    async def of(cls, benchmark: BenchmarkProtocol, workspace: BenchmarkWorkspace, limit: int | None) -> Self:
        """Prepare a benchmark and read which cases and units it has."""
        prepared = await benchmark.prepare(workspace)
        units = [unit async for unit in yielded(benchmark.run_units(prepared), BenchmarkRunUnit)]
        ids = _asked([case.case_id async for case in yielded(benchmark.cases(prepared), BenchmarkCase)], units)
        if limit is not None:
            units = _cut(units, frozenset(ids[:limit]))
        return cls(benchmark, prepared, ids, units, limit)

    @property
    def case_ids(self) -> Sequence[str]:
        """Of the cases that are asked."""
        return self.all_case_ids[: self.limit]

    @property
    def is_one_corpus(self) -> bool:
        """Whether all cases are asked of one knowledge base of all documents."""
        return len(self.units) == 1 and self.units[0].is_corpus_level

    @property
    def manifest(self) -> BenchmarkManifest:
        """The benchmark's own."""
        return self.benchmark.manifest

    def resources(self) -> tuple[BenchmarkResource, ...]:
        """The benchmark's own."""
        return self.benchmark.resources()

    async def prepare(self, workspace: BenchmarkWorkspace) -> PreparedBenchmark:
        """What was prepared before."""
        return self.prepared

    async def documents(self, prepared: PreparedBenchmark) -> AsyncIterator[BenchmarkDocument]:
        """The documents of the units; all where a unit is made of all."""
        whole = self.limit is None or any(not unit.document_ids for unit in self.units)
        wanted = frozenset(() if whole else (one for unit in self.units for one in unit.document_ids))
        async for document in yielded(self.benchmark.documents(prepared), BenchmarkDocument):
            if whole or document.document_id in wanted:
                yield document

    async def cases(self, prepared: PreparedBenchmark) -> AsyncIterator[BenchmarkCase]:
        """The first cases."""
        wanted = None if self.limit is None else frozenset(self.case_ids)
        async for case in yielded(self.benchmark.cases(prepared), BenchmarkCase):
            if wanted is None or case.case_id in wanted:
                yield case

    async def run_units(self, prepared: PreparedBenchmark) -> AsyncIterator[BenchmarkRunUnit]:
        """The units that are asked something."""
        for unit in self.units:
            yield unit

    def evaluators(self) -> tuple[BenchmarkEvaluatorProtocol, ...]:
        """The benchmark's own."""
        return self.benchmark.evaluators()


def _cut(units: Sequence[BenchmarkRunUnit], asked: Collection[str]) -> list[BenchmarkRunUnit]:
    """The units with those of their cases that are asked; a unit without any is left out."""
    cut = (replace(unit, case_ids=tuple(one for one in unit.case_ids if one in asked)) for unit in units)
    return [now for now, unit in zip(cut, units, strict=True) if now.case_ids or not unit.case_ids]


def _asked(ids: Sequence[str], units: Sequence[BenchmarkRunUnit]) -> Sequence[str]:
    """The cases that some unit is asked."""
    if any(not unit.case_ids for unit in units):
        return ids
    named = frozenset(one for unit in units for one in unit.case_ids)
    return [one for one in ids if one in named]
