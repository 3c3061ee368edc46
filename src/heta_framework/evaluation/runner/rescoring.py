"""Scores saved responses anew, without asking again."""

from __future__ import annotations

from dataclasses import replace

import anyio

from heta_framework.evaluation.records import CaseLog
from heta_framework.evaluation.runner.cases import CaseBook
from heta_framework.evaluation.runner.config import BenchmarkRunConfig
from heta_framework.evaluation.runner.progress import CaseWatcher, Watcher
from heta_framework.evaluation.runner.scoring import Scorer, with_errors
from heta_framework.evaluation.runner.side_by_side import side_by_side
from heta_framework.evaluation.runner.tally import Tally

_LOOK_AGAIN_S = 0.01


async def score_anew(
    log: CaseLog,
    cases: CaseBook,
    scorer: Scorer,
    config: BenchmarkRunConfig,
    *,
    watcher: Watcher,
    on_case: CaseWatcher | None = None,
) -> None:
    """Give every saved response the scores of these evaluators; returns when all are durable.

    Cases that failed are left as they are: they are asked again.
    """
    kept = [(key, line) for key, line in log.done.items() if key not in log.failed]
    saved = await log.saved()
    tally = Tally("score", len(kept), watcher=watcher, on_case=on_case)
    waiting = iter(kept)

    async def work() -> None:
        for (case_id, mode), line in waiting:
            result = saved.find(case_id, mode)
            assert result is not None  # noqa: S101 - the log named it
            assert result.response is not None  # noqa: S101 - it has not failed
            case = cases[cases.ids.position(case_id)]
            scored = await scorer.score(case, result.response)
            anew = replace(result, scores=scored.scores, metadata=with_errors(result.metadata, scored.errors))
            await log.wait_for_room()
            log.submit(anew, line.ordinal, line.unit, tally.counting(case, anew, line.ordinal, line.unit))

    await side_by_side(work, config.max_concurrent_queries)
    while tally.done < len(kept):
        await log.wait_for_room()
        await anyio.sleep(_LOOK_AGAIN_S)
