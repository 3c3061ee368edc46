"""The rows of a list as a file: all that the filter leaves, in the order of the list, with every column."""

from collections.abc import Iterator, Sequence
from functools import partial
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from heams.browse.filters import Filter
from heams.browse.index import Experiment
from heams.browse.labels import labels_for
from heams.browse.pages.samples import refused
from heams.browse.queries import CONTENT_TYPES, Layout, Metric, Selection, SortKey, export_rows
from heams.browse.views.list_state import AddressError, read_filter, read_metric, read_sort, read_state
from heams.browse.views.sample_list import metrics_of


def routes() -> list[Route]:
    """``/run/<key>/samples.csv``, ``.jsonl`` and ``.md``."""
    return [Route(f"/run/{{key}}/samples.{layout}", partial(_file, layout=layout)) for layout in CONTENT_TYPES]


def _file(request: Request, layout: Layout) -> Response:
    experiment: Experiment = request.app.state.library.experiment(request.path_params["key"])
    try:
        state = read_state(experiment.key, request.query_params)
        metric, filter_, sort = read_metric(state, metrics_of(experiment)), read_filter(state), read_sort(state)
    except AddressError as error:
        raise refused(error) from None
    name = quote(f"{experiment.key}.samples.{layout}", safe="")
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{name}"}
    pieces = _pieces(experiment, metric, filter_, sort, layout)
    return StreamingResponse(pieces, media_type=CONTENT_TYPES[layout], headers=headers)


def _pieces(
    experiment: Experiment, metric: Metric | None, filter_: Filter, sort: Sequence[SortKey], layout: Layout
) -> Iterator[bytes]:
    """The file, piece by piece; half a character (a lone surrogate) of a text becomes a question mark."""
    with experiment.tables() as tables:
        selection = Selection(metric, filter_, labels_for(experiment, tables, metric))
        for piece in export_rows(tables, selection, sort, layout):
            yield piece.encode("utf-8", "replace")
