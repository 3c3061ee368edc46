"""`heams compare`: whether B is better than A, question by question; a gate for CI."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from heams.reporting.compare.gates import GateResult
    from heams.reporting.compare.matrix import MatrixLine
    from heams.reporting.compare.partners import Partners


def command(
    a: Annotated[Path, typer.Argument(help="Folder of an experiment, or of a whole run, to compare with.")],
    b: Annotated[Path | None, typer.Argument(help="The folder to compare. Default: A, for two runs of it.")] = None,
    metric: Annotated[
        str | None, typer.Option("--metric", help="Metric, or evaluator/metric. Default: those of the headline.")
    ] = None,
    by: Annotated[str | None, typer.Option("--by", help="Also within each value of a tag, or of criterion.")] = None,
    allow: Annotated[
        list[str] | None, typer.Option("--allow", help="What else may differ, as data,budget. Repeatable.")
    ] = None,
    fail_if: Annotated[
        list[str] | None, typer.Option("--fail-if", help="Exit 1 if this holds: 'delta < -0.02'. Repeatable.")
    ] = None,
    json_file: Annotated[
        str | None, typer.Option("--json", help="Write the comparison as JSON to a file; - for standard output.")
    ] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown.")] = False,
    different: Annotated[
        int, typer.Option("--different", min=0, help="List so many samples that improved, and that regressed.")
    ] = 0,
    run_a: Annotated[str | None, typer.Option("--run-a", help="Run of A instead of the newest.")] = None,
    run_b: Annotated[str | None, typer.Option("--run-b", help="Run of B instead of the newest.")] = None,
) -> None:
    """Compare experiment B with A, question by question: is B better, by how much, and could it be chance?

    Exit code 0: compared, and no gate failed. 1: a gate failed. 2: there is nothing to compare, or it is not like with
    like.
    """
    from heams.reporting.compare.gate_language import metrics_of, parse_gate
    from heams.reporting.compare.gates import gate_results
    from heams.reporting.compare.matrix import Wish, compare_all
    from heams.reporting.compare.partners import partners
    from heams.reporting.compare.unlike import check_allowances

    gates = {gate: parse_gate(gate) for gate in fail_if or ()}
    allowed = tuple(name.strip() for names in allow or () for name in names.split(",") if name.strip())
    check_allowances(allowed)
    found = partners(a, _second(a, b, run_a, run_b), run_a, run_b)
    _check_single(found, by, different)
    named = frozenset(name for condition in gates.values() for name in metrics_of(condition))
    lines = compare_all(found, Wish(metric, named, by, allowed, different))
    results = gate_results(lines, gates)
    _write(found, lines, results, json_file, different, markdown=markdown)
    if any(result.failed for each in results.values() for result in each):
        raise typer.Exit(1)


def _second(a: Path, b: Path | None, run_a: str | None, run_b: str | None) -> Path:
    """The folder of B; that of A where two runs of one experiment are named."""
    from heams.reporting.errors import ResultsError

    if b is not None:
        return b
    if run_a is None and run_b is None:
        raise ResultsError("name a second folder to compare with, or two runs of this one with --run-a and --run-b")
    return a


def _check_single(found: "Partners", by: str | None, different: int) -> None:
    """Raise where something is asked of many comparisons that only one can show."""
    from heams.reporting.errors import ResultsError

    if len(found.found) > 1 and (by or different):
        option = "--by" if by else "--different"
        raise ResultsError(
            f"{option} looks into one comparison, and these are {len(found.found)}; name the folders of two experiments"
        )


def _write(
    found: "Partners",
    lines: "Sequence[MatrixLine]",
    results: "Mapping[int, Sequence[GateResult]]",
    json_file: str | None,
    different: int,
    *,
    markdown: bool,
) -> None:
    """Print the comparison, and write it as JSON. JSON on standard output is alone there; gates are said elsewhere."""
    from heams.cli.compare_text import gate_lines, print_comparison
    from heams.reporting.compare.json_report import json_report
    from heams.reporting.compare.markdown_report import markdown_report
    from heams.reporting.reports import write

    if json_file is not None:
        report = json.dumps(json_report(found, lines, results, different), ensure_ascii=False, indent=2)
        if json_file == "-":
            typer.echo(report)
        else:
            write(Path(json_file), f"{report}\n")
    if markdown and json_file != "-":
        typer.echo(markdown_report(found, lines, results, different), nl=False)
    elif json_file != "-":
        print_comparison(found, lines, different)
    for line in gate_lines(lines, results):
        typer.echo(line, err=markdown or json_file == "-")
