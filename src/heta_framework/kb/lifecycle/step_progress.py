"""Progress of the steps as a watcher sees it: every step begins and ends, whatever it reports in between."""

from __future__ import annotations

from heta_framework.kb.context import Progress


class StepProgress:
    """Passes on what a step reports, and says when it begins and ends."""

    def __init__(self, watcher: Progress | None) -> None:
        self._watcher = watcher
        self._counted = 0

    def __call__(self, step: str, done: int, total: int | None) -> None:
        """What a step reports; a total that turns out too small was none."""
        self._counted = max(done, total or 0)
        if self._watcher is not None:
            self._watcher(step, done, None if total is not None and done > total else total)

    def begins(self, step: str) -> None:
        """Nothing is done, of a number that is not known yet."""
        self(step, 0, None)

    def ends(self, step: str) -> None:
        """All is done: of what the step counted, else of the step itself."""
        counted = self._counted or 1
        self(step, counted, counted)
