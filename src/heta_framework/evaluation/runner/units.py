"""Which knowledge bases a run builds, from which documents, and which cases each of them is asked."""

from __future__ import annotations

import hashlib
import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from heta_framework.evaluation.protocols import BenchmarkProtocol
from heta_framework.evaluation.runner.distinct import DistinctIds, listed
from heta_framework.evaluation.types import BenchmarkRunUnit, PreparedBenchmark
from heta_framework.evaluation.yielded import yielded

_LONGEST_NAME = 80
_HASH = 10


@dataclass(frozen=True)
class PlannedUnit:
    """One unit.

    Attributes:
        documents, cases: positions in the benchmark's streams, ascending.
    """

    unit_id: str
    knowledge_base_name: str
    documents: Sequence[int]
    cases: Sequence[int]


async def plan_units(
    benchmark: BenchmarkProtocol,
    prepared: PreparedBenchmark,
    *,
    knowledge_base_name: str,
    documents: DistinctIds,
    cases: DistinctIds,
) -> tuple[PlannedUnit, ...]:
    """The units, each with what it is made of.

    Raises:
        ValueError: there are none; unit ids come twice; a unit names documents or cases that do not exist; a case is
            in two units, so that its results could not be told apart.
    """
    units = [unit async for unit in yielded(benchmark.run_units(prepared), BenchmarkRunUnit)]
    _require_valid(units, documents, cases)
    alone = len(units) == 1 and units[0].is_corpus_level
    planned = tuple(
        PlannedUnit(
            unit_id=unit.unit_id,
            knowledge_base_name=knowledge_base_name if alone else name_of_unit(knowledge_base_name, unit.unit_id),
            documents=_positions(documents, unit.document_ids),
            cases=_positions(cases, unit.case_ids),
        )
        for unit in units
    )
    _require_one_unit_a_case(planned, cases)
    return planned


def name_of_unit(knowledge_base_name: str, unit_id: str) -> str:
    """``{knowledge_base_name}-{unit_id}``.

    A unit id that a knowledge base's name cannot hold, or that makes it longer than 80 characters, is there as a
    readable stand-in with 10 hex of its hash.
    """
    name = f"{knowledge_base_name}-{unit_id}"
    if len(name) <= _LONGEST_NAME and all(character.isalnum() or character in " _-" for character in unit_id):
        return name
    slug = re.sub(r"[^A-Za-z0-9]+", "_", unit_id).strip("_") or "unit"
    digest = hashlib.sha256(f"{knowledge_base_name}\0{unit_id}".encode()).hexdigest()[:_HASH]
    stem = f"{knowledge_base_name}-{slug}"[: _LONGEST_NAME - _HASH - 1].rstrip(" -_")
    return f"{stem}-{digest}"


def _require_valid(units: Sequence[BenchmarkRunUnit], documents: DistinctIds, cases: DistinctIds) -> None:
    DistinctIds("unit_id", (unit.unit_id for unit in units)).require_distinct()
    if not units:
        raise ValueError("benchmark produced no run units")
    for unit in units:
        for what, known, wanted in (("documents", documents, unit.document_ids), ("cases", cases, unit.case_ids)):
            if unknown := known.unknown(wanted):
                raise ValueError(f"benchmark run unit {unit.unit_id!r} references unknown {what}: {listed(unknown)}")


def _positions(known: DistinctIds, wanted: tuple[str, ...]) -> Sequence[int]:
    return array("Q", sorted({known.position(one) for one in wanted})) if wanted else range(len(known))


def _require_one_unit_a_case(units: Sequence[PlannedUnit], cases: DistinctIds) -> None:
    if len(units) == 1:
        return
    taken: dict[int, str] = {}
    for unit in units:
        for position in unit.cases:
            other = taken.setdefault(position, unit.unit_id)
            if other != unit.unit_id:
                case_id = cases.at(position)
                raise ValueError(
                    f"the case {case_id!r} is in the run units {other!r} and {unit.unit_id!r}; a case is asked in one "
                    "unit alone: give it another case_id there, or run the benchmark once for each of the units"
                )
