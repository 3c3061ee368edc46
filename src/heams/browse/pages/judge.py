"""What judges did, and how far to trust them: all of them, one, or the answers behind one number."""

from collections.abc import Sequence
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from heams.browse.index import Experiment
from heams.browse.pages.errors import Link, Problem
from heams.browse.queries import Metric
from heams.browse.queries.judging.agreement import CellRow, cell_rows
from heams.browse.rendering import links
from heams.browse.rendering.links import Here
from heams.browse.rendering.page import render
from heams.browse.views.judge.listed import judge_lines
from heams.browse.views.judge.page import Window, judge_view
from heams.browse.views.judge.people import CELL, PEOPLE, labelled_in_cell
from heams.browse.views.judge.report import JudgeReport, judge_reports
from heams.browse.views.kept import Kept

_CELL_ROWS = 25
_MOST_KEPT = 2_000
_LARGEST = 1_000_000_000


def routes() -> list[Route]:
    """``/judge`` and ``/judge/cell``."""
    return [Route("/judge", _judge), Route(CELL, _cell)]


def _judge(request: Request) -> Response:
    key = request.query_params.get("run", "")
    return _one(request, request.app.state.library.experiment(key)) if key else _all(request)


def _all(request: Request) -> Response:
    """Every judge of every experiment; those that are not read yet are read a little at each request."""
    _, unread = request.app.state.run_rows.read()
    ready = [one for one in request.app.state.library.experiments if one.ready]
    lines = judge_lines(ready, lambda experiment: _reports(request, experiment))
    partly = "hx-request" in request.headers
    return render(
        request, "judges.html", block="board" if partly else None, section="judge", lines=lines, unread=unread
    )


def _one(request: Request, experiment: Experiment) -> Response:
    reports = _reports(request, experiment)
    if not reports:
        return render(request, "judge_none.html", section="judge", key=experiment.key)
    asked = request.query_params
    report = _chosen(experiment, reports, asked.get("metric", ""))
    with experiment.tables() as tables:
        view = judge_view(
            experiment,
            tables,
            report,
            against=Metric.parse(asked.get("against", "")),
            troubled=_page(request, "troubled"),
            split=_page(request, "split"),
        )
    here = Here.of(request)
    return render(
        request,
        "judge.html",
        section="judge",
        key=experiment.key,
        reports=reports,
        view=view,
        troubled_url=lambda page: f"{here(troubled=page)}#replies",
        split_url=lambda page: f"{here(split=page)}#votes",
    )


def _cell(request: Request) -> Response:
    asked = request.query_params
    experiment = request.app.state.library.experiment(asked.get("run", ""))
    metric = _chosen(experiment, _reports(request, experiment), asked.get("metric", "")).facts.metric
    said, other, page = asked.get("said", ""), asked.get("other", ""), _page(request, "page")
    by_people, against = asked.get("against") == PEOPLE, Metric.parse(asked.get("against", ""))
    if by_people:
        rows, total = _labelled(experiment, metric, said, other, page, words=asked.get("of") == "words")
    elif against is not None:
        offset = (page - 1) * _CELL_ROWS
        with experiment.tables() as tables:
            rows, total = cell_rows(tables, metric, against, said, other, size=_CELL_ROWS, offset=offset)
    else:
        raise Problem(
            "against: it names people, or a metric as evaluator/metric.", [Link("Judge", links.judge(experiment.key))]
        )
    return render(
        request,
        "judge_cell.html",
        section="judge",
        key=experiment.key,
        metric=metric,
        address=str(metric),
        other_name="people" if by_people or against is None else against.name,
        by_people=by_people,
        words=asked.get("of") == "words",
        said=said,
        other=other,
        rows=rows,
        window=Window.of(page, total, _CELL_ROWS),
    )


def _labelled(
    experiment: Experiment, metric: Metric, said: str, label: str, page: int, *, words: bool
) -> tuple[list[CellRow], int]:
    with experiment.tables() as tables:
        found = labelled_in_cell(experiment, tables, metric, said, label, words=words)
    start = (Window.of(page, len(found), _CELL_ROWS)).offset
    rows = [
        CellRow(one.sample_id, one.repeat, one.step_index, one.name, one.expected, one.observed, one.reason, label.note)
        for one, label in found[start : start + _CELL_ROWS]
    ]
    return rows, len(found)


def _reports(request: Request, experiment: Experiment) -> Sequence[JudgeReport]:
    state = request.app.state
    if not hasattr(state, "judge_reports"):
        state.judge_reports = Kept(judge_reports, _MOST_KEPT)
    kept: Kept[Sequence[JudgeReport]] = state.judge_reports
    return kept.of(experiment)


def _chosen(experiment: Experiment, reports: Sequence[JudgeReport], metric: str) -> JudgeReport:
    found = next((one for one in reports if not metric or one.address == metric), None)
    if found is None:
        onward = [
            Link(f"Judge of {one.facts.metric.name}", links.judge(experiment.key, metric=one.address))
            for one in reports
        ]
        listed = ", ".join(one.address for one in reports) or "none: nothing was judged in this experiment"
        raise Problem(f"metric: found “{metric[:100]}”; judged metrics are {listed}.", onward, HTTPStatus.NOT_FOUND)
    return found


def _page(request: Request, name: str) -> int:
    text = request.query_params.get(name, "") or "1"
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:12]) <= _LARGEST):
        raise Problem(f"{name}: found “{text[:100]}”; allowed are whole numbers from 1.")
    return int(text)
