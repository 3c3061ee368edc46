"""All judges of a library, a line each, as far as its experiments have been read."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from heams.browse.index import Experiment
from heams.browse.labels import read_labels
from heams.browse.views.judge.calibrated import Trust, trust_in
from heams.browse.views.judge.people import People, people
from heams.browse.views.judge.report import JudgeReport
from heams.reporting.errors import ResultsError
from heta_framework.common.config import ConfigError


@dataclass(frozen=True, slots=True)
class JudgeLine:
    """One judge of one experiment. ``people`` is None where nobody has labelled anything."""

    key: str
    report: JudgeReport
    trust: Trust
    people: People | None


Reports = Callable[[Experiment], Sequence[JudgeReport]]


def judge_lines(experiments: Iterable[Experiment], reports: Reports) -> tuple[JudgeLine, ...]:
    """A line for each judge; experiments that cannot be read have none, and their own pages say why."""
    found: list[JudgeLine] = []
    for experiment in experiments:
        try:
            found += _lines(experiment, reports(experiment))
        except (ResultsError, ConfigError):
            continue
    return tuple(found)


def _lines(experiment: Experiment, reports: Sequence[JudgeReport]) -> Iterator[JudgeLine]:
    for report in reports:
        metric = report.facts.metric
        said = None
        if read_labels(experiment.results).under(metric.evaluator, metric.name):
            with experiment.tables() as tables:
                said = people(experiment, tables, metric)
        yield JudgeLine(experiment.key, report, trust_in(experiment.results, report.facts), said)
