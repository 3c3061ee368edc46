"""The server on the wire: receives a request, lets the script decide, delivers, and books how it ended."""

import asyncio
import json
import socket
from typing import Any

from aiohttp import web
from aiohttp.web_protocol import RequestHandler

from .delivery import SeveredError, break_off, send_bytes, send_events, send_json, trickle
from .endpoints import Answer, answer, misshapen
from .faults import Fault
from .garbage import KINDS as GARBLING
from .garbage import garbage
from .log import Entry, Log
from .managing import manage
from .play import Call, Play
from .refusals import Refusal, refusal
from .replies import Usage
from .script import Script

LARGEST_REQUEST = 256 * 1024**2
SEVERING = ("disconnect", "reset", "cut", "short_stream", "stream_error", "hang")


class ModelServer(web.Server):
    """A low-level aiohttp server. It learns of every lost connection, so that it can tell whole replies from lost ones.

    A client that goes away while its request is under way cancels the handler. A client that closes with the reply
    unread resets the connection, which shows on the socket: the last entry of that connection becomes ``cut``.
    """

    def __init__(self, script: Script) -> None:
        super().__init__(self._receive, handler_cancellation=True, request_factory=self._request, access_log=None)
        self.log = Log()
        self._last: dict[RequestHandler, tuple[Entry, socket.socket]] = {}
        self.play(script)

    @property
    def script(self) -> Script:
        """The script in force."""
        return self._play.script

    def play(self, script: Script) -> None:
        """Behave as ``script`` says from the next request on; queues and quotas begin anew."""
        self._play = Play(script)

    def connection_lost(self, handler: RequestHandler, exc: BaseException | None = None) -> None:
        """Called by aiohttp when a connection ends, by whomever."""
        super().connection_lost(handler, exc)
        entry, sock = self._last.pop(handler, (None, None))
        if entry and sock and entry.outcome != "open" and (exc or sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)):
            self.log.end(entry, "cut", entry.why or "the client closed the connection without reading the reply")

    def _request(self, message: Any, payload: Any, protocol: Any, writer: Any, task: Any) -> web.BaseRequest:
        return web.BaseRequest(message, payload, protocol, writer, task, self._loop, client_max_size=LARGEST_REQUEST)

    async def _receive(self, request: web.BaseRequest) -> web.StreamResponse:
        if request.path.startswith("/_"):
            return await manage(request, self)
        headers = {name.title(): value for name, value in request.headers.items()}
        entry = self.log.arrive(request.path, headers)
        self._watch(request, entry)
        try:
            return await self._serve(request, entry)
        except asyncio.CancelledError:
            self._cut(entry)
            raise
        except (ConnectionError, SeveredError):
            self._cut(entry)
            return web.Response()  # goes nowhere, as the connection is closed: aiohttp wants one

    def _cut(self, entry: Entry) -> None:
        severed = entry.fault if entry.fault in SEVERING else None
        self.log.end(entry, "cut", severed or "the client went away before the end")

    def _watch(self, request: web.BaseRequest, entry: Entry) -> None:
        transport = request.transport
        if transport is not None:
            transport.set_write_buffer_limits(high=0)  # so that a reply counts as sent when the kernel has all of it
            self._last[request.protocol] = (entry, transport.get_extra_info("socket"))

    async def _serve(self, request: web.BaseRequest, entry: Entry) -> web.StreamResponse:
        call = await _read(request)
        entry.model, entry.body = call.model, call.body
        problem = self._play.forbids(call) or misshapen(call)
        if problem:
            return await self._refuse(request, entry, problem)
        with self._play.admission(call) as full:
            if full:
                return await self._refuse(request, entry, full)
            return await self._admitted(request, entry, call)

    async def _admitted(self, request: web.BaseRequest, entry: Entry, call: Call) -> web.StreamResponse:
        fault, latency = self._play.fate(call)
        entry.fault = fault.kind if fault.kind != "none" else None
        await asyncio.sleep(latency)
        problem = refusal(fault, model=call.model, key=call.key)
        if problem:
            return await self._refuse(request, entry, problem)
        if fault.kind in GARBLING:
            return await self._garble(request, entry, call, fault)
        try:
            ready = answer(call, self._play, entry.number, fault)
        except Exception as error:  # noqa: BLE001 - a test's own brain may raise anything; the test must see what
            return await self._refuse(request, entry, Refusal(500, f"the brain failed: {error!r}", "server_error"))
        if fault.kind in SEVERING:
            await break_off(request, ready.body, ready.events, fault)
        return await self._deliver(request, entry, ready, fault)

    async def _refuse(self, request: web.BaseRequest, entry: Entry, problem: Refusal) -> web.StreamResponse:
        entry.status = problem.status
        response = await send_json(request, problem.body(), problem.status, problem.headers)
        self.log.end(entry, "refused", problem.why or problem.message)
        return response

    async def _garble(self, request: web.BaseRequest, entry: Entry, call: Call, fault: Fault) -> web.StreamResponse:
        usage = Usage(prompt=call.prompt_tokens()) if self.script.usage == "full" else None
        body, kind, told = garbage(fault, chat=call.is_chat, streams=bool(call.body.get("stream")), usage=usage)
        entry.status, entry.usage, entry.usage_sent = fault.status or 200, told, told is not None
        response = await send_bytes(request, body, kind, entry.status)
        self.log.end(entry, "garbage" if entry.status < 400 else "refused", fault.kind)
        return response

    async def _deliver(self, request: web.BaseRequest, entry: Entry, ready: Answer, fault: Fault) -> web.StreamResponse:
        entry.status, entry.usage, entry.usage_sent, entry.reply = 200, ready.usage, ready.usage_sent, ready.text
        if ready.body is None:
            response = await send_events(request, ready.events, fault.interval if fault.kind == "trickle" else 0)
        elif fault.kind == "trickle":
            response = await trickle(request, ready.body, fault)
        else:
            response = await send_json(request, ready.body)
        self.log.end(entry, "whole")
        return response


async def _read(request: web.BaseRequest) -> Call:
    raw = await request.read()
    try:
        body = json.loads(raw) if raw else {}
    except ValueError:
        body = None
    key = request.headers.get("Authorization", "").removeprefix("Bearer ")
    return Call(request.method, request.path.removeprefix("/v1"), key, raw, body)
