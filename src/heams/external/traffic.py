"""The requests to one program: those that wait for their turn, and those that the program works on."""

from collections import deque
from collections.abc import Callable
from itertools import count

from heams.external.codec import encode
from heams.external.exchange import AskedBack, Exchange
from heams.external.peer import Arguments
from heams.external.protocol import Response

MOST_QUESTIONS = 1000
"""Questions of one request that may wait for their answers."""


class Traffic:
    """At most ``max_in_flight`` requests are with the program. Others wait here, and their time does not run."""

    def __init__(self, send: Callable[[bytes], None], on_late: Callable[[Exchange], None]) -> None:
        self.max_in_flight = 1
        self._send = send
        self._on_late = on_late
        self._ids = count(1)
        self._queue: deque[Exchange] = deque()
        self._in_flight: dict[int, Exchange] = {}

    @property
    def is_stuck(self) -> bool:
        """Whether the program works on something that nobody waits for any more."""
        return any(exchange.abandoned for exchange in self._in_flight.values())

    @property
    def waiting_ids(self) -> str:
        """The ids that may be answered, for messages."""
        return ", ".join(map(str, self._in_flight)) or "none"

    def submit(self, op: str, arguments: Arguments, scope: str | None, seconds: float, *, may_ask: bool) -> Exchange:
        """Send a request as soon as the program can take it. Raises ValueError where it is no JSON."""
        request_id = next(self._ids)
        place = {} if scope is None else {"scope": scope}
        line = encode({"id": request_id, "op": op, **place, **arguments})
        exchange = Exchange(request_id, op, scope, line, seconds, may_ask, self._on_late)
        self._queue.append(exchange)
        if len(self._in_flight) >= self.max_in_flight:
            exchange.queue()
        self._send_next()
        return exchange

    def settle(self, response: Response) -> bool:
        """Hand an answer to whoever waits for it; False where the id is not in flight."""
        exchange = self._in_flight.pop(response.id, None)
        if exchange is None:
            return False
        exchange.stop_clock()
        exchange.inbox.put_nowait(response)
        self._send_next()
        return True

    def asking(self, call: Arguments) -> Exchange | None:
        """The request in whose course a question may come."""
        scope = call.get("scope")
        asking = (one for one in self._in_flight.values() if one.may_ask and one.scope == scope and not one.abandoned)
        return next(asking, None)

    def ask_back(self, exchange: Exchange, question: AskedBack) -> None:
        """Hand a question to whoever waits for the answer."""
        exchange.stop_clock()
        exchange.inbox.put_nowait(question)

    def answered(self, exchange: Exchange) -> None:
        """A question was answered: the program has the ball again, unless it has said more meanwhile, or is gone."""
        if exchange.inbox.empty():
            exchange.run_clock()

    def give_up(self, exchange: Exchange) -> None:
        """Nobody waits any more. What was sent must still be answered in time; what was not is not sent."""
        exchange.abandoned = True
        if exchange.id in self._in_flight:
            exchange.run_clock()
        elif exchange in self._queue and exchange.op != "close":
            self._queue.remove(exchange)

    def lose_all(self, reason: str) -> None:
        """There will be no more answers."""
        for exchange in (*self._in_flight.values(), *self._queue):
            exchange.lose(reason)
        self._in_flight.clear()
        self._queue.clear()

    def _send_next(self) -> None:
        while self._queue and len(self._in_flight) < self.max_in_flight:
            exchange = self._queue.popleft()
            self._in_flight[exchange.id] = exchange
            exchange.send(self._send)
