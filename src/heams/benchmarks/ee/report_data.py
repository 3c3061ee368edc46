"""What the roll-up of ``ee`` needs of each experiment: its visits, and the tokens that they took."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from heams.benchmarks.ee.learning import PlayedVisit, VisitKey, Visits
from heams.evaluation.aime import ACCURACY, ACCURACY_LEGACY
from heams.reporting.bounds import Bound
from heams.reporting.rollup_groups import Group, Member
from heams.reporting.tables import ExperimentTables, Tables

_VISITS = """
    SELECT sample_id, step_index, any_value(tags['split']), any_value(tags['feedback']), any_value(tags['stream']),
           any_value(tags['order']), any_value(tags['item']), any_value(tags['exposure']), any_value(tags['third']),
           avg(contribution ORDER BY repeat), bool_or(outcome IN ('error', 'unsupported'))
    FROM records WHERE metric = $metric AND tags['item'] IS NOT NULL AND tags['split'] IS NOT NULL
    GROUP BY sample_id, step_index ORDER BY min(position), step_index
"""
_TOKENS = """
    SELECT sample_id, avg(coalesce(list_sum([entry.value.input_tokens + entry.value.output_tokens
                                             for entry in map_entries(usage) if entry.key <> 'judge']), 0)),
           avg(coalesce(list_sum([question.tokens for question in questions]), 0))
    FROM scenarios GROUP BY sample_id
"""


class Condition(NamedTuple):
    """How problems were met, and what was told about answers."""

    split: str
    feedback: str


class Tokens(NamedTuple):
    """Tokens of models that agent and memory called, and of what was recalled."""

    model: float
    recalled: float


@dataclass(frozen=True, slots=True)
class Learner:
    """One experiment: its visits by condition, how many had no verdict and are left out, and tokens by sample.

    ``legacy`` are the visits by the verdict of the official code; empty where the benchmark did not ask for it.
    """

    member: Member
    visits: Mapping[Condition, Visits]
    left_out: Mapping[Condition, int]
    tokens: Mapping[str, Tokens]
    legacy: Mapping[Condition, Visits]

    @property
    def remembers_nothing(self) -> bool:
        """Whether others are set against it."""
        return self.member.digest.bound is Bound.NO_MEMORY

    def under(self, condition: Condition) -> Visits:
        """Its visits under a condition; none where it was not played."""
        return self.visits.get(condition, {})

    def spent(self, condition: Condition) -> Tokens:
        """The tokens of all its samples under a condition."""
        spent = [self.tokens[name] for name in {key.sample for key in self.under(condition)} if name in self.tokens]
        return Tokens(sum(tokens.model for tokens in spent), sum(tokens.recalled for tokens in spent))


def learners(group: Group) -> list[Learner]:
    """The members of a group with their visits.

    Raises:
        ResultsError: a file of results is damaged.
    """
    return [_read(member) for member in group.members]


def conditions(members: list[Learner]) -> list[Condition]:
    """The conditions under which any of them played, as they were met."""
    return list(dict.fromkeys(condition for member in members for condition in member.visits))


def _read(member: Member) -> Learner:
    with ExperimentTables(member.digest.results) as tables:
        visits, left_out = _visits(tables, _metric(member))
        legacy, _ = _visits(tables, ACCURACY_LEGACY)
        tokens = {sample: Tokens(*counted) for sample, *counted in tables.rows(_TOKENS)}
    return Learner(member, visits, left_out, tokens, legacy)


def _visits(tables: Tables, metric: str) -> tuple[Mapping[Condition, Visits], Mapping[Condition, int]]:
    """The visits by a metric, and how many it says nothing about."""
    visits: dict[Condition, dict[VisitKey, PlayedVisit]] = {}
    left_out: dict[Condition, int] = {}
    for sample, step, split, feedback, stream, *rest in tables.rows(_VISITS, {"metric": metric}):
        order, item, exposure, third, solved, failed = rest
        condition = Condition(split, feedback)
        if solved is None:
            left_out[condition] = left_out.get(condition, 0) + 1
            continue
        visit = PlayedVisit(stream, order, f"{stream}/{item}", exposure, third, solved, failed)
        visits.setdefault(condition, {})[VisitKey(sample, step)] = visit
    return visits, left_out


def _metric(member: Member) -> str:
    """``aime_accuracy``, or the first metric of a benchmark that scores its problems otherwise."""
    names = [summary.metric for summary in member.digest.metrics]
    return ACCURACY if ACCURACY in names or not names else names[0]
