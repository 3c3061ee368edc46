"""Bringing a reply to the client: whole, slowly, or not quite."""

import asyncio
import json
import socket
import struct
from collections.abc import Sequence
from typing import Any, Never

from aiohttp import web

from .faults import Fault

DONE = b"data: [DONE]\n\n"
_NO_LINGER = struct.pack("ii", 1, 0)


class SeveredError(Exception):
    """The server has broken off on purpose; nothing more can be sent."""


async def send_json(
    request: web.BaseRequest, body: dict[str, Any], status: int = 200, headers: dict[str, str] | None = None
) -> web.StreamResponse:
    """Send ``body``; returns when the kernel has taken all of it."""
    return await send_bytes(request, json.dumps(body).encode(), "application/json", status, headers)


async def send_bytes(
    request: web.BaseRequest, body: bytes, kind: str, status: int = 200, headers: dict[str, str] | None = None
) -> web.StreamResponse:
    """Send a body of any media type."""
    response = web.Response(body=body, status=status, content_type=kind, headers=headers)
    await response.prepare(request)
    await response.write_eof()
    return response


async def send_events(
    request: web.BaseRequest, events: Sequence[dict[str, Any]], interval: float = 0.0
) -> web.StreamResponse:
    """Send server-sent events and the closing ``[DONE]``, which leaves together with the end of the body.

    So a client that stops reading at ``[DONE]`` has read everything.
    """
    response = await _open_stream(request)
    for event in events:
        if interval:
            await asyncio.sleep(interval)
        await response.write(_event(event))
    await response.write_eof(DONE)
    return response


async def trickle(request: web.BaseRequest, body: dict[str, Any], fault: Fault) -> web.StreamResponse:
    """Send the body ``fault.chunk`` bytes at a time, ``fault.interval`` seconds apart."""
    raw = json.dumps(body).encode()
    response = await _open_body(request, len(raw))
    for start in range(0, len(raw), fault.chunk):
        await asyncio.sleep(fault.interval)
        await response.write(raw[start : start + fault.chunk])
    await response.write_eof()
    return response


async def break_off(
    request: web.BaseRequest, body: dict[str, Any] | None, events: Sequence[dict[str, Any]], fault: Fault
) -> Never:
    """Do what a severing fault says. Raises :class:`SeveredError` when it is done (``hang`` never is)."""
    if fault.kind == "hang":
        await asyncio.Event().wait()
    elif fault.kind in ("disconnect", "reset"):
        _sever(request, reset=fault.kind == "reset")
    elif body is not None:
        raw = json.dumps(body).encode()
        response = await _open_body(request, len(raw))
        await response.write(raw[: int(len(raw) * fault.part)])
        _sever(request)
    else:
        await _break_stream(request, events[: int(len(events) * fault.part)], fault)
    raise SeveredError


async def _break_stream(request: web.BaseRequest, events: Sequence[dict[str, Any]], fault: Fault) -> None:
    response = await _open_stream(request)
    for event in events:
        await response.write(_event(event))
    if fault.kind == "stream_error":
        await response.write(_event({"error": {"message": "The server had an error.", "type": "server_error"}}))
    if fault.kind == "cut":
        _sever(request)
    else:
        await response.write_eof()


def _sever(request: web.BaseRequest, *, reset: bool = False) -> None:
    transport = request.transport
    if transport is None:
        return
    if reset:
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _NO_LINGER)
    transport.abort()


async def _open_stream(request: web.BaseRequest) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream", "Cache-Control": "no-cache"})
    await response.prepare(request)
    return response


async def _open_body(request: web.BaseRequest, length: int) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "application/json"})
    response.content_length = length
    await response.prepare(request)
    return response


def _event(event: dict[str, Any]) -> bytes:
    return b"data: " + json.dumps(event).encode() + b"\n\n"
