"""`heams calibrate-judge`: how often a judge accepts what is wrong and rejects what is right."""

import asyncio
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from heams.calibration.result import Calibration
    from heams.calibration.running import Exam, OnJudged
    from heams.orchestration.options import RunOptions
    from heams.orchestration.stopping import StopSignal


def command(
    judge: Annotated[Path, typer.Option("--judge", help="Judge (YAML), as under 'evaluators' of a benchmark.")],
    benchmark: Annotated[Path, typer.Option("--benchmark", help="Benchmark (YAML) whose gold answers are used.")],
    output: Annotated[Path, typer.Option("--output", help="Where the calibration is written (JSON).")],
    audit: Annotated[Path | None, typer.Option("--audit", help="LoCoMo's audit: errors.json.")] = None,
    audit_sha256: Annotated[
        str | None, typer.Option("--audit-sha256", help="Its sha256, if it is another version than the registered one.")
    ] = None,
    human: Annotated[
        Path | None, typer.Option("--human", help="Answers labelled by people (JSON Lines), for Cohen's kappa.")
    ] = None,
    n: Annotated[int, typer.Option("--n", min=1, help="How many cases, spread evenly over the kinds.")] = 200,
    seed: Annotated[int, typer.Option("--seed", help="Decides which questions and wrong answers are used.")] = 0,
    max_concurrency: Annotated[int, typer.Option("--max-concurrency", min=1, help="Answers judged at once.")] = 16,
    cache_dir: Annotated[
        Path | None,
        typer.Option("--cache-dir", help="Keep replies of models here, and answer from here. [HEAMS_MODEL_CACHE_DIR]"),
    ] = None,
    record: Annotated[Path | None, typer.Option("--record", help="Record every model call (*.jsonl.zst).")] = None,
    replay: Annotated[Path | None, typer.Option("--replay", help="Answer model calls from this cassette.")] = None,
    max_cost: Annotated[
        float | None, typer.Option("--max-cost", metavar="USD", help="Stop when models have cost this much.")
    ] = None,
) -> None:
    """Put a judge to answers whose verdict is known, and report its error rates.

    With --cache-dir nothing is paid twice.

    Exit codes: 0 done, 1 stopped by itself (--max-cost is spent, a model never answers), 2 a mistake in what was asked
    for, 130 interrupted.
    """
    from heams.calibration.examining import prepare_exam
    from heams.calibration.subject import read_subject
    from heams.orchestration.options import RunOptions
    from heta_framework.common.models.calls.cache_place import model_cache_dir

    options = RunOptions(
        max_concurrency=max_concurrency,
        cache_dir=model_cache_dir(cache_dir),
        record=record,
        replay=replay,
        max_cost_usd=max_cost,
    )
    options.check()
    exam = prepare_exam(
        read_subject(judge), benchmark, n=n, seed=seed, audit=audit, audit_sha256=audit_sha256, human=human
    )
    _check_writable(output)
    found = _calibrated(exam, options)
    _write(found, output)
    _print(found)
    typer.echo(f"\nWritten to {output}. Name it as 'calibration_file' of this judge, and reports will say so.")


def _calibrated(exam: "Exam", options: "RunOptions") -> "Calibration":
    """The calibration, or the end of the command with the reason why there is none."""
    kept = "Nothing was written; with --cache-dir what was answered is not asked again."
    try:
        return asyncio.run(_calibrate(exam, options))
    except _Stopped as stopped:
        typer.echo(f"Stopped: {str(stopped).rstrip('.')}. {kept}", err=True)
        raise typer.Exit(1) from None
    except KeyboardInterrupt:
        typer.echo(f"Interrupted. {kept}", err=True)
        raise typer.Exit(130) from None


