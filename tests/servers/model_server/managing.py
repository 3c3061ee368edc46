"""The server's own paths: ``GET /_log``, ``GET /_summary``, ``POST /_reset``, ``POST /_script``."""

from dataclasses import asdict
from typing import Protocol

from aiohttp import web
from pydantic import ValidationError

from .log import Log, settle
from .script import Script


class Managed(Protocol):
    """What these paths read and change."""

    log: Log

    def play(self, script: Script) -> None:
        """Follow another script."""


async def manage(request: web.BaseRequest, server: Managed) -> web.StreamResponse:
    """Answer a request to one of these paths. They are not logged and no fault strikes them."""
    await settle()
    match request.method, request.path:
        case "GET", "/_log":
            return web.json_response([entry.as_json() for entry in server.log.entries])
        case "GET", "/_summary":
            return web.json_response(asdict(server.log.summary()))
        case "POST", "/_reset":
            server.log.reset()
            return web.json_response({})
        case "POST", "/_script":
            return _follow(await request.read(), server)
    return web.json_response({"error": f"no such path: {request.method} {request.path}"}, status=404)


def _follow(raw: bytes, server: Managed) -> web.Response:
    try:
        server.play(Script.model_validate_json(raw))
    except ValidationError as error:
        return web.json_response({"error": str(error)}, status=400)
    return web.json_response({})
