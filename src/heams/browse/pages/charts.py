"""The charts of the pages that compare."""

from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from heams.browse.comparing import StillComparing
from heams.browse.rendering.pictures import picture
from heams.browse.views.compare.asked import asked
from heams.browse.views.compare.finding import find
from heams.browse.views.matrix.trade import cost_trade, measures, trade
from heams.reporting.charts import cost_scatter, pair_scatter, privacy_scatter
from heams.reporting.charts.theme import Chart


def routes() -> list[Route]:
    """``/charts/<name>.svg``."""
    return [
        Route("/charts/compare.svg", _pairs),
        Route("/charts/matrix/trade.svg", _trade),
        Route("/charts/matrix/cost.svg", _cost),
    ]


def _pairs(request: Request) -> Response:
    """The values of B against those of A, question by question."""
    wanted, state = asked(request.query_params), request.app.state
    a, b = state.library.experiment(wanted.a), state.library.experiment(wanted.b)

    def build() -> "Chart | None":
        found = find(state.comparisons, a, b, wanted)
        if not found.comparison.higher_is_better:
            return None  # the chart would call the worse side the better one
        columns = found.pairs.columns
        both = zip(columns["value_a"].tolist(), columns["value_b"].tolist(), strict=True)
        metric = found.comparison.metric.metric
        return pair_scatter(both, title="Each question", a=a.key, b=b.key, metric=metric)

    try:
        return picture(request, (a.version, b.version), build)
    except StillComparing:
        return Response(status_code=HTTPStatus.NO_CONTENT)


def _trade(request: Request) -> Response:
    """One measure against another, performance against privacy unless told otherwise."""
    read = request.app.state.digests.read()
    given = request.query_params

    def build() -> "Chart | None":
        found = trade(measures(read.columns), given.get("x", ""), given.get("y", ""))
        if found is None:
            return None
        return privacy_scatter(found.points, title="What is traded", use=found.x.name, protection=found.y.name)

    return picture(request, read.versions, build)


def _cost(request: Request) -> Response:
    """A measure against what it took."""
    read = request.app.state.digests.read()
    given = request.query_params

    def build() -> "Chart | None":
        found = cost_trade(measures(read.columns), given.get("cost", ""))
        if found is None:
            return None
        return cost_scatter(found.points, title="Score and cost", metric=found.of.name, cost=found.unit)

    return picture(request, read.versions, build)