async def _calibrate(exam: "Exam", options: "RunOptions") -> "Calibration":
    from heams.calibration.running import calibrate
    from heams.evaluation.llm_judge_panel import judges_of
    from heams.orchestration.call_watch import CallWatch
    from heams.orchestration.errors import RunRefused
    from heams.orchestration.listener import RunListener
    from heams.orchestration.model_path import model_path
    from heams.orchestration.stopping import StopSignal
    from heta_framework.common.models.errors import CostLimitReached, ModelSetupError

    stop = StopSignal()
    async with model_path(options, stop, RunListener(), CallWatch(stop)):
        try:
            judge = judges_of(exam.subject.config)[exam.subject.policy.name]
        except ModelSetupError as error:
            raise RunRefused(str(error)) from error
        try:
            found = await calibrate(exam, judge, _watching(stop), at_once=options.max_concurrency)
        except CostLimitReached as limit:
            raise _Stopped(stop.reason or str(limit)) from None
    if found.unscored.count == found.unscored.n:
        problem = next((case.reason for case in found.cases), "no answer")
        raise RunRefused(f"the judge gave no readable verdict on any of {found.unscored.n} answers: {problem}")
    return found


class _Stopped(Exception):  # noqa: N818 - reads as what happened
    """Nothing more can be asked; the message says why."""


def _watching(stop: "StopSignal") -> "OnJudged":
    """Shows progress on terminals (logs need none), and ends the work once the models are given up."""
    shown = sys.stderr.isatty()

    def judged(done: int, total: int) -> None:
        if shown:
            _progress(done, total)
        if stop.reason is not None:
            raise _Stopped(stop.reason)

    return judged


def _progress(done: int, total: int) -> None:
    sys.stderr.write(f"judged {done} of {total}{chr(10) if done == total else chr(13)}")
    sys.stderr.flush()


def _check_writable(output: Path) -> None:
    """Before anything is paid for."""
    from heams.orchestration.errors import RunRefused

    if output.is_dir():
        raise RunRefused(f"--output {output}: this is a folder; name a file")
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
    except OSError as cause:
        raise RunRefused(f"--output {output}: its folder cannot be made ({cause.strerror or cause})") from cause
    if not os.access(output if output.exists() else output.parent, os.W_OK):
        raise RunRefused(f"--output {output}: cannot be written (no permission)")


def _write(found: "Calibration", output: Path) -> None:
    from heams.orchestration.errors import RunRefused

    try:
        output.write_text(found.model_dump_json(indent=1) + "\n", encoding="utf-8")
    except OSError as cause:
        raise RunRefused(f"--output {output}: cannot be written ({cause.strerror or cause})") from cause


def _print(found: "Calibration") -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    typer.echo(f"{', '.join(found.models)} under {found.policy}, on {found.benchmark} (seed {found.seed})")
    table = Table(box=box.SIMPLE)
    for name in ("answers", "must be"):
        table.add_column(name, overflow="fold")
    for name in ("cases", "unscored", "judged wrongly"):
        table.add_column(name, justify="right", overflow="fold")
    for kind in found.kinds:
        right = "accepted" if kind.accept else "rejected"
        table.add_row(kind.kind.replace("_", " "), right, str(kind.cases), str(kind.unscored), kind.wrong.words)
    Console().print(table)
    typer.echo(f"False accepts:      {found.false_accept.words}")
    typer.echo(f"False rejects:      {found.false_reject.words}")
    typer.echo(f"Unreadable replies: {found.unreadable_replies.words}")
    typer.echo(f"Without a verdict:  {found.unscored.words}")
    if found.agreement is not None:
        kappa = "not defined" if found.agreement.kappa is None else f"{found.agreement.kappa:.3f}"
        typer.echo(f"With human labels:  kappa {kappa}, the same {found.agreement.same.words}")
    typer.echo(f"Model calls:        {_usage(found)}")


def _usage(found: "Calibration") -> str:
    usage = found.usage
    cost = "cost unknown" if usage.cost_usd is None else f"${usage.cost_usd:.4f}"
    calls = f"{usage.calls} and {usage.cache_hits + usage.replayed} answered from cache or cassette"
    return f"{calls}, {usage.input_tokens:,} + {usage.output_tokens:,} tokens, {cost}"
