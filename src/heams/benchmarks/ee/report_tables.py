"""The tables of the roll-up of ``ee``, one for each question: how it went, what was gained, what was kept, the cost."""

from collections.abc import Sequence

from heams.benchmarks.ee.course import THIRDS
from heams.benchmarks.ee.learning import accuracy, gain, in_third, order_spread, retention, slope, with_exposure
from heams.benchmarks.ee.report_data import Condition, Learner
from heams.reporting.figures import count, score
from heams.reporting.markdown import Table
from heams.reporting.wording import NOT_REPORTED, mean

_SMALLEST_P = 0.001


def course_table(members: Sequence[Learner], condition: Condition) -> Table:
    """Accuracy over the course of the streams."""
    thirds = (f"{third} third" for third in THIRDS)
    official = ["by the official code"] if any(condition in learner.legacy for learner in members) else []
    table = Table("memory system", "reference", "accuracy", *official, ">visits", *thirds, ">slope", ">spread")
    for learner in members:
        visits = learner.under(condition)
        table.add(
            *learner.member.cells,
            mean(accuracy(visits.values())),
            *(mean(accuracy(learner.legacy.get(condition, {}).values())) for _ in official),
            _visits(learner, condition),
            *(mean(accuracy(in_third(visits, third))) for third in THIRDS),
            score(slope(visits)),
            score(order_spread(visits)),
        )
    return table


def gains(members: Sequence[Learner], without: Learner, condition: Condition) -> Table:
    """What each memory is worth beside none."""
    table = Table("memory system", "reference", "gain", ">visits", ">better", ">worse", ">p", ">negative transfer")
    for learner in members:
        if learner is without:
            continue
        found = gain(learner.under(condition), without.under(condition))
        table.add(
            *learner.member.cells,
            mean(found.difference),
            *map(count, (found.difference.n, found.better, found.worse)),
            f"<{_SMALLEST_P}" if found.p < _SMALLEST_P else score(found.p),
            score(found.negative_transfer),
        )
    return table


def exposures(members: Sequence[Learner], condition: Condition) -> Table:
    """Problems that are met for the first time beside those that were met before, as they are or with other numbers."""
    again = condition.split == "repeat"
    titles = ("first time", "again", "retention") if again else ("learning", "new numbers")
    table = Table("memory system", "reference", *titles)
    for learner in members:
        visits = learner.under(condition)
        met = (with_exposure(visits, exposure).values() for exposure in ("first", condition.split))
        kept = [mean(retention(visits))] if again else []
        table.add(*learner.member.cells, *(mean(accuracy(some)) for some in met), *kept)
    return table


def costs(members: Sequence[Learner], condition: Condition) -> Table:
    """Tokens for each problem that was solved."""
    table = Table("memory system", "reference", ">solved", ">model tokens per solved", ">recalled tokens per solved")
    for learner in members:
        solved = sum(visit.solved for visit in learner.under(condition).values())
        spent = learner.spent(condition)
        model = NOT_REPORTED if learner.member.digest.unreported else _per_solved(spent.model, solved)
        table.add(*learner.member.cells, count(solved), model, _per_solved(spent.recalled, solved))
    return table


def _per_solved(tokens: float, solved: float) -> str:
    return count(tokens / solved) if solved else "none solved"


def _visits(learner: Learner, condition: Condition) -> str:
    visits = learner.under(condition)
    failed, left_out = sum(visit.failed for visit in visits.values()), learner.left_out.get(condition, 0)
    parts = [count(len(visits))]
    parts += [f"{count(failed)} counted as 0"] if failed else []
    parts += [f"{count(left_out)} left out"] if left_out else []
    return ", ".join(parts)
