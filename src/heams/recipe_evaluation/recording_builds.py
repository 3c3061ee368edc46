"""Writes down each build when it ends, while a run goes on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

from heams.recipe_evaluation.builds import BuildWatch, record_of
from heams.recipe_evaluation.mode_lines import ModeLines

if TYPE_CHECKING:
    from heta_framework.common.stores.object.protocol import ObjectStoreProtocol

_LOOK_EVERY_S = 0.2


@asynccontextmanager
async def recording_builds(
    watch: BuildWatch, run_id: str, objects: ObjectStoreProtocol, lines: Sequence[ModeLines]
) -> AsyncIterator[None]:
    """As long as the context lasts. Each mode's folder tells of every build, since each mode needs all of them."""

    async def record(failure: BaseException | None = None) -> None:
        for build in watch.to_be_recorded():
            made = await record_of(build, run_id, objects, failure)
            build.recorded = True
            for place, one in enumerate(lines):
                one.note_build(made, tell=place == 0)

    async def keep_recording() -> None:
        while True:
            await asyncio.sleep(_LOOK_EVERY_S)
            await record()

    task = asyncio.create_task(keep_recording())
    try:
        yield
    except (Exception, asyncio.CancelledError) as failure:
        await _end(task)
        watch.fail()
        await record(failure)
        raise
    else:
        await _end(task)
        await record()
    finally:
        task.cancel()


async def _end(task: asyncio.Task[None]) -> None:
    """Stop looking; what the looking itself failed with is raised."""
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
