"""Progress of an evaluation in a terminal, with the time that is left; where there is no terminal, nothing is shown."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from heta_framework.evaluation.runner.progress import BUILT, RunProgress, Watcher

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, TaskID

_TITLES = {"documents": "documents", "build": "build", "query": "cases", "score": "scored anew"}


@contextmanager
def progress_bar(console: Console | None = None) -> Iterator[Watcher]:
    """A watcher of a run: ``with progress_bar() as bar: await BenchmarkRunner().run(..., progress=bar)``.

    Args:
        console: where to draw; standard error by default, so that a program's output stays clean.
    """
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[note]}", markup=False),
    )
    shown = console or Console(stderr=True)
    with Progress(*columns, console=shown, disable=not shown.is_terminal) as display:
        yield _Bars(display)


class _Bars:
    """One bar a phase; of builds, one for each unit that is being built."""

    def __init__(self, display: Progress) -> None:
        self._display = display
        self._bars: dict[str, TaskID] = {}

    def __call__(self, seen: RunProgress) -> None:
        bar = self._bar(seen)
        note = f"{seen.failed} failed" if seen.failed else seen.message
        self._display.update(bar, completed=seen.done, total=seen.total, note=note)
        if seen.phase == "build" and seen.message == BUILT:
            self._display.remove_task(self._bars.pop(_key(seen)))

    def _bar(self, seen: RunProgress) -> TaskID:
        key = _key(seen)
        if key not in self._bars:
            self._bars[key] = self._display.add_task(key, total=seen.total, note="")
        return self._bars[key]


def _key(seen: RunProgress) -> str:
    title = _TITLES[seen.phase]
    return f"{title} {seen.unit_id}" if seen.phase == "build" and seen.unit_id else title
