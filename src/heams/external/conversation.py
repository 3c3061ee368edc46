"""A conversation with one running program: requests and answers as JSON lines, told apart by their ids."""

from collections.abc import Sequence

from pydantic import JsonValue

from heams.external.checking import hello_of, nothing_in, result_of
from heams.external.codec import encode
from heams.external.errors import ExternalProgramError
from heams.external.exchange import AskedBack, Exchange, Lost
from heams.external.inbound import NoMessage, read_message
from heams.external.launch import plan_launch
from heams.external.peer import AnswerCall, Arguments
from heams.external.process import ChildProcess
from heams.external.protocol import PROTOCOL_VERSION, Hello, ProgramRole, Response, refused
from heams.external.settings import ProgramSettings
from heams.external.traffic import MOST_QUESTIONS, Traffic
from heams.scenarios.waiting import note_waiting


class Conversation:
    """A ``Peer`` that is a process. Whatever breaks the protocol ends the process and every request to it."""

    def __init__(self, settings: ProgramSettings, role: ProgramRole) -> None:
        self._launch = plan_launch(settings)
        self._settings = settings
        self._role: ProgramRole = role
        self.label = self._launch.label(role)
        self.scopes: set[str] = set()
        self._child = ChildProcess(self._receive, self._fail)
        self._traffic = Traffic(self._child.write, self._late)
        self._fault: str | None = None

    @property
    def is_alive(self) -> bool:
        """Whether the program can be asked."""
        return self._fault is None

    async def start(self) -> Hello:
        """Start the program and shake hands. Raises ConfigError, ExternalProgramError."""
        await self._child.start(self._launch)
        try:
            hello = await self._shake_hands()
        except BaseException:
            await self.close(grace_s=0)
            raise
        self._traffic.max_in_flight = hello.max_in_flight
        return hello

    async def call(self, op: str, arguments: Arguments, scope: str, answer: AnswerCall | None = None) -> JsonValue:
        """Send a request and return its result; see ``Peer.call``."""
        exchange = self._submit(op, arguments, scope, may_ask=answer is not None)
        return result_of(await self._follow(exchange, answer), self.label, op)

    def adopt(self, scope: str) -> None:
        """A scope lives here from now on."""
        self.scopes.add(scope)

    def disown(self, scope: str) -> None:
        """A scope is not here any more."""
        self.scopes.discard(scope)

    async def release(self, scope: str) -> None:
        """Close a scope. Nobody waits for a program that is busy with a request that was given up."""
        self.disown(scope)
        if not self.is_alive:
            return
        is_stuck = self._traffic.is_stuck
        exchange = self._submit("close", {}, scope)
        if is_stuck:
            self._traffic.give_up(exchange)
            return
        try:
            response = await self._follow(exchange)
        except ExternalProgramError:
            return  # the program is gone, and the scope with it
        nothing_in(result_of(response, self.label, "close"), self.label, "close")

    async def close(self, grace_s: float | None = None) -> None:
        """End the program; requests that wait for it are lost."""
        self._end("heams has ended the program")
        await self._child.close(grace_s)

    async def _shake_hands(self) -> Hello:
        greeting = {"protocol": PROTOCOL_VERSION, "role": self._role}
        exchange = self._submit("hello", greeting, seconds=self._settings.startup_timeout_s)
        return hello_of(await self._follow(exchange), self.label, self._role)

    def _submit(
        self,
        op: str,
        arguments: Arguments,
        scope: str | None = None,
        *,
        may_ask: bool = False,
        seconds: float | None = None,
    ) -> Exchange:
        if self._fault is not None:
            raise ExternalProgramError(f"{self.label}: {op!r} cannot be asked: {self._fault}")
        try:
            limit = seconds or self._settings.call_timeout_s
            return self._traffic.submit(op, arguments, scope, limit, may_ask=may_ask)
        except ValueError as error:
            raise ExternalProgramError(f"{self.label}: {op!r} cannot be asked: {error}") from None

    async def _follow(self, exchange: Exchange, answer: AnswerCall | None = None) -> Response:
        """Wait for the answer; whoever leaves early gives the request up."""
        try:
            return await self._listen(exchange, answer)
        except BaseException:
            self._traffic.give_up(exchange)
            raise
        finally:
            note_waiting(exchange.waited)

    async def _listen(self, exchange: Exchange, answer: AnswerCall | None) -> Response:
        """The answer to a request; what the program asks before it is answered in order."""
        while True:
            match await exchange.inbox.get():
                case AskedBack(call) if answer is not None:
                    await self._answer(exchange, call, answer)
                case Lost(reason):
                    raise ExternalProgramError(f"{self.label}: {exchange.op!r} was not answered: {reason}")
                case Response() as response:
                    return response

    async def _answer(self, exchange: Exchange, call: Arguments, answer: AnswerCall) -> None:
        try:
            reply = encode(await answer(call))
        except BaseException:
            self._write(encode(refused(call, "the memory failed")))
            raise
        self._write(reply)
        self._traffic.answered(exchange)

    def _write(self, line: bytes) -> None:
        if self.is_alive:
            self._child.write(line)

    def _receive(self, lines: Sequence[bytes]) -> None:
        for line in lines:
            if self.is_alive and line.strip():
                self._receive_one(line)

    def _receive_one(self, line: bytes) -> None:
        try:
            message = read_message(line)
        except NoMessage as fault:
            self._fail(str(fault))
            return
        if isinstance(message, AskedBack):
            self._receive_question(message)
        elif not self._traffic.settle(message):
            waiting = self._traffic.waiting_ids
            self._fail(f"it answered request {message.id}, which is not waiting for an answer (waiting: {waiting})")

    def _receive_question(self, question: AskedBack) -> None:
        exchange = self._traffic.asking(question.call)
        if exchange is None:
            scope = question.call.get("scope")
            self._write(encode(refused(question.call, f"no request of scope {scope!r} may ask the memory now")))
        elif exchange.inbox.qsize() >= MOST_QUESTIONS:
            self._fail(f"it asked {MOST_QUESTIONS} questions without waiting for an answer")
        else:
            self._traffic.ask_back(exchange, question)

    def _late(self, exchange: Exchange) -> None:
        greeted = exchange.op != "hello"
        limit = self._settings.call_timeout_s if greeted else self._settings.startup_timeout_s
        hint = "" if greeted else " (does it read stdin line by line, and flush stdout after every line?)"
        self._fail(f"{exchange.op!r} had no answer within {limit:g} s, so the program was killed{hint}")

    def _fail(self, reason: str) -> None:
        """The program is gone, or cannot be trusted any more."""
        if self.is_alive:
            self._end(reason + self._child.last_words)
            self._child.kill()

    def _end(self, reason: str) -> None:
        self._fault = self._fault or reason
        self._traffic.lose_all(self._fault)
