"""Memory systems by benchmarks: what each scored, and which are shown to be better than which."""

from hashlib import sha256
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from heams.browse.index import Experiment
from heams.browse.rendering import links
from heams.browse.rendering.page import render
from heams.browse.views.matrix.legend import legend
from heams.browse.views.matrix.tables import contest_of, tables
from heams.browse.views.matrix.trade import cost_trade, measures, trade


def routes() -> list[Route]:
    """``/matrix``."""
    return [Route("/matrix", _matrix)]


def _matrix(request: Request) -> Response:
    given, state = request.query_params, request.app.state
    picked: Experiment | None = state.library.experiment(given["a"]) if given.get("a") else None
    read = state.digests.read()
    contests = [contest_of(column) for column in read.columns]
    standings = [None] * len(contests) if read.unread else state.marks.of(contests)
    seen = _fingerprint(read.versions, read.unread, standings)
    partly = "hx-request" in request.headers
    if partly and given.get("seen") == seen:
        return Response(status_code=HTTPStatus.NO_CONTENT)
    known = measures(read.columns)
    return render(
        request,
        "matrix.html",
        block="board" if partly else None,
        section="matrix",
        tables=tables(read.columns, standings),
        legend=legend,
        picked=picked.key if picked is not None else None,
        rivals=_rivals(picked, state.library.experiments),
        unread=read.unread,
        unreadable=read.unreadable,
        total=len(state.library.experiments),
        testing=sum(one is None for one in standings),
        seen=seen,
        partly=partly,
        measures=known,
        trade=trade(known, given.get("x", ""), given.get("y", "")),
        costs=cost_trade(known, given.get("cost", "")),
        chart_address=lambda name, **state: links.address(f"/charts/matrix/{name}.svg", list(state.items())),
    )


def _rivals(picked: Experiment | None, experiments: tuple[Experiment, ...]) -> frozenset[str]:
    """The experiments that the one that is picked can be compared with."""
    if picked is None:
        return frozenset()
    kind = picked.results.benchmark_type
    return frozenset(one.key for one in experiments if one is not picked and one.results.benchmark_type == kind)


def _fingerprint(*seen: object) -> str:
    return sha256(repr(seen).encode()).hexdigest()[:16]
