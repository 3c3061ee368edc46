"""Labels by people: saving one, a queue of verdicts that wait for one, and all of them as a file."""

from collections.abc import Mapping
from dataclasses import replace
from http import HTTPStatus
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from heams.browse.index import Experiment
from heams.browse.labels import LabelForm, LabelNotSaved, LabelRefused, VerdictKey, label_form, save_form
from heams.browse.labels.exporting import human_lines
from heams.browse.pages.errors import Link, Problem
from heams.browse.queries import Metric
from heams.browse.rendering import links
from heams.browse.rendering.links import Here
from heams.browse.rendering.page import render
from heams.browse.views.label_queue import label_queue

_LARGEST = 2**63 - 1
_MOST_SEED = 40
_FORM = "_label_form.html"


def routes() -> list[Route]:
    """``/run/<key>/label`` and ``labels``."""
    return [
        Route("/run/{key}/label", _save, methods=["POST"]),
        Route("/run/{key}/labels", _queue),
        Route("/run/{key}/labels.jsonl", _export),
    ]


def _save(request: Request) -> Response:
    experiment = request.app.state.library.experiment(request.path_params["key"])
    sent: Mapping[str, str] = request.state.form
    shown, in_place = _shown(experiment, sent), "hx-request" in request.headers
    try:
        save_form(experiment, shown, sent)
    except (LabelRefused, LabelNotSaved) as cause:
        if not in_place:
            raise Problem(str(cause), [Link("Back", shown.back)], HTTPStatus.CONFLICT) from None
        return render(request, _FORM, form=replace(shown, problem=str(cause), note=sent.get("note", shown.note)))
    if in_place:
        return render(request, _FORM, form=_shown(experiment, sent))
    return RedirectResponse(f"{shown.back}#{shown.id}", HTTPStatus.SEE_OTHER)


def _shown(experiment: Experiment, sent: Mapping[str, str]) -> LabelForm:
    """The form that was sent, as it is shown now."""
    metric = _metric(experiment.key, sent.get("metric", ""))
    repeat = _number("repeat", sent.get("repeat", "") or "0")
    step = _number("step", sent["step"]) if sent.get("step") else None
    key = VerdictKey(sent.get("id", ""), repeat, step, metric.evaluator, metric.name)
    back = _own(sent.get("back", "")) or links.samples(experiment.key, metric=str(metric))
    with experiment.tables() as tables:
        found = label_form(experiment, tables, key, back=back, blind="blind" in sent)
    if found is None:
        onward = [Link("Samples", links.samples(experiment.key))]
        raise Problem(
            "There is no such verdict in this experiment, so nothing was saved.", onward, HTTPStatus.NOT_FOUND
        )
    return found


def _queue(request: Request) -> Response:
    experiment = request.app.state.library.experiment(request.path_params["key"])
    metric = _metric(experiment.key, request.query_params.get("metric", ""))
    seed = request.query_params.get("seed", "1")[:_MOST_SEED]
    with experiment.tables() as tables:
        view = label_queue(experiment, tables, metric, seed, back=str(Here.of(request)))
    return render(request, "labels.html", section="judge", key=experiment.key, view=view)


def _export(request: Request) -> Response:
    experiment = request.app.state.library.experiment(request.path_params["key"])
    metric = _metric(experiment.key, request.query_params.get("metric", ""))
    name = quote(f"{experiment.key}.{metric.name}.labels.jsonl")
    headers = {"Content-Disposition": f"attachment; filename*=utf-8''{name}"}
    lines = human_lines(experiment, metric.evaluator, metric.name)
    return StreamingResponse(lines, media_type="application/x-ndjson", headers=headers)


def _metric(key: str, text: str) -> Metric:
    found = Metric.parse(text)
    if found is None:
        raise Problem(
            f"metric: found “{text[:100]}”; it is written evaluator/metric.", [Link("Judge", links.judge(key))]
        )
    return found


def _number(name: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text[:20]) <= _LARGEST):
        raise Problem(f"{name}: found “{text[:100]}”; allowed are whole numbers from 0.")
    return int(text[:20])


def _own(address: str) -> str:
    """An address of these pages, without its fragment; empty for any other."""
    path = address.partition("#")[0]
    elsewhere = path.startswith("//") or "\\" in path or not path.isprintable()
    return path if path.startswith("/") and not elsewhere else ""
