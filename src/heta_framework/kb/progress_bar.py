"""Progress of a build or an update in a terminal; where there is no terminal, nothing is shown."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID

    from heta_framework.kb.context import Progress


@contextmanager
def progress_bar(console: Console | None = None) -> Iterator[Progress]:
    """A watcher of steps: ``with progress_bar() as bar: await KnowledgeBase.create(..., progress=bar)``.

    Args:
        console: where to draw; standard error by default, so that a program's output stays clean.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    shown = console or Console(stderr=True)
    with Progress(*columns, console=shown, disable=not shown.is_terminal) as display:
        yield _Bars(display)


class _Bars:
    """One bar a step."""

    def __init__(self, display: RichProgress) -> None:
        self._display = display
        self._bars: dict[str, TaskID] = {}

    def __call__(self, step: str, done: int, total: int | None) -> None:
        if step not in self._bars:
            self._bars[step] = self._display.add_task(step.replace("_", " "), total=total)
        self._display.update(self._bars[step], completed=done, total=total)
