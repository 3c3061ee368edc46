"""One sample: what was expected and what came, every action, what was recalled, what it changed and what it took."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from heams.browse.index import Experiment
from heams.browse.labels import LabelForm, VerdictKey, label_form
from heams.browse.queries.history_events import history_page
from heams.browse.rendering import links
from heams.browse.rendering.links import Here
from heams.browse.rendering.page import render
from heams.browse.views.sample.asked import TABS, Asked, asked
from heams.browse.views.sample.costs import costs
from heams.browse.views.sample.memory import memory
from heams.browse.views.sample.other_runs import other_runs, rivals
from heams.browse.views.sample.page import SamplePageView, sample_page_view
from heams.browse.views.sample.raw import raw_view
from heams.browse.views.sample.recalled import recalled
from heams.browse.views.sample.steps import transcript
from heams.reporting.tables import Tables

_PAGE = "sample.html"
_PARTS = {"others": _PAGE, "history": "_sample/transcript.html"}
"""What htmx asks for by the id of the element that it replaces: blocks of templates."""


def routes() -> list[Route]:
    """``/run/<key>/sample``."""
    return [Route("/run/{key}/sample", _sample)]


def _sample(request: Request) -> Response:
    experiment: Experiment = request.app.state.library.experiment(request.path_params["key"])
    wanted = asked(experiment.key, request.query_params)
    with experiment.tables() as tables:
        view = sample_page_view(experiment, tables, wanted, request.app.state.list_orders)
        form = _label_form(experiment, tables, view, back=str(Here.of(request)))
    asked_for = request.headers.get("hx-target", "") if "hx-request" in request.headers else ""
    part = asked_for if asked_for in _PARTS else None
    return render(
        request,
        _PARTS[part] if part is not None else _PAGE,
        block=part,
        section="runs",
        view=view,
        asked=wanted,
        key=experiment.key,
        results=experiment.results,
        files=_files(wanted, view),
        tabs_of=TABS,
        others=_others(request, experiment, view) if part == "others" or wanted.also else None,
        has_rivals=bool(rivals(experiment, request.app.state.library.experiments)),
        form=form,
        **_tab(experiment, view, part),
    )


def _tab(experiment: Experiment, view: SamplePageView, part: str | None) -> dict[str, Any]:
    """What only the shown tab needs."""
    wanted, result = view.asked, view.result
    shown: dict[str, Any] = dict.fromkeys(("transcript", "history", "recalled", "memory", "costs", "raw"))
    match wanted.tab:
        case "transcript":
            shown["transcript"] = transcript(result, view.verdicts, wanted.steps, wanted.at)
            if result.history_id is not None and wanted.history is not None:
                shown["history"] = history_page(experiment.results, result.history_id, wanted.history)
        case "recalled":
            shown["recalled"] = recalled(experiment, result, view.step, wanted.items)
        case "memory":
            shown["memory"] = memory(experiment, result, wanted.at, wanted.items)
        case "costs":
            shown["costs"] = costs(result, view.attempts)
        case "json":
            final = next(one for one in view.attempts if one.final and one.repeat == result.repeat)
            shown["raw"] = raw_view(experiment.raw(final.position))
        case "verdict":
            pass
    return shown


def _others(request: Request, experiment: Experiment, view: SamplePageView) -> Any:
    """What others say about the same question; None where there is no verdict to compare."""
    if view.chosen is None:
        return None
    beside = rivals(experiment, request.app.state.library.experiments)
    return other_runs(experiment, beside, view.result.sample_id, view.result.repeat, view.chosen.of)


def _files(wanted: Asked, view: SamplePageView) -> Any:
    """A function that gives the address of a text of the saved line, by its JSON pointer."""

    def text_address(pointer: str) -> str:
        pairs = [("id", wanted.sample_id), ("repeat", str(view.result.repeat)), ("at", pointer)]
        return links.address(f"{links.run(wanted.key)}/sample.txt", pairs)

    return text_address


def _label_form(experiment: Experiment, tables: Tables, view: SamplePageView, *, back: str) -> LabelForm | None:
    """The form for a person's verdict on the chosen one; None where there is none, or on another tab.

    Labels are about the first verdict of a metric on a step: further ones have no form, or it would change that one.
    """
    if view.chosen is None or view.asked.tab != "verdict" or view.chosen.of.ordinal > 1:
        return None
    of = view.chosen.of
    key = VerdictKey(view.result.sample_id, view.result.repeat, of.step, of.evaluator, of.metric)
    return label_form(experiment, tables, key, back=back)
