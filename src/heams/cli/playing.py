"""Plays a run matrix from the command line: signals, progress, summary, and how to go on."""

import asyncio
import shlex
import signal
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, Protocol

from heams.cli.progress import progress_listener
from heams.cli.summary import print_summary
from heams.orchestration.listener import RunListener
from heams.orchestration.options import RunOptions
from heams.orchestration.resolve import resolve_run_file
from heams.orchestration.run import RunReport, run_matrix
from heams.orchestration.stopping import StopSignal
from heams.orchestration.store import StoreError


class Work(Protocol):
    """What is played: experiments into an output folder, told to a listener, until a stop is asked for."""

    def __call__(self, listener: RunListener, stop: StopSignal) -> Coroutine[Any, Any, RunReport]:
        """Begin."""
        ...


def play(config: Path, output_dir: Path, options: RunOptions, *, plain: bool) -> RunReport:
    """Run, show progress, print a summary of what is there, and say how to resume where something is left."""
    resolved, output = resolve_run_file(config), output_dir.resolve()

    def work(listener: RunListener, stop: StopSignal) -> Coroutine[Any, Any, RunReport]:
        return run_matrix(resolved, output, options, listener, stop)

    return shown(work, output_dir, options, plain=plain)


def shown(
    work: Work, output_dir: Path, options: RunOptions, *, plain: bool, builds_are_shared: bool = False
) -> RunReport:
    """Play ``work``, show progress, print a summary, and say how to resume where something is left.

    ``builds_are_shared``: what the experiments say of their builds must not be added up.
    """
    with progress_listener(plain=plain or not sys.stderr.isatty()) as listener:
        try:
            report = asyncio.run(_run(work, listener))
        except StoreError as error:
            raise StoreError(
                f"{error}\nEverything counted is safe. Once it can be written again, resume with:\n  {_this()}"
            ) from error
    names = [status.name for status in report.statuses]
    again = not report.replay_misses
    print_summary(output_dir.resolve(), names, output_dir, again=again, together=not builds_are_shared)
    _say_what_is_left(report, options)
    return report


def exit_code(report: RunReport) -> int:
    """What a run's end is to whoever called the command."""
    if report.reason is not None:
        return 1
    if report.interrupted:
        return 130
    return 1 if report.without_results or report.replay_misses else 0


def _say_what_is_left(report: RunReport, options: RunOptions) -> None:
    if report.replay_misses:
        _say(f"\n{report.replay_misses:,} calls are not in the cassette. The first: {report.first_miss}")
    if report.reason is not None:
        anew = "" if options.max_cost_usd is None else " (--max-cost counts from 0 again)"
        _say(
            f"\nStopped: {report.reason.rstrip('.')}. Everything counted is saved; what is missing or failed is played "
            f"again. Resume with{anew}:\n  {_this()}"
        )
    elif report.interrupted:
        _say(f"\nInterrupted. Everything counted is saved. Resume with:\n  {_this()}")


async def _run(work: Work, listener: RunListener) -> RunReport:
    stop = StopSignal()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, _on_signal, stop)
    return await work(listener, stop)


def _on_signal(stop: StopSignal) -> None:
    _say("\nStopping at once." if stop.requested else "\nStopping after what is under way (again: at once) ...")
    stop.request()


def _this() -> str:
    """The command that resumes: this one, but it must not begin yet another run."""
    return shlex.join(["heams", *(word for word in sys.argv[1:] if word != "--new-run")])


def _say(text: str) -> None:
    sys.stderr.write(text + "\n")
    sys.stderr.flush()
