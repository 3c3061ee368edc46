"""Progress as plain lines on standard error: when an experiment begins and ends, and every few seconds in between."""

import asyncio
import sys
from collections.abc import Sequence
from time import monotonic

from heams.cli.model_words import model_words
from heams.cli.shortening import shortened
from heams.cli.tally import Tally, shown_cost, shown_time, shown_tokens
from heams.orchestration.hearing_progress import HearingProgress
from heams.orchestration.listener import RunListener
from heams.orchestration.results import IngestRecord, RunResult, RunStatus
from heta_framework.common.models.calls.runtime import ModelRuntime

EVERY_S = 5.0
QUIET_S = 30.0
"""How long it may be quiet while models are called or histories are heard."""


class PlainProgress(RunListener):
    """Writes lines that read well in a log file."""

    _runtime: ModelRuntime | None = None

    def __init__(self) -> None:
        self._playing: dict[str, Tally] = {}
        self._printed = 0.0
        self._waiting = 0

    def run_started(self, names: Sequence[str]) -> None:
        self._waiting = len(names)
        _say(f"{len(names)} experiment{'s' * (len(names) != 1)}")

    def models_ready(self, runtime: ModelRuntime) -> None:
        self._runtime = runtime
        self._beat(asyncio.get_running_loop())

    def _beat(self, loop: asyncio.AbstractEventLoop) -> None:
        """A sign of life while nothing ends: a long history that is heard with a model, scenarios of many steps."""
        loop.call_later(EVERY_S, self._beat, loop)
        if self._playing and monotonic() - self._printed >= QUIET_S and self._at_work():
            self._say_all()

    def _at_work(self) -> bool:
        return bool(any(tally.hearing_words for tally in self._playing.values()) or model_words(self._runtime))

    def experiment_started(self, name: str, *, total: int, finished: int, run_id: str) -> None:
        self._playing[name] = Tally(name, total, finished)
        self._printed = monotonic()
        self._waiting -= 1
        before = f", {finished} finished before" if finished else ""
        _say(f"{name}: {total} scenarios{before} (run {run_id}{self._after()})")

    def history_started(self, name: str, hearing: HearingProgress) -> None:
        self._playing[name].begin_hearing(hearing)

    def history_heard(self, name: str, record: IngestRecord) -> None:
        self._playing[name].hear(record)
        if record.error is not None:
            _say(f"{name}: history {record.history_id}: {record.error.type}: {record.error.message}")

    def result_durable(self, name: str, result: RunResult, *, final: bool) -> None:
        self._playing[name].count(result, final=final)
        if monotonic() - self._printed >= EVERY_S:
            self._say_all()

    def experiment_ended(self, name: str, status: RunStatus) -> None:
        tally = self._playing.pop(name)
        _say(f"{self._line(tally)}, {status.state}")
        if tally.errors and tally.last_error:
            _say(f"{name}: last error: {shortened(tally.last_error, 500)}")

    def note(self, name: str, message: str) -> None:
        _say(f"{name}: note: {message}")

    def _after(self) -> str:
        return f"; {self._waiting} more to come" if self._waiting else ""

    def _say_all(self) -> None:
        """A line for each experiment that is being played: several are, where they share one pass."""
        self._printed = monotonic()
        for tally in self._playing.values():
            _say(self._line(tally))

    def _line(self, tally: Tally) -> str:
        besides = "".join(f"; {words}" for words in (tally.hearing_words, model_words(self._runtime)) if words)
        return (
            f"{tally.name}: {tally.done}/{tally.total}, {tally.rate:.1f}/s, eta {shown_time(tally.eta_s)}, "
            f"{tally.errors} errors, {shown_tokens(tally.usage)} tokens, {shown_cost(tally.usage)}"
            f"{besides}"
        )


def _say(line: str) -> None:
    sys.stderr.write(line + "\n")
    sys.stderr.flush()
