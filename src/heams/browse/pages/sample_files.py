"""What a sample was saved as: its line, single texts of it, and texts that were recalled. Never shown as markup."""

import re
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from heams.browse.index import Experiment
from heams.browse.pages.errors import Link, Problem
from heams.browse.rendering import links
from heams.browse.views.sample.asked import asked
from heams.browse.views.sample.page import find
from heams.browse.views.sample.raw import text_at

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST_NAME = 80


def routes() -> list[Route]:
    """``/run/<key>/sample.json``, ``/run/<key>/sample.txt`` and ``/run/<key>/text``."""
    return [
        Route("/run/{key}/sample.json", _line),
        Route("/run/{key}/sample.txt", _text),
        Route("/run/{key}/text", _recalled_text),
    ]


def _line(request: Request) -> Response:
    """The line as it was saved, as a file."""
    line, name = _found(request)
    headers = {"Content-Disposition": f'attachment; filename="{name}.json"'}
    return Response(line, media_type="application/json", headers=headers)


def _text(request: Request) -> Response:
    """The text of the line that the JSON pointer ``at`` leads to."""
    pointer = request.query_params.get("at", "")
    line, _ = _found(request)
    text = text_at(line, pointer)
    if text is None:
        raise Problem(f"at: there is nothing at “{pointer[:200]}” in this sample.", (), HTTPStatus.NOT_FOUND)
    return _plain(text)


def _recalled_text(request: Request) -> Response:
    """A recalled text by its key."""
    experiment: Experiment = request.app.state.library.experiment(request.path_params["key"])
    wanted = request.query_params.get("id", "")
    text = experiment.texts([wanted]).get(wanted)
    if text is None:
        onward = [Link("The experiment", links.run(experiment.key))]
        raise Problem(f"No text was saved under “{wanted[:200]}”.", onward, HTTPStatus.NOT_FOUND)
    return _plain(text)


def _found(request: Request) -> tuple[bytes, str]:
    """The line of the sample of the address, and a name for a file."""
    experiment: Experiment = request.app.state.library.experiment(request.path_params["key"])
    given = {name: value for name, value in request.query_params.items() if name in {"id", "repeat"}}
    wanted = asked(experiment.key, type(request.query_params)(given))
    with experiment.tables() as tables:
        found = find(tables, wanted)
    name = _UNSAFE.sub("_", f"{experiment.key}__{wanted.sample_id}__{found.repeat}").strip("._")
    return experiment.raw(found.position), name[:_LONGEST_NAME] or "sample"


def _plain(text: str) -> Response:
    return PlainTextResponse(text.encode("utf-8", "replace"), media_type="text/plain")
