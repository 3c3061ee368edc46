"""Single cases in an experiment's report: the worst ones, the errors, and verdicts without a value."""

from collections.abc import Iterator

from heams.reporting.case_recall import CaseRecall, case_recalls
from heams.reporting.digest import Digest
from heams.reporting.failures import error_kinds, unjudged
from heams.reporting.figures import count, score
from heams.reporting.markdown import Markdown, Table, clipped, heading, joined
from heams.reporting.metrics import names
from heams.reporting.tables import Tables
from heams.reporting.worst import Case, worst_cases

MOST_ROWS = 20
MOST_MISSED = 5
SHORT = 120
"""Characters that are shown of a recalled text."""


def worst(digest: Digest, tables: Tables) -> Iterator[str]:
    """The ten worst cases of the first headline metric that has a value."""
    metric = next((metric for metric in digest.headline if metric.summary.n > metric.zeroed), None)
    cases = worst_cases(tables, metric) if metric is not None else []
    if metric is None or not cases:
        return
    name = names(digest.metrics)[metric.evaluator, metric.metric]
    reasons = ["reason"] if any(case.reason for case in cases) else []
    table = Table(
        "sample", "question", f">{name}", "expected", "observed", *reasons, "recalled first", "evidence missed"
    )
    for case, recall in zip(cases, case_recalls(digest.results, tables, cases), strict=True):
        table.add(
            _place(case),
            _question(case),
            score(case.value),
            *(clipped(text) for text in (case.expected, case.observed, *([case.reason] if reasons else []))),
            *_recalled(recall),
        )
    yield f"{heading(2, f'Worst cases by {name}')}\n\n{table}"
    yield (
        "A question is listed once, with the worst of its repeats. Cases of equal value take turns by criterion. "
        "Errors are listed apart. *Evidence missed* is labelled evidence that no recalled item came from. "
        "A dash: nothing was recalled, or no labelled evidence was missed, or none is labelled."
    )


def _recalled(recall: CaseRecall | None) -> tuple[Markdown, Markdown]:
    """The first recalled texts, and the evidence that was not recalled."""
    if recall is None:
        return Markdown(""), Markdown("")
    texts = [clipped(text, SHORT) for text in recall.texts]
    if recall.items > len(texts):
        texts.append(Markdown(f"… and {count(recall.items - len(texts))} more"))
    if recall.missed is None:
        return joined(texts, "<br>") or Markdown("nothing"), Markdown("")
    missed = [
        joined([clipped(event.id), clipped(event.text, SHORT)], ": ") if event.text is not None else clipped(event.id)
        for event in recall.missed[:MOST_MISSED]
    ]
    if len(recall.missed) > MOST_MISSED:
        missed.append(Markdown(f"… and {count(len(recall.missed) - MOST_MISSED)} more"))
    return joined(texts, "<br>") or Markdown("nothing"), joined(missed, "<br>") or Markdown("none")


def errors(tables: Tables) -> Iterator[str]:
    """Scenarios that ended in an error, by type."""
    kinds = error_kinds(tables)
    if not kinds:
        return
    table = Table("type", "phase", ">scenarios", "example: sample", "message")
    for kind in kinds[:MOST_ROWS]:
        table.add(kind.type, kind.phase, count(kind.count), clipped(kind.sample_id), clipped(kind.message))
    yield f"{heading(2, 'Errors')}\n\n{table}"
    yield _rest(len(kinds), "kinds of errors")


def without_value(tables: Tables) -> Iterator[str]:
    """Verdicts without a value in scenarios that were played to their end, by reason."""
    reasons = unjudged(tables)
    if not reasons:
        return
    table = Table("outcome", "metric", "reason", ">verdicts", "example: sample")
    for row in reasons[:MOST_ROWS]:
        table.add(row.outcome, row.metric, clipped(row.reason), count(row.count), clipped(row.sample_id))
    yield f"{heading(2, 'Verdicts without a value')}\n\n{table}"
    yield _rest(len(reasons), "reasons")


def _rest(number: int, noun: str) -> str:
    return f"Shown are {MOST_ROWS} of {count(number)} {noun}." if number > MOST_ROWS else ""


def _place(case: Case) -> Markdown:
    parts = [clipped(case.sample_id)]
    if case.repeat:
        parts.append(Markdown(f"repeat {case.repeat}"))
    if case.step_index:
        parts.append(Markdown(f"step {case.step_index}"))
    return joined(parts)


def _question(case: Case) -> Markdown:
    return clipped(case.sample_name if case.sample_name != case.sample_id else None)
