"""What the tables of an experiment tell about its judges: all that no label changes."""

from collections.abc import Mapping
from dataclasses import dataclass

from heams.browse.index import Experiment
from heams.browse.queries import Metric
from heams.browse.queries.judging.agreement import metric_agreement
from heams.browse.queries.judging.facts import JudgeFacts, judges_of
from heams.browse.queries.judging.votes import Voter, VoterName, split_votes, vote_pairs, voters_of
from heams.browse.views.judge.matrix import Matrix, matrix
from heams.reporting.metrics import MetricSummary
from heams.reporting.tables import Tables

MOST_VOTERS = 6
"""Up to here every two voters are compared; of more only each with the verdict."""


@dataclass(frozen=True, slots=True)
class VoterPair:
    """How two voters agree."""

    one: Voter
    other: Voter
    of: Matrix


@dataclass(frozen=True, slots=True)
class JudgeReport:
    """One judge of one experiment. ``against`` counts pairs of verdicts with each metric on the same steps.

    ``splits`` are verdicts whose votes differ.
    """

    facts: JudgeFacts
    summary: MetricSummary | None
    against: Mapping[Metric, Mapping[tuple[str, str], int]]
    voters: tuple[Voter, ...]
    pairs: tuple[VoterPair, ...]
    splits: int

    @property
    def unreadable_share(self) -> float | None:
        """The share of replies that could not be read."""
        return self.facts.unreadable / self.facts.replies if self.facts.replies else None

    @property
    def address(self) -> str:
        """The metric as addresses write it."""
        return str(self.facts.metric)


def judge_reports(experiment: Experiment) -> tuple[JudgeReport, ...]:
    """The judges of an experiment, in the order in which they appear; none where nothing was judged."""
    with experiment.tables() as tables:
        found = judges_of(tables)
        if not found:
            return ()
        summaries = {Metric(one.evaluator, one.metric): one for one in experiment.digest().metrics}
        return tuple(_report(tables, facts, summaries.get(facts.metric)) for facts in found)


def _report(tables: Tables, facts: JudgeFacts, summary: MetricSummary | None) -> JudgeReport:
    voters = voters_of(tables, facts.metric) if facts.voters > 1 else []
    compared = len(voters) <= MOST_VOTERS
    return JudgeReport(
        facts=facts,
        summary=summary,
        against=metric_agreement(tables, facts.metric),
        voters=tuple(voters),
        pairs=_pairs(tables, facts.metric, voters) if voters and compared else (),
        splits=split_votes(tables, facts.metric, size=1)[1] if voters else 0,
    )


def _pairs(tables: Tables, metric: Metric, voters: list[Voter]) -> tuple[VoterPair, ...]:
    by_name: dict[VoterName, Voter] = {(voter.model, voter.number): voter for voter in voters}
    return tuple(
        VoterPair(by_name[one], by_name[other], matrix(counts, sorted({word for pair in counts for word in pair})))
        for (one, other), counts in sorted(vote_pairs(tables, metric).items())
    )
