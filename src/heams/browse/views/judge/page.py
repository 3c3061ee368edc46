"""Everything about one judge of one experiment."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from heams.browse.index import Experiment
from heams.browse.queries import Metric
from heams.browse.queries.judging.unreadable import TroubledRow, troubled_rows
from heams.browse.queries.judging.votes import SplitRow, split_votes
from heams.browse.rendering import links
from heams.browse.views.judge.calibrated import Trust, trust_in
from heams.browse.views.judge.matrix import Matrix, matrix, verdict_classes
from heams.browse.views.judge.people import CELL, People, people
from heams.browse.views.judge.report import JudgeReport
from heams.reporting.tables import Tables

ROWS = 10


@dataclass(frozen=True, slots=True)
class Window:
    """Part of a list: ``page`` (from 1) of ``pages``."""

    page: int
    pages: int
    first: int
    last: int
    total: int

    @classmethod
    def of(cls, page: int, total: int, size: int = ROWS) -> "Window":
        """Page ``page`` of ``total`` rows; the last one where there is no such page."""
        pages = max(1, -(-total // size))
        page = min(page, pages)
        return cls(page, pages, (page - 1) * size + 1 if total else 0, min(page * size, total), total)

    @property
    def offset(self) -> int:
        """How many rows come before."""
        return max(0, self.first - 1)


@dataclass(frozen=True, slots=True)
class JudgeView:
    """One judge. ``against`` has a matrix for each metric on the same steps, of which ``shown`` is shown."""

    report: JudgeReport
    trust: Trust
    people: People
    against: Mapping[Metric, Matrix]
    shown: Metric | None
    troubled: tuple[TroubledRow, ...]
    troubled_window: Window
    split: tuple[SplitRow, ...]
    split_window: Window


def judge_view(
    experiment: Experiment, tables: Tables, report: JudgeReport, *, against: Metric | None, troubled: int, split: int
) -> JudgeView:
    """The judge of ``report``, with page ``troubled`` and ``split`` of the lists."""
    metric = report.facts.metric
    matrices = {
        other: matrix(counts, verdict_classes(counts), partial(_cell, experiment, metric, other))
        for other, counts in report.against.items()
    }
    troubles = Window.of(troubled, report.facts.troubled)
    troubled_now = troubled_rows(tables, metric, size=ROWS, offset=troubles.offset)[0] if troubles.total else []
    parted = Window.of(split, report.splits)
    split_rows = split_votes(tables, metric, size=ROWS, offset=parted.offset)[0] if report.splits else []
    return JudgeView(
        report=report,
        trust=trust_in(experiment.results, report.facts),
        people=people(experiment, tables, metric),
        against=matrices,
        shown=against if against in matrices else next(iter(matrices), None),
        troubled=tuple(troubled_now),
        troubled_window=troubles,
        split=tuple(split_rows),
        split_window=parted,
    )


def _cell(experiment: Experiment, metric: Metric, against: Metric, said: str, other: str) -> str:
    asked = {"run": experiment.key, "metric": str(metric), "against": str(against), "said": said, "other": other}
    return links.address(CELL, asked.items())
