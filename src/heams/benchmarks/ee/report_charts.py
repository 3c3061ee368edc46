"""The figure of the roll-up of ``ee``: accuracy over the course of the streams, a line for each memory."""

from collections.abc import Iterator, Sequence
from functools import partial

from heams.benchmarks.ee.course import THIRDS
from heams.benchmarks.ee.learning import accuracy, in_third
from heams.benchmarks.ee.report_data import Condition, Learner
from heams.reporting.charts.figure import Figure
from heams.reporting.charts.learning import Step, learning_chart, learning_words

_METRIC, _COURSE = "accuracy", "third of the streams"


def course_figure(members: Sequence[Learner], condition: Condition, *, name: str, title: str) -> Figure | None:
    """The figure under ``name``; None where no memory was met in two thirds."""
    steps = [step for learner in members for step in _steps(learner, condition)]
    if len({step.part for step in steps}) < 2:
        return None
    draw = partial(learning_chart, steps, title=title, metric=_METRIC, course=_COURSE)
    return Figure(name, learning_words(steps, title=title, metric=_METRIC), draw)


def _steps(learner: Learner, condition: Condition) -> Iterator[Step]:
    line, *_ = learner.member.cells
    for third in THIRDS:
        found = accuracy(in_third(learner.under(condition), third))
        if found.mean is not None:
            low, high = (found.interval.low, found.interval.high) if found.interval else (None, None)
            yield Step(line, third, found.mean, low, high, learner.member.digest.bound is not None)
