"""LoCoMo's roll-up: memory systems beside each other, by category, with what is lost in retrieval and in reading.

Reads saved artifacts only. Categories 1-4 and category 5 follow different rules and are never merged.
"""

from collections.abc import Iterator, Sequence

from heams.benchmarks.locomo.categories import ADVERSARIAL, CATEGORY_NAMES
from heams.benchmarks.locomo.report_data import ANSWERABLE, Played, QuestionSet, question_sets
from heams.benchmarks.locomo.report_losses import gold_section, loss_section
from heams.reporting.load import ExperimentResults
from heams.reporting.markdown import Markdown, Table, bold, escape, heading
from heams.reporting.wording import REFERENCES, cell, few_clusters

_ANSWERS_NOTE = (
    "Token F1 by LoCoMo's official rules, with 95 % intervals clustered by conversation. *1–4* is the micro average"
    " over the questions of categories 1 to 4. Category 5 has no answer in the conversations and is scored by "
    "whether the answer says so; it is never part of the average. Read both together: a system that always declines"
    " to answer wins category 5 and loses the rest."
)
_RETRIEVAL_NOTE = (
    "Did the memory hand over the evidence, whatever the agent made of it: the share of the labelled turns among "
    "the first recalled items, and *mrr*, the mean reciprocal rank of the first of them, over categories 1 to 4. "
    "Questions without a usable evidence label are left out, and so are memories that hand over everything unranked."
)


def render_locomo_rollup_sections(results: Sequence[ExperimentResults]) -> list[str]:
    """Sections for all ``locomo`` experiments of a results folder, one group for each set of questions and agent."""
    return [section for group in question_sets(results) for section in _group(group)]


def _group(group: QuestionSet) -> Iterator[str]:
    yield heading(2, group.title)
    yield from _incomplete(group)
    for gold, played in group.by_gold().items():
        yield heading(3, f"Answers ({gold} gold)")
        yield "\n\n".join([str(_answers(played)), _ANSWERS_NOTE, *_cautions(played)])
        yield heading(3, f"Retrieval ({gold} gold)")
        yield f"{_retrieval(played)}\n\n{_RETRIEVAL_NOTE}"
        yield from loss_section(played, gold)
    yield from gold_section(group)


def _cautions(members: Sequence[Played]) -> Iterator[str]:
    if any(played.digest.bound is not None for played in members):
        yield REFERENCES
    yield from few_clusters(metric for played in members for metric in played.over_answerable)


def _incomplete(group: QuestionSet) -> Iterator[str]:
    for played in group.members:
        notice = played.digest.progress.notice()
        if notice is not None:
            yield f"{bold('Incomplete:')} {escape(played.digest.results.name)}: {escape(notice)}."


def _answers(members: Sequence[Played]) -> Table:
    refusals = any(played.of("adversarial_refusal", ADVERSARIAL) for played in members)
    table = Table(
        "memory system", "reference", *(f"{CATEGORY_NAMES[category]} ({category})" for category in ANSWERABLE), "1–4",
        "adversarial (5)", *(["adversarial (5), wider rule"] if refusals else []),
    )  # fmt: skip
    for played in members:
        table.add(
            *_name(played),
            *(cell(played.of("f1", category)) for category in ANSWERABLE),
            cell(played.answerable("f1")),
            cell(played.of("adversarial_accuracy", ADVERSARIAL)),
            *([cell(played.of("adversarial_refusal", ADVERSARIAL))] if refusals else []),
        )
    return table


def _retrieval(members: Sequence[Played]) -> Table:
    measures = sorted({metric for played in members for metric in played.recall_metrics}, key=_cutoff)
    table = Table(
        "memory system", "reference",
        *(f"{metric} {CATEGORY_NAMES[category]} ({category})" for metric in measures for category in ANSWERABLE),
        *(f"{metric} 1–4" for metric in measures), "mrr 1–4",
    )  # fmt: skip
    for played in members:
        table.add(
            *_name(played),
            *(cell(played.of(metric, category)) for metric in measures for category in ANSWERABLE),
            *(cell(played.answerable(metric)) for metric in measures),
            cell(played.answerable("mrr")),
        )
    return table


def _cutoff(metric: str) -> int:
    return int(metric.partition("@")[2])


def _name(played: Played) -> tuple[str, Markdown]:
    bound = played.digest.bound
    return played.name, Markdown(f"*{bound.label}*" if bound is not None else "")
