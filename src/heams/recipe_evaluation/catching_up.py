"""Cases that an earlier process had finished and not yet written down as lines of the run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from heams.recipe_evaluation.first_cases import FirstCases
from heams.recipe_evaluation.metering import QueryMeter
from heams.recipe_evaluation.mode_lines import ModeLines
from heta_framework.evaluation.records import SavedCases

if TYPE_CHECKING:
    from heta_framework.common.stores.object.protocol import ObjectStoreProtocol


async def catch_up(
    objects: ObjectStoreProtocol, folder: str, benchmark: FirstCases, lines: Mapping[str, ModeLines], meter: QueryMeter
) -> None:
    """Add the lines of cases that are in the evaluation's own files and in no line of the run."""
    saved = await SavedCases.open(objects, folder)
    keys = saved.keys()
    missing = {(case_id, mode) for case_id, mode in keys if not lines[mode].knows(case_id, failed=False)}
    if not missing:
        return
    async for case in benchmark.cases(benchmark.prepared):
        for mode, added in lines.items():
            if (case.case_id, mode) not in missing:
                continue
            found = saved.find(case.case_id, mode)
            if found is not None and not (found.error is not None and added.knows(case.case_id, failed=True)):
                added.take(case, found, meter.take(found))
