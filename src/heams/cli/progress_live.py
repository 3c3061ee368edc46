"""Progress as a live table on a terminal: one row per experiment."""

from collections.abc import Iterable, Iterator, Sequence
from types import TracebackType

from rich.console import Console, RenderableType
from rich.markup import escape
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TaskID, TextColumn
from rich.text import Text

from heams.cli.model_words import model_words
from heams.cli.shortening import shortened
from heams.cli.tally import Tally, shown_cost, shown_time, shown_tokens
from heams.orchestration.hearing_progress import HearingProgress
from heams.orchestration.listener import RunListener
from heams.orchestration.results import IngestRecord, RunResult, RunStatus
from heams.scenarios.usage import Usage
from heta_framework.common.models.calls.runtime import ModelRuntime

_WIDE = 100
"""From so many columns on there is room for a long bar."""


class LiveProgress(RunListener):
    """Shows done/total, rate, ETA and errors of each experiment; tokens and cost once models are called."""

    def __init__(self) -> None:
        console = Console(stderr=True)
        self._progress = _WithModels(
            TextColumn("{task.description}"),
            BarColumn(bar_width=24 if console.width >= _WIDE else 10),
            _CountColumn(),
            _TallyColumn(),
            console=console,
            refresh_per_second=8,
        )
        self._tallies: dict[str, Tally] = {}
        self._tasks: dict[str, TaskID] = {}

    def __enter__(self) -> "LiveProgress":
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def run_started(self, names: Sequence[str]) -> None:
        for name in names:
            self._tasks[name] = self._progress.add_task(escape(name), start=False, total=None, tally=None)

    def models_ready(self, runtime: ModelRuntime) -> None:
        self._progress.runtime = runtime

    def experiment_started(self, name: str, *, total: int, finished: int, run_id: str) -> None:
        tally = self._tallies[name] = Tally(name, total, finished)
        self._progress.start_task(self._tasks[name])
        self._progress.update(self._tasks[name], total=total, completed=finished, tally=tally)

    def history_started(self, name: str, hearing: HearingProgress) -> None:
        self._tallies[name].begin_hearing(hearing)

    def history_heard(self, name: str, record: IngestRecord) -> None:
        self._tallies[name].hear(record)
        if record.error is not None:
            self._print(f"{name}: history {record.history_id}: {record.error.type}: {record.error.message}")

    def result_durable(self, name: str, result: RunResult, *, final: bool) -> None:
        tally = self._tallies[name]
        tally.count(result, final=final)
        self._progress.update(self._tasks[name], completed=tally.done)

    def experiment_ended(self, name: str, status: RunStatus) -> None:
        tally = self._tallies[name]
        self._progress.update(self._tasks[name], completed=tally.done)
        if tally.errors and tally.last_error:
            self._print(f"{name}: last error: {shortened(tally.last_error, 500)}")

    def note(self, name: str, message: str) -> None:
        self._print(f"{name}: note: {message}")

    def _print(self, message: str) -> None:
        self._progress.console.print(Text(message, style="yellow"))


class _WithModels(Progress):
    """The table; below it a line for each experiment that hears histories, and one about model calls."""

    runtime: ModelRuntime | None = None

    def get_renderables(self) -> Iterable[RenderableType]:
        yield from super().get_renderables()
        for words in (*_hearings(self.tasks), model_words(self.runtime)):
            if words:
                yield Text(words, style="dim")


def _hearings(tasks: Iterable[Task]) -> Iterator[str]:
    for task in tasks:
        tally: Tally | None = task.fields["tally"]
        if tally is not None and tally.hearing_words:
            yield f"{tally.name}: {tally.hearing_words}"


class _CountColumn(ProgressColumn):
    def render(self, task: Task) -> Text:
        return Text("waiting", style="dim") if task.total is None else Text(f"{task.completed:.0f}/{task.total:.0f}")


class _TallyColumn(ProgressColumn):
    def render(self, task: Task) -> Text:
        tally: Tally | None = task.fields["tally"]
        if tally is None:
            return Text()
        errors = f"{tally.errors} err"
        eta = shown_time(0 if task.finished else tally.eta_s)
        return Text.assemble(
            f"{tally.rate:6.1f}/s eta {eta:>6} ",
            (errors, "bold red" if tally.errors else "dim"),
            f" {shown_tokens(tally.usage)} tok {shown_cost(tally.usage)}" if tally.usage != Usage() else "",
        )
