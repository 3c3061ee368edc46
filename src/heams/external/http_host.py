"""A server as host and peer: one request is one POST, or several where the agent asks the memory in between."""

import asyncio
from itertools import count
from time import perf_counter
from uuid import uuid4

from pydantic import JsonValue

from heams.external.checking import Misfit, hello_of, problem_of, result_of
from heams.external.errors import ExternalProgramError
from heams.external.http_client import JsonClient, server_label
from heams.external.peer import AnswerCall, Arguments, Scope
from heams.external.protocol import CALL_ID, PROTOCOL_VERSION, SERVER_RESPONSE, Hello, ProgramRole, ServerResponse
from heams.external.settings import ServerSettings
from heams.scenarios.waiting import note_waiting

MOST_ROUNDS = 100
"""How often one request may come back with calls."""


class HttpHost:
    """A ``Host`` with one ``Peer``: the server.

    Scope names begin with a mark of this run, because a server may serve several at once.
    """

    def __init__(self, settings: ServerSettings, role: ProgramRole) -> None:
        self._settings = settings
        self._role: ProgramRole = role
        self._mark = uuid4().hex[:12]
        self._names = count(1)
        self._peer: HttpPeer | None = None
        self.label = server_label(settings, role)

    async def start(self) -> Hello:
        """Shake hands; see ``Host.start``."""
        client = JsonClient(self._settings, self._role)
        self._peer = HttpPeer(client, self._settings.call_timeout_s)
        greeting: Arguments = {"id": 0, "op": "hello", "protocol": PROTOCOL_VERSION, "role": self._role}
        try:
            response = await self._peer.send("hello", greeting, self._settings.startup_timeout_s)
            hello = hello_of(response, client.label, self._role)
        except BaseException:
            await self.close()
            raise
        self._peer.allow(hello.max_in_flight)
        return hello

    async def new_scope(self) -> Scope:
        """A scope at the server."""
        if self._peer is None:
            raise RuntimeError("start() comes before new_scope()")
        return Scope(self._peer, self._new_name(), self._new_name)

    async def close(self) -> None:
        """Close the connections; the server stays."""
        if self._peer is not None:
            await self._peer.close()

    def _new_name(self) -> str:
        return f"{self._mark}-{next(self._names)}"


class HttpPeer:
    """A ``Peer`` that is a server."""

    def __init__(self, client: JsonClient, call_timeout_s: float) -> None:
        self.label = client.label
        self._client = client
        self._seconds = call_timeout_s
        self._ids = count(1)
        self._turns = asyncio.Semaphore(1)

    def allow(self, max_in_flight: int) -> None:
        """Set how many requests may be under way at once."""
        self._turns = asyncio.Semaphore(max_in_flight)

    async def call(self, op: str, arguments: Arguments, scope: str, answer: AnswerCall | None = None) -> JsonValue:
        """Send a request and return its result; see ``Peer.call``."""
        request: Arguments = {"id": next(self._ids), "op": op, "scope": scope, **arguments}
        if answer is None:
            response = await self._take_turn(op, request)
        else:
            response = await self._converse(op, request, answer)
        return result_of(response, self.label, op)

    def adopt(self, scope: str) -> None:
        """The server keeps its own account of scopes."""

    def disown(self, scope: str) -> None:
        """The server keeps its own account of scopes."""

    async def release(self, scope: str) -> None:
        """Close a scope."""
        await self.call("close", {}, scope)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def send(self, op: str, request: Arguments, seconds: float) -> ServerResponse:
        """One POST and its answer. Raises ExternalProgramError."""
        message = await self._client.post(op, request, seconds)
        response = problem_of(SERVER_RESPONSE, message)
        if isinstance(response, Misfit):
            raise self._fault(op, response.text)
        if response.id != request["id"]:
            raise self._fault(op, f"id must be {request['id']}, found {response.id}")
        return response

    async def _take_turn(self, op: str, request: Arguments) -> ServerResponse:
        await self._wait_for_turn()
        try:
            response = await self.send(op, request, self._seconds)
        finally:
            self._turns.release()
        if response.calls and "answers" not in request:
            raise self._fault(op, f"{op!r} cannot ask the memory, but 'calls' is not empty")
        return response

    async def _wait_for_turn(self) -> None:
        if not self._turns.locked():
            await self._turns.acquire()
            return
        began = perf_counter()
        try:
            await self._turns.acquire()
        finally:
            note_waiting(perf_counter() - began)

    async def _converse(self, op: str, request: Arguments, answer: AnswerCall) -> ServerResponse:
        """Post the request again with all answers so far, until it has a result."""
        answers: dict[str | int, JsonValue] = {}
        for _ in range(MOST_ROUNDS):
            response = await self._take_turn(op, {**request, "answers": list(answers.values())})
            if response.error is not None or not response.calls:
                return response
            for call in response.calls:
                answers[self._new_call(op, call, answers)] = dict(await answer(call))
        raise self._fault(op, f"it asked for more calls {MOST_ROUNDS} times")

    def _new_call(self, op: str, call: Arguments, answers: dict[str | int, JsonValue]) -> str | int:
        name = problem_of(CALL_ID, call.get("call"), "call")
        if isinstance(name, Misfit):
            raise self._fault(op, name.text)
        if name in answers:
            raise self._fault(op, f"call {name!r} was answered already; every call needs a name of its own")
        return name

    def _fault(self, op: str, text: str) -> ExternalProgramError:
        return ExternalProgramError(f"{self.label}: the answer to {op!r} cannot be used: {text}")
