"""How much of an experiment there is to report."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from heams.reporting.figures import plural
from heams.reporting.tables import Tables

if TYPE_CHECKING:
    from heams.reporting.load import ExperimentResults

_WHY = {
    "interrupted": "the run was interrupted",
    "failed": "the run failed",
    "running": "the run is under way, or its process was ended from outside",
}

_STATES = {"interrupted": "interrupted", "failed": "failed", "running": "under way or ended from outside"}


@dataclass(frozen=True, slots=True)
class Progress:
    """Counts of scenarios (repeats counted). ``total``, ``skipped``, ``limit`` and ``state`` are None when not saved.

    ``saved`` is how many scenarios have a result, ``errors`` how many of these ended in an error, ``mute`` how many of
    the latter have no records and so are missing from every mean. ``skipped`` counts records of the data set that
    became no sample; ``limit`` says that only the first samples were played.
    """

    saved: int
    errors: int
    mute: int = 0
    state: str | None = None
    total: int | None = None
    skipped: int | None = None
    limit: int | None = None
    message: str | None = None

    @property
    def complete(self) -> bool:
        """Whether every scenario has a result."""
        return self.state == "completed" and self.saved >= (self.total or 0)

    @property
    def extent(self) -> str:
        """How much was played, in a few words: ``24 of 24``, ``5 of 24, first 5 samples, interrupted``."""
        parts = [f"{self.saved:,}" if self.total is None else f"{self.saved:,} of {self.total:,}"]
        if self.limit is not None:
            parts.append(f"first {plural(self.limit, 'sample')}")
        if not self.complete:
            parts.append("extent not saved" if self.state is None else _STATES.get(self.state, "incomplete"))
        return ", ".join(parts)

    def notice(self) -> str | None:
        """What a reader has to know before the first number; None when everything is there."""
        if self.complete:
            return None
        if self.state is None:
            return f"how many scenarios the run has was not saved; {plural(self.saved, 'result')} found"
        done = f"{self.saved - self.errors:,} of {self.total or 0:,} scenarios are finished"
        failed = f", {self.errors:,} ended in an error" if self.errors else ""
        message = f" ({self.message})" if self.message else ""
        return f"{_WHY.get(self.state, 'the run did not play everything')}{message}; {done}{failed}"


def progress_of(results: "ExperimentResults", tables: Tables) -> Progress:
    """How far a run came, from its results and its ``run_status.json``."""
    saved, errors, mute = tables.row(
        """
        SELECT count(*), count(*) FILTER (status = 'error'),
               count(*) FILTER (status = 'error' AND position NOT IN (SELECT position FROM records))
        FROM scenarios
        """
    )
    status = results.status
    if status is None:
        return Progress(saved, errors, mute)
    return Progress(
        saved, errors, mute, status.state, status.total, status.skipped, status.limit, message=status.message
    )
