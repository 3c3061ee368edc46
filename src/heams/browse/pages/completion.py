"""What may come next in the filter that is being written, as options of the box."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from heams.browse.filters import complete
from heams.browse.filters.parsing import MAX_LENGTH
from heams.browse.index import Experiment
from heams.browse.pages.samples import refused
from heams.browse.rendering.page import render
from heams.browse.views.list_state import AddressError, read_metric, read_state
from heams.browse.views.sample_list import metrics_of

_MOST_DIGITS = 6


def routes() -> list[Route]:
    """``/run/<key>/complete?q=…&cursor=…``: ``cursor`` counts characters from 0."""
    return [Route("/run/{key}/complete", _complete)]


def _complete(request: Request) -> Response:
    experiment: Experiment = request.app.state.library.experiment(request.path_params["key"])
    try:
        metric = read_metric(read_state(experiment.key, request.query_params), metrics_of(experiment))
    except AddressError as error:
        raise refused(error) from None
    text = request.query_params.get("q", "")
    found = []
    if len(text) <= MAX_LENGTH:
        with experiment.tables() as tables:
            known = request.app.state.list_answers.known(experiment, tables, metric)
        found = complete(text, _cursor(request.query_params.get("cursor", ""), text), known)
    return render(request, "_samples/completions.html", completions=found)


def _cursor(given: str, text: str) -> int:
    return int(given) if given.isascii() and given.isdigit() and len(given) <= _MOST_DIGITS else len(text)
