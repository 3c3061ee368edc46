"""What LoCoMo's roll-up needs of each experiment, read in one pass."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from heams.benchmarks.locomo.categories import ADVERSARIAL, CATEGORY_NAMES, CategoryId
from heams.reporting.comparison import comparison_of
from heams.reporting.digest import Digest, opened
from heams.reporting.load import ExperimentResults
from heams.reporting.metrics import MetricSummary, grouped_summaries, metric_summaries
from heams.reporting.saved import entries, part
from heams.reporting.tables import Tables

ANSWERABLE: tuple[CategoryId, ...] = tuple(category for category in CATEGORY_NAMES if category != ADVERSARIAL)

_CATEGORY = "tags['category']"
_IS_ANSWERABLE = f"{_CATEGORY} IN ({', '.join(repr(CATEGORY_NAMES[category]) for category in ANSWERABLE)})"
_QUESTIONS = """
    SELECT sample_id, any_value(history), avg(contribution ORDER BY repeat) FILTER (metric = 'f1'),
           avg(contribution ORDER BY repeat) FILTER (metric = $recall)
    FROM records WHERE {where} GROUP BY sample_id
"""
_RECALL = re.compile(r"recall@[0-9]+")


@dataclass(frozen=True, slots=True)
class Question:
    """One answerable question: the conversation it is about, its F1, and its evidence recall where there is one."""

    conversation: str
    f1: float | None
    recall: float | None


@dataclass(frozen=True, slots=True)
class Played:
    """One experiment. ``name`` tells its memory system from the others of its group."""

    digest: Digest
    name: str
    by_category: Mapping[str | None, Sequence[MetricSummary]]
    over_answerable: Sequence[MetricSummary]
    questions: Mapping[str, Question]

    @property
    def gold(self) -> str:
        """``official`` or ``audited``."""
        return str(part(self.digest.results.config, "benchmark_config").get("gold", "official"))

    @property
    def memory_type(self) -> str:
        """The type of its memory system."""
        return str(part(self.digest.results.config, "memory_system_config").get("type"))

    @property
    def recall_metrics(self) -> list[str]:
        """The names of its recall@k metrics."""
        return _recall_metrics(self.digest)

    def of(self, metric: str, category: CategoryId) -> MetricSummary | None:
        """A metric within a category."""
        found = self.by_category.get(CATEGORY_NAMES[category], ())
        return next((summary for summary in found if summary.metric == metric), None)

    def answerable(self, metric: str) -> MetricSummary | None:
        """A metric over categories 1 to 4 together."""
        return next((summary for summary in self.over_answerable if summary.metric == metric), None)


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """Experiments of one agent on the same questions."""

    title: str
    members: tuple[Played, ...]

    def by_gold(self) -> dict[str, list[Played]]:
        """The experiments under each gold, the official one first."""
        golds = sorted({played.gold for played in self.members}, key=lambda gold: (gold != "official", gold))
        return {gold: [played for played in self.members if played.gold == gold] for gold in golds}


def question_sets(results: Sequence[ExperimentResults]) -> list[QuestionSet]:
    """The experiments by questions and agent; within a set lower bounds come first and upper bounds last."""
    groups: dict[tuple[str, ...], list[Played]] = {}
    for experiment in results:
        with opened(experiment) as (digest, tables):
            groups.setdefault(_questions_of(digest), []).append(_read(digest, tables))
    sets = [_question_set(members) for members in groups.values()]
    return sorted(sets, key=lambda group: group.title)


def _question_set(members: Sequence[Played]) -> QuestionSet:
    digest = members[0].digest
    saved = {**part(digest.results.config, "benchmark_config"), "gold": "official"}
    title = f"{digest.info.name_for(saved)}, agent {digest.results.labels.agent}"
    ordered = []
    for gold in sorted({played.gold for played in members}):
        same = {played.digest.results.directory: played for played in members if played.gold == gold}
        table = comparison_of(title, [played.digest for played in same.values()])
        for name, entry in zip(table.row_names(), table.digests, strict=True):
            ordered.append(replace(same[entry.results.directory], name=name))
    return QuestionSet(title, tuple(ordered))


def _questions_of(digest: Digest) -> tuple[str, ...]:
    """What decides which questions were asked, and who answered; gold and prompts do not."""
    saved = part(digest.results.config, "benchmark_config")
    files = entries(digest.results.config, "provenance", "data")
    content = next((str(file.get("sha256")) for file in files if file.get("field") == "data_file"), None)
    chosen = (str(saved.get(key)) for key in ("categories", "conversations", "limit"))
    return (content or str(saved.get("data_file")), *chosen, digest.results.labels.agent)


def _read(digest: Digest, tables: Tables) -> Played:
    recall = next(iter(_recall_metrics(digest)), "")
    rows = tables.rows(_QUESTIONS.replace("{where}", _IS_ANSWERABLE), {"recall": recall})
    return Played(
        digest=digest,
        name=digest.results.labels.memory_system,
        by_category=grouped_summaries(tables, _CATEGORY),
        over_answerable=metric_summaries(tables, _IS_ANSWERABLE),
        questions={sample_id: Question(*values) for sample_id, *values in rows},
    )


def _recall_metrics(digest: Digest) -> list[str]:
    return [summary.metric for summary in digest.metrics if _RECALL.fullmatch(summary.metric)]
