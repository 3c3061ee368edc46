"""All verdicts of a sample, and the chosen one with its texts compared word by word."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from heams.browse.queries.verdicts_of import SampleVerdict
from heams.browse.rendering.word_diff import WordDiff, word_diff
from heams.browse.views.sample.asked import Asked
from heams.browse.views.sample.judged import JudgeAudit, judge_audit
from heams.evaluation.records import EvaluationRecord
from heams.orchestration.results import RunResult, TranscriptStep
from heams.reporting.metrics import headline

_TITLE = 160


@dataclass(frozen=True, slots=True)
class VerdictLine:
    """One verdict of the list. ``name`` is that of the metric, with the evaluator where two share it."""

    of: SampleVerdict
    name: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class VerdictGroup:
    """The verdicts on one step (None: on the whole scenario). ``title`` is what was asked there."""

    step: int | None
    title: str
    lines: tuple[VerdictLine, ...]


@dataclass(frozen=True, slots=True)
class ChosenVerdict:
    """The verdict that is looked at. ``diff`` is None where it is off or one of the texts is missing.

    ``question`` is what was asked in its step, ``audit`` what the evaluator kept besides the judge's part, as JSON.
    """

    of: SampleVerdict
    name: str
    record: EvaluationRecord
    diff: WordDiff | None
    question: str | None
    reply: str | None
    judge: JudgeAudit | None
    audit: str | None


def choose(verdicts: Sequence[SampleVerdict], wanted: Asked, first: Sequence[str]) -> SampleVerdict | None:
    """The verdict that an address means: by place, else by the list's metric and the step, else of the headline."""
    by_place = next((one for one in verdicts if one.place == wanted.verdict), None)
    if wanted.verdict is not None or not verdicts:
        return by_place
    of_metric = [one for one in verdicts if f"{one.evaluator}/{one.metric}" == wanted.metric]
    candidates = of_metric or headline(list(verdicts), first)
    if wanted.step is not None:
        candidates = [one for one in candidates if one.step == wanted.step] or candidates
    return candidates[0]


def groups(result: RunResult, verdicts: Iterable[SampleVerdict], chosen: SampleVerdict | None) -> list[VerdictGroup]:
    """The verdicts by step, in the order in which they were given within each."""
    listed = list(verdicts)
    name = metric_names(listed)
    by_step = sorted(listed, key=lambda one: (one.step is None, one.step or 0))
    steps = {step.index: step for step in result.transcript}
    return [
        VerdictGroup(
            step,
            title_of(steps[step]) if step is not None and step in steps else "",
            tuple(VerdictLine(one, name[one.evaluator, one.metric], one is chosen) for one in members),
        )
        for step, members in groupby(by_step, key=lambda one: one.step)
    ]


def chosen_verdict(
    result: RunResult, verdict: SampleVerdict, names: dict[tuple[str, str], str], *, diff: bool
) -> ChosenVerdict:
    """Everything about one verdict."""
    record = result.records[verdict.place - 1]
    step = next((step for step in result.transcript if step.index == verdict.step), None)
    compared = record.expected is not None and record.observed is not None
    kept = {name: value for name, value in record.audit.items() if name != "judge"}
    judge = judge_audit(record.audit)
    if judge is None and "judge" in record.audit:
        kept = dict(record.audit)
    return ChosenVerdict(
        of=verdict,
        name=names[verdict.evaluator, verdict.metric],
        record=record,
        diff=word_diff(record.expected or "", record.observed or "") if diff and compared else None,
        question=_asked_in(step),
        reply=step.reply if step is not None else None,
        judge=judge,
        audit=json.dumps(kept, ensure_ascii=False, indent=2) if kept else None,
    )


def metric_names(verdicts: Iterable[SampleVerdict]) -> dict[tuple[str, str], str]:
    """A short name for each (evaluator, metric)."""
    kinds = dict.fromkeys((one.evaluator, one.metric) for one in verdicts)
    metrics = [metric for _, metric in kinds]
    return {
        (evaluator, metric): metric if metrics.count(metric) == 1 else f"{metric} ({evaluator})"
        for evaluator, metric in kinds
    }


def title_of(step: TranscriptStep) -> str:
    """What a step is about, in one line."""
    if step.action.get("type") == "feedback":
        return f"{step.action.get('kind')} on step {step.action.get('of_step')}"
    return next(_titles(step), "")[:_TITLE]


def _titles(step: TranscriptStep) -> Iterator[str]:
    if step.action.get("type") == "clock_advance" and step.at is not None:
        yield f"to {step.at:%Y-%m-%d %H:%M}"
    for name in ("recall_query", "title", "content", "label", "session_id", "to", "principal"):
        value = step.action.get(name)
        if isinstance(value, str) and value.strip():
            yield " ".join(value[: 4 * _TITLE].split())


def _asked_in(step: TranscriptStep | None) -> str | None:
    content = step.action.get("content") if step is not None else None
    return content if isinstance(content, str) else None
