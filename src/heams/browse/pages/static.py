"""The files that pages load. Their addresses change with their content, so browsers may keep them."""

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from heams.browse.rendering.assets import STATIC

_KEPT = "public, max-age=31536000, immutable"
_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    "": "text/plain; charset=utf-8",
}


def routes() -> list[Route]:
    """``/static/<name>``."""
    return [Route("/static/{name}", _static), Route("/favicon.ico", _icon)]


def _static(request: Request) -> Response:
    name = request.path_params["name"]
    known = {entry.name: entry for entry in STATIC.iterdir() if entry.is_file() and entry.suffix in _TYPES}
    if name not in known:
        raise HTTPException(404)
    headers = {"Cache-Control": _KEPT} if "v" in request.query_params else {"Cache-Control": "no-cache"}
    return FileResponse(known[name], media_type=_TYPES[known[name].suffix], headers=headers)


def _icon(request: Request) -> Response:
    return FileResponse(STATIC / "icon.svg", media_type=_TYPES[".svg"])
