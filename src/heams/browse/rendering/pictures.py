"""Charts as answers: drawn only where the browser does not have them already."""

from collections.abc import Callable
from hashlib import sha256
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import Response

from heams.reporting.charts import ChartError, svg
from heams.reporting.charts.theme import Chart

_CHANGES = "private, no-cache"


def picture(request: Request, versions: object, build: "Callable[[], Chart | None]") -> Response:
    """The chart as SVG; no content where there is nothing to show, or it cannot be drawn: tables have the numbers.

    ``versions`` changes with the results that are shown.
    """
    etag = f'"{sha256(repr((versions, str(request.query_params))).encode()).hexdigest()[:20]}"'
    headers = {"Cache-Control": _CHANGES, "ETag": etag}
    if request.headers.get("if-none-match") == etag:
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    try:
        chart = build()
        drawn = None if chart is None else svg(chart)
    except ChartError:
        drawn = None
    if drawn is None:
        return Response(status_code=HTTPStatus.NO_CONTENT)
    return Response(drawn, media_type="image/svg+xml", headers=headers)
