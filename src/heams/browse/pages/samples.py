"""The samples of an experiment under one metric: filtered, sorted, counted, a page at a time."""

from http import HTTPStatus
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from heams.browse.index import Experiment
from heams.browse.labels import labels_for
from heams.browse.pages.errors import Link, Problem
from heams.browse.queries import Selection, columns_text
from heams.browse.queries.how_many import how_many
from heams.browse.rendering.page import render
from heams.browse.views.list_state import SIZES, AddressError, is_untidy, read_filter, read_metric, read_state
from heams.browse.views.sample_list import SampleList, metrics_of, sample_list
from heams.reporting.metrics import LLM_JUDGE

_TEMPLATE = "samples.html"
_MOST_DIGITS = 12
_STOP_POLLING = 286
"""What htmx understands as: do not ask again."""


def routes() -> list[Route]:
    """``/run/<key>/samples``, and ``/run/<key>/new``: how many rows came since."""
    return [Route("/run/{key}/samples", _samples), Route("/run/{key}/new", _new)]


def refused(error: AddressError) -> Problem:
    """The page that says what an address cannot be."""
    return Problem(str(error), [Link(*error.offer)] if error.offer else [])


def _samples(request: Request) -> Response:
    experiment: Experiment = request.app.state.library.experiment(request.path_params["key"])
    asked = request.query_params
    try:
        view = sample_list(experiment, request.app.state.list_answers, read_state(experiment.key, asked))
    except AddressError as error:
        raise refused(error) from None
    in_place = "hx-request" in request.headers and "hx-history-restore-request" not in request.headers
    if in_place:
        return _in_place(request, experiment, view)
    if view.box.problem is None and is_untidy(asked):
        return RedirectResponse(view.state.address(page=view.page.page), HTTPStatus.SEE_OTHER)
    status = HTTPStatus.OK if view.box.problem is None else HTTPStatus.BAD_REQUEST
    return _rendered(request, experiment, view, None, status)


def _in_place(request: Request, experiment: Experiment, view: SampleList) -> Response:
    """The part of the page that changes; of a filter that cannot be read only what is wrong, so that the list stays."""
    if view.box.problem is not None:
        found = _rendered(request, experiment, view, "problem")
        found.headers.update({"HX-Retarget": "#problem", "HX-Reswap": "outerHTML show:none", "HX-Push-Url": "false"})
        return found
    found = _rendered(request, experiment, view, "board")
    found.headers["HX-Push-Url"] = view.state.address(page=view.page.page)
    return found


def _rendered(
    request: Request,
    experiment: Experiment,
    view: SampleList,
    block: str | None,
    status: HTTPStatus = HTTPStatus.OK,
) -> Response:
    return render(
        request,
        _TEMPLATE,
        block=block,
        status=status,
        section="runs",
        key=experiment.key,
        view=view,
        state=view.state,
        labels=experiment.results.labels,
        benchmark=experiment.digest().benchmark_name,
        judged=any(line.of.evaluator == LLM_JUDGE for line in view.lines),
        live=experiment.running,
        partly=block is not None,
        sizes=SIZES,
        sort_url=lambda sort: view.state.address(sort=sort),
        page_url=lambda page: view.state.address(page=page),
        columns_text=columns_text,
    )


def _new(request: Request) -> Response:
    """How many rows there are now beside those that the page knows of; asked again while the run is under way."""
    experiment: Experiment = request.app.state.library.experiment(request.path_params["key"])
    try:
        state = read_state(experiment.key, request.query_params)
        metric, filter_ = read_metric(state, metrics_of(experiment)), read_filter(state)
    except AddressError as error:
        raise refused(error) from None
    with experiment.tables() as tables:
        total = how_many(tables, Selection(metric, filter_, labels_for(experiment, tables, metric)))
    shown = request.query_params.get("shown", "")
    known = int(shown) if shown.isascii() and shown.isdigit() and len(shown) < _MOST_DIGITS else total
    found: dict[str, Any] = {"added": max(total - known, 0), "state": state, "partly": True}
    status = HTTPStatus.OK if experiment.running else _STOP_POLLING
    return render(request, _TEMPLATE, block="news", status=status, **found)
