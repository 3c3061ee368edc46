"""`heams score-run`: a run file of any engine, scored by relevance labels."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.table import Table

    from heta_framework.evaluation.trec import Measure, Qrels, Run, RunScores

_SHOWN = 3
"""Questions that a remark names."""


def command(
    run: Annotated[Path, typer.Option("--run", help="Run file: question Q0 document rank score tag.")],
    qrels: Annotated[Path, typer.Option("--qrels", help="Labels: TREC's four columns, or BEIR's three (TSV).")],
    metrics: Annotated[
        list[str] | None,
        typer.Option("--metrics", help="Such as ndcg@10, with commas between them; the 25 default ones unless given."),
    ] = None,
    per_question: Annotated[
        bool, typer.Option("--per-question", help="Print a JSON line with the scores of each question instead.")
    ] = False,
) -> None:
    """Score a run as trec_eval does: nDCG, MAP, recall, precision and MRR, with 95 % intervals and n.

    The files may come from any engine; no model, index or network is needed.
    """
    from heta_framework.evaluation.trec import read_qrels, read_run, score_run

    measures = _measures(metrics)
    found, labels = read_run(run), read_qrels(qrels)
    if found.keys().isdisjoint(labels):
        raise _nothing_in_common((run, found), (qrels, labels))
    scores = score_run(found, labels, measures)
    if per_question:
        _print_questions(scores)
        return
    from rich.console import Console

    console = Console(markup=False, highlight=False, emoji=False)
    console.print(_table(scores, measures))
    for line in _remarks(scores):
        typer.echo(line)


def _measures(written: list[str] | None) -> "tuple[Measure, ...]":
    from heta_framework.evaluation.trec import Measure, default_measures

    if written is None:
        return default_measures()
    try:
        return tuple(dict.fromkeys(Measure.parse(name.strip()) for part in written for name in part.split(",")))
    except ValueError as cause:
        raise typer.BadParameter(str(cause)) from None


def _nothing_in_common(run: "tuple[Path, Run]", qrels: "tuple[Path, Qrels]") -> Exception:
    from heams.reporting.errors import ResultsError

    said = "; ".join(f"{path} has {', '.join(list(questions)[:_SHOWN]) or 'none'}" for path, questions in (run, qrels))
    return ResultsError(f"the run and the labels have no question in common: {said}")


def _print_questions(scores: "RunScores") -> None:
    import json

    for question, values in scores.by_query.items():
        typer.echo(json.dumps({"question": question, **values}, ensure_ascii=False))


def _table(scores: "RunScores", measures: "tuple[Measure, ...]") -> "Table":
    from rich import box
    from rich.table import Table

    from heams.reporting.figures import count, interval
    from heta_framework.common.statistics import summarise

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("metric")
    for column in ("mean", "95 % interval", "n"):
        table.add_column(column, justify="right")
    for measure in measures:
        found = summarise(scores.values(measure.name))
        mean = "—" if found.mean is None else f"{found.mean:.4f}"
        table.add_row(measure.name, mean, interval(found.interval), count(found.n))
    return table


def _remarks(scores: "RunScores") -> Iterator[str]:
    kinds = (
        (scores.without_run, "with labels but without a result: counted as 0, as trec_eval does with -c"),
        (scores.without_positive, "without a positive label: left out; trec_eval counts 0 for every system"),
        (scores.without_labels, "of the run without labels: left out"),
    )
    for questions, what in kinds:
        if questions:
            named = ", ".join(questions[:_SHOWN]) + (", ..." if len(questions) > _SHOWN else "")
            yield f"{len(questions):,} {'question' if len(questions) == 1 else 'questions'} {what} ({named})."
