"""Two experiments beside each other, question by question; and one question with what both made of it."""

from http import HTTPStatus
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from heams.browse.comparing import StillComparing
from heams.browse.index import Experiment
from heams.browse.rendering import links
from heams.browse.rendering.page import render
from heams.browse.views.compare.asked import Asked, asked
from heams.browse.views.compare.choices import choices
from heams.browse.views.compare.finding import find, metric_choices
from heams.browse.views.compare.pair import pair_view
from heams.browse.views.compare.pair_list import pair_list
from heams.browse.views.compare.summary import by_name, signed, summary
from heams.reporting.compare import UnlikeExperiments
from heams.reporting.errors import ResultsError

_LIST, _PAIR = "compare.html", "compare_pair.html"


def routes() -> list[Route]:
    """``/compare``."""
    return [Route("/compare", _compare)]


def _compare(request: Request) -> Response:
    wanted, library = asked(request.query_params), request.app.state.library
    a, b = (library.experiment(key) if key else None for key in (wanted.a, wanted.b))
    view = _frame(request, wanted)
    if a is None or b is None:
        return render(request, _LIST, section="compare", **view)
    try:
        view |= _both(request, a, b, wanted)
    except StillComparing:
        view |= {"waiting": True, "metrics": metric_choices(a, b)}
    except UnlikeExperiments as refused:
        view |= {"unlike": by_name(refused.differences), "metrics": metric_choices(a, b)}
    except ResultsError as problem:
        view |= {"problem": str(problem)}
        return render(request, _LIST, section="compare", status=HTTPStatus.CONFLICT, **view)
    return render(request, _PAIR if view["pair"] else _LIST, section="compare", **view)


def _frame(request: Request, wanted: Asked) -> dict[str, Any]:
    """What the page shows whatever is chosen."""
    experiments = request.app.state.library.experiments
    state = {
        "metric": wanted.metric,
        "by": wanted.by,
        "allow": wanted.allow,
        "only": wanted.only,
        "id": wanted.sample,
        "step": wanted.step,
        "ordinal": wanted.ordinal if wanted.ordinal != 1 else None,
    }
    return {
        "asked": wanted,
        "groups_a": choices(experiments),
        "groups_b": choices(experiments, wanted.a),
        "swap": links.compare(wanted.b, wanted.a, **state) if wanted.a or wanted.b else None,
        "metrics": (),
        "waiting": False,
        **dict.fromkeys(("found", "pair", "list", "unlike", "problem")),
    }


def _both(request: Request, a: Experiment, b: Experiment, wanted: Asked) -> dict[str, Any]:
    """What the page shows of a comparison: the list of pairs, or one of them."""
    found = find(request.app.state.comparisons, a, b, wanted)
    shown = {
        "found": summary(found, a.info.criterion_names),
        "tags": found.tags,
        "metrics": metric_choices(a, b),
        "signed": signed,
        "allow_pairs": [("allow", name) for name in wanted.allow],
    }
    if wanted.sample:
        return shown | {"pair": pair_view(a, b, found, wanted)}
    return shown | {"list": pair_list(a, b, found, wanted)}
