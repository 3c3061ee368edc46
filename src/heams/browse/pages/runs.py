"""All experiments, one row each; while a run is under way the rows follow it."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from heams.browse.pages.errors import Link, Problem
from heams.browse.rendering.links import Here
from heams.browse.rendering.page import render
from heams.browse.views.run_row import RunRow, now
from heams.browse.views.run_table import DIMENSIONS, SORTS, RunTable, run_table
from heams.orchestration.results import RunStatus
from heams.reporting.wording import ENOUGH_CLUSTERS, TOO_NARROW
from heta_framework.common.config import nearest

_BETWEEN_EXPERIMENTS = timedelta(minutes=1)
"""So long after an experiment ended, the next one of its run may still begin."""
_TENTH = 10


def routes() -> list[Route]:
    """``/``."""
    return [Route("/", _runs)]


def _runs(request: Request) -> Response:
    asked = request.query_params
    sort, dimension = asked.get("sort", ""), asked.get("dimension", "")
    _check("sort", sort.removeprefix("-"), SORTS)
    _check("dimension", dimension, DIMENSIONS)
    rows, unread = request.app.state.run_rows.read()
    table = run_table(rows, words=asked.get("q", ""), dimension=dimension, sort=sort, flat="flat" in asked)
    moment = now()
    seen = _fingerprint(rows, unread, moment)
    partly = "hx-request" in request.headers
    if partly and asked.get("seen") == seen:
        return Response(status_code=204)
    here = Here.of(request)
    return render(
        request,
        "runs.html",
        block="board" if partly else None,
        section="runs",
        **_view(table, rows, unread, moment),
        sort=sort,
        dimension=dimension,
        dimension_links=[(name, name.capitalize(), here(dimension=name)) for name in DIMENSIONS],
        sort_url=lambda name: here(sort=name),
        part_words=_part_words(rows),
        too_narrow=f"Fewer than {ENOUGH_CLUSTERS} histories. {TOO_NARROW}",
        words=asked.get("q", ""),
        flat="flat" in asked,
        seen=seen,
        partly=partly,
        told=asked.get("told", ""),
        folders=_short_names(sorted({row.folder for row in rows})),
    )


def _short_names(folders: Sequence[str]) -> dict[str, str]:
    """What each folder is called in a row: its last part, where that tells it from the others."""
    names = [Path(folder).name for folder in folders]
    return dict(zip(folders, names if len(set(names)) == len(names) else folders, strict=True))


def _view(table: RunTable, rows: Sequence[RunRow], unread: int, moment: datetime) -> dict[str, Any]:
    running = [row for row in rows if row.alive(moment)]
    recent = any(row.status is not None and moment - row.status.updated_at < _BETWEEN_EXPERIMENTS for row in rows)
    return {
        "table": table,
        "now": moment,
        "running": running,
        "unread": unread,
        "live": bool(running or unread or recent),
        "said": _said(running, unread),
    }


def _part_words(rows: Sequence[RunRow]) -> tuple[str, str]:
    """What the columns of agent and memory system are called, for what is in them."""
    kinds = {row.part_names for row in rows}
    both = [*dict.fromkeys(kind.agent for kind in kinds)], [*dict.fromkeys(kind.memory_system for kind in kinds)]
    first, second = (" / ".join(sorted(words)).capitalize() for words in both)
    return first, second


def _said(running: Sequence[RunRow], unread: int) -> str:
    """What screen readers are told when it changes: in steps of a tenth, or they would never stop talking."""
    if unread:
        return "Results are being read."
    if not running:
        return ""
    status: list[RunStatus] = [row.status for row in running if row.status is not None]
    finished, total = sum(one.finished for one in status), sum(one.total for one in status)
    tenths = _TENTH * finished // max(total, 1)
    return f"{len(running)} running, {tenths * _TENTH} percent finished."


def _fingerprint(rows: Sequence[RunRow], unread: int, moment: datetime) -> str:
    """Of all that is shown; that a run gives no sign of life any more changes nothing but that."""
    alive = [row.alive(moment) for row in rows]
    return sha256(repr((rows, unread, alive)).encode()).hexdigest()[:16]


def _check(name: str, value: str, allowed: Iterable[str]) -> None:
    known = list(allowed)
    if value and value not in known:
        near = nearest(value, known)
        onward = [Link(f"Use {name}={near}", f"/?{name}={near}")] if near else []
        raise Problem(f"{name}: found “{value}”; allowed are {', '.join(known)}.", onward)
