"""Progress as plain lines on standard error: one when an experiment begins and ends, and one every few seconds."""

import sys
from collections.abc import Sequence
from time import monotonic

from heams.cli.tally import Tally, shown_cost, shown_time, shown_tokens
from heams.orchestration.listener import RunListener
from heams.orchestration.results import IngestRecord, RunResult, RunStatus

EVERY_S = 5.0


class PlainProgress(RunListener):
    """Writes lines that read well in a log file."""

    def __init__(self) -> None:
        self._tally = Tally("", 0, 0)
        self._printed = 0.0
        self._waiting = 0

    def run_started(self, names: Sequence[str]) -> None:
        self._waiting = len(names)
        _say(f"{len(names)} experiment{'s' * (len(names) != 1)}")

    def experiment_started(self, name: str, *, total: int, finished: int, run_id: str) -> None:
        self._tally = Tally(name, total, finished)
        self._printed = monotonic()
        self._waiting -= 1
        before = f", {finished} finished before" if finished else ""
        _say(f"{name}: {total} scenarios{before} (run {run_id}{self._after()})")

    def history_heard(self, name: str, record: IngestRecord) -> None:
        self._tally.hear(record)
        if record.error is not None:
            _say(f"{name}: history {record.history_id}: {record.error.type}: {record.error.message}")

    def result_durable(self, name: str, result: RunResult, *, final: bool) -> None:
        self._tally.count(result, final=final)
        if monotonic() - self._printed >= EVERY_S:
            self._printed = monotonic()
            _say(self._line())

    def experiment_ended(self, name: str, status: RunStatus) -> None:
        _say(f"{self._line()}, {status.state}")
        if self._tally.errors and self._tally.last_error:
            _say(f"{name}: last error: {self._tally.last_error[:500]}")

    def note(self, name: str, message: str) -> None:
        _say(f"{name}: note: {message}")

    def _after(self) -> str:
        return f"; {self._waiting} more to come" if self._waiting else ""

    def _line(self) -> str:
        tally = self._tally
        return (
            f"{tally.name}: {tally.done}/{tally.total}, {tally.rate:.1f}/s, eta {shown_time(tally.eta_s)}, "
            f"{tally.errors} errors, {shown_tokens(tally.usage)} tokens, {shown_cost(tally.usage)}"
        )


def _say(line: str) -> None:
    sys.stderr.write(line + "\n")
    sys.stderr.flush()
