"""`heams validate`: what a run would do, without doing it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from heams.benchmarks.skip import SkipReason
    from heams.orchestration.survey import RunSurvey

SHOWN_REASONS = 5
OUTSIDE = frozenset({"command", "http"})
"""Component types whose work is done by programs that this one cannot look into."""


def command(
    config: Annotated[Path | None, typer.Option("--config", help="Run file (YAML).")] = None,
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="As for heams run.")] = None,
    recipe: Annotated[Path | None, typer.Option("--recipe", help="As for heams evaluate, with --benchmark.")] = None,
    benchmark: Annotated[Path | None, typer.Option("--benchmark", help="As for heams evaluate.")] = None,
    modes: Annotated[list[str] | None, typer.Option("--modes", help="As for heams evaluate.")] = None,
) -> None:
    """Print the resolved matrix: samples, exclusions with reasons, missing files and keys, planned work.

    With --recipe and --benchmark instead of --config: what heams evaluate would do.
    """
    if recipe is not None and benchmark is not None and config is None:
        from heams.cli.mode_names import mode_names
        from heams.cli.validating_evaluations import validate_evaluation

        validate_evaluation(recipe, benchmark, mode_names(modes))
    elif config is not None and recipe is None and benchmark is None:
        _validate_run_file(config, limit)
    else:
        raise typer.BadParameter("give --config for a run file, or --recipe and --benchmark for heams evaluate")


def _validate_run_file(config: Path, limit: int | None) -> None:
    from heams.orchestration.resolve import resolve_run_file
    from heams.orchestration.survey import survey

    found = survey(resolve_run_file(config), limit=limit)
    _print_matrix(found)
    _print_benchmarks(found)
    _print_models(found)
    _print_plan(found)
    if found.problems:
        for problem in found.problems:
            typer.echo(f"error: {problem}", err=True)
        raise typer.Exit(2)
    typer.echo("\nThe run file is valid.")


def _print_matrix(found: "RunSurvey") -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    experiments = found.run.experiments
    typer.echo(f"{found.run.run_name}: {len(experiments)} experiments, project root {found.run.root}")
    for kind, components in _components(found).items():
        typer.echo(f"  {kind}: {', '.join(components)}")
    table = Table(box=box.SIMPLE)
    table.add_column("experiment", overflow="fold")
    table.add_column("scenarios", justify="right", no_wrap=True)
    table.add_column("recall budget", overflow="fold")
    table.add_column("ingestion", overflow="fold")
    for experiment in experiments:
        settings = experiment.settings
        scenarios = f"{found.scenarios(experiment):,}"
        table.add_row(experiment.name, scenarios, str(settings.recall_budget), settings.ingestion)
    Console().print(table)


def _components(found: "RunSurvey") -> dict[str, list[str]]:
    """Labels and types of the components of each kind, in the order of the run file."""
    named: dict[str, dict[str, None]] = {}
    for experiment in found.run.experiments:
        for part in experiment.components:
            shown = part.label if part.label == part.type else f"{part.label} ({part.type})"
            named.setdefault(part.kind.replace("_", " ") + "s", {})[shown] = None
    return {kind: list(labels) for kind, labels in named.items()}


def _print_benchmarks(found: "RunSurvey") -> None:
    from heams.reporting.figures import plural

    for name, benchmark in found.benchmarks.items():
        label = name.split(":", 1)[1]
        histories = plural(benchmark.histories, "shared history", "shared histories")
        shared = f", {histories} with {plural(benchmark.events, 'event')}" if benchmark.histories else ""
        typer.echo(f"\n{label}: {plural(benchmark.samples, 'sample')}{shared}")
        for (kind, rule), count in sorted(benchmark.reasons().items()):
            typer.echo(f"  {kind}: {rule} x {count}")
            _print_reasons([reason for reason in benchmark.skipped if (reason.kind, reason.rule) == (kind, rule)])


def _print_reasons(reasons: "list[SkipReason]") -> None:
    for reason in reasons[:SHOWN_REASONS]:
        typer.echo(f"    {reason.record_id}: {reason.detail}")
    if len(reasons) > SHOWN_REASONS:
        typer.echo(f"    ... and {len(reasons) - SHOWN_REASONS} more")


def _print_models(found: "RunSurvey") -> None:
    """Which models would be called, where, and what is known of keys and prices; a key itself is never shown."""
    from heams.orchestration.model_checks import planned_models
    from heta_framework.common.models.pricing import has_price

    for model in planned_models(found.run.experiments):
        variable = model.endpoint.key_variable
        key = model.endpoint.key_problem() or f"{variable} is {'set' if model.has_key else 'not set'}"
        needed = "; heams run needs it, except with --replay" if model.lacks_key else ""
        price = "known" if has_price(model.endpoint) else "unknown; 'prices' beside 'model' tell it"
        where = model.address or f"the endpoint of {model.endpoint.provider}"
        typer.echo(f"\n{model.place}: {model.endpoint.model_id}\n  at {where}\n  key: {key}{needed}\n  price: {price}")


def _print_plan(found: "RunSurvey") -> None:
    answers = sum(found.of(entry).stimuli * entry.settings.repeats for entry in found.run.experiments)
    typer.echo(f"\nPlanned: {answers:,} answers by agents; model calls: {_planned_calls(found)}.")


def _planned_calls(found: "RunSurvey") -> str:
    parts = {id(part): part for entry in found.run.experiments for part in entry.components}.values()
    outside = sorted({part.label for part in parts if part.type in OUTSIDE})
    calling = sorted({part.label for part in parts if part.models})
    unknown = [f"as many as {', '.join(calling)} make"] if calling else []
    unknown += [f"unknown, by the programs behind {', '.join(outside)}"] if outside else []
    return " and ".join(unknown) or "0"
