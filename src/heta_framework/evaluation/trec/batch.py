"""Scores of a whole run: every question of the labels under every measure, with what is missing on either side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import fsum

from heta_framework.evaluation.trec.judging import RELEVANCE_LEVEL, judge
from heta_framework.evaluation.trec.measures import METRICS, Measure, default_measures

__all__ = ["Qrels", "Run", "RunScores", "score_run"]

Run = Mapping[str, Mapping[str, float]]
"""The score of each retrieved document by question."""
Qrels = Mapping[str, Mapping[str, int]]
"""The label of each labelled document by question."""


@dataclass(frozen=True, slots=True)
class RunScores:
    """Scores per question, and which questions are behind a mean.

    Attributes:
        by_query: of every question in the labels: measure name to value in [0, 1].
        without_run: questions with a positive label and no result: they score 0 and count (trec_eval: with ``-c``).
        without_positive: questions whose labels are all zero or negative: they score 0 for every system, so means leave
            them out (trec_eval counts them).
        without_labels: questions of the run that no label speaks of; left out.
    """

    by_query: Mapping[str, Mapping[str, float]]
    without_run: tuple[str, ...]
    without_positive: tuple[str, ...]
    without_labels: tuple[str, ...]

    @property
    def counted(self) -> int:
        """How many questions are behind each mean."""
        return len(self.by_query) - len(self.without_positive)

    def values(self, measure: str) -> list[float]:
        """The values of a measure (by name) that its mean counts."""
        left_out = frozenset(self.without_positive)
        return [scores[measure] for query, scores in self.by_query.items() if query not in left_out]

    def mean(self, measure: str) -> float | None:
        """The mean of a measure (by name); None where no question counts."""
        values = self.values(measure)
        return fsum(values) / len(values) if values else None


def score_run(run: Run, qrels: Qrels, measures: Iterable[Measure] | None = None) -> RunScores:
    """Score a run as trec_eval does; per question the values are bit for bit its own.

    Args:
        run: scores of documents by question. The order of the documents does not matter, see `trec.ranking`.
        qrels: labels of documents by question.
        measures: the 25 of `default_measures` unless given.

    Raises:
        ValueError: a score is NaN; the message names the question.
    """
    functions = [(measure.name, METRICS[measure.metric], measure.k) for measure in measures or default_measures()]
    by_query = {}
    for query, labels in qrels.items():
        try:
            judged = judge(run.get(query, {}), labels)
        except ValueError as error:
            raise ValueError(f"question {query!r}: {error}") from None
        by_query[query] = {name: function(judged, k) for name, function, k in functions}
    without_positive = [query for query, labels in qrels.items() if max(labels.values(), default=0) < RELEVANCE_LEVEL]
    left_out = frozenset(without_positive)
    return RunScores(
        by_query=by_query,
        without_run=tuple(query for query in qrels if not run.get(query) and query not in left_out),
        without_positive=tuple(without_positive),
        without_labels=tuple(query for query in run if query not in qrels),
    )
