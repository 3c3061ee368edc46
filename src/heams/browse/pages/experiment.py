"""One experiment: what it scored, where, at what price, what went wrong, and what was run."""

from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from heams.browse.rendering.page import render
from heams.browse.views.compare.choices import Choice, choices
from heams.browse.views.overview import Overview, first_metric
from heams.browse.views.run_row import now
from heams.reporting.charts import ChartError, svg
from heams.reporting.charts.latency import Times, latency_chart
from heams.reporting.timing import PHASES

_CHANGES = "private, no-cache"


def routes() -> list[Route]:
    """``/run/<key>``, and the chart on it."""
    return [Route("/run/{key}", _experiment), Route("/charts/run/{key}/latency.svg", _latency)]


def _experiment(request: Request) -> Response:
    experiment = request.app.state.library.experiment(request.path_params["key"])
    view: Overview = request.app.state.overviews.of(experiment)
    status = experiment.results.status
    live = experiment.running
    seen = f"{view.version} {status.updated_at.isoformat() if status is not None else ''}{'' if live else ' still'}"
    partly = "hx-request" in request.headers
    if partly and request.query_params.get("seen") == seen:
        return Response(status_code=HTTPStatus.NO_CONTENT)
    return render(
        request,
        "experiment.html",
        block="board" if partly else None,
        section="runs",
        key=experiment.key,
        view=view,
        digest=view.digest,
        run_status=status,
        live=live,
        seen=seen,
        metric=first_metric(view.lines),
        others=_others(request, experiment.key),
        now=now(),
    )


def _others(request: Request, key: str) -> list[Choice]:
    """Experiments of the same benchmark, to compare with."""
    groups = choices(request.app.state.library.experiments, key)
    return [one for group in groups if group.like for one in group.choices if one.key != key]


def _latency(request: Request) -> Response:
    """How long each phase took, as SVG."""
    experiment = request.app.state.library.experiment(request.path_params["key"])
    found = experiment.digest().latencies
    times = [Times(phase, found[phase].p50 or 0.0, found[phase].p95 or 0.0) for phase in PHASES if found[phase].n]
    chart = latency_chart(times, title="Seconds of a scenario")
    if chart is None:
        return Response(status_code=HTTPStatus.NO_CONTENT)
    try:
        picture = svg(chart)
    except ChartError:
        return Response(status_code=HTTPStatus.NO_CONTENT)  # the table beside it has the numbers
    return Response(picture, media_type="image/svg+xml", headers={"Cache-Control": _CHANGES})
