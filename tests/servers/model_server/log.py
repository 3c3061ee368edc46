"""The server's book: every request with its outcome, and the sums that a meter is compared with.

Outcomes: ``whole`` (delivered to the last byte and read by the client), ``refused`` (4xx or 5xx), ``garbage`` (a 200
delivered whole but unusable), ``cut`` (the client cannot have got a whole reply), ``open`` (not ended yet).
A reply that the client's process took from its socket is whole, even if its code gave up in that very moment.
"""

import asyncio
import time
from bisect import bisect_left
from dataclasses import asdict, dataclass, field
from threading import Lock
from typing import Any, Literal

from .replies import Usage

Outcome = Literal["open", "whole", "refused", "garbage", "cut"]
OUTCOMES: tuple[Outcome, ...] = ("open", "whole", "refused", "garbage", "cut")


@dataclass
class Entry:
    """One request: what came in, what was done to it, how it ended. Times are seconds since the log began."""

    number: int
    arrived: float
    path: str
    model: str
    headers: dict[str, str]
    body: Any
    fault: str | None = None
    status: int | None = None
    outcome: Outcome = "open"
    why: str | None = None
    usage: Usage | None = None
    usage_sent: bool = False
    ended: float | None = None
    reply: str | None = None

    def as_json(self) -> dict[str, Any]:
        """The entry for ``GET /_log``."""
        return asdict(self) | {"usage": self.usage.model_dump() if self.usage else None}


@dataclass
class Sums:
    """Calls and tokens of one outcome. Tokens are counted even where the script kept usage from the client."""

    calls: int = 0
    prompt: int = 0
    completion: int = 0
    cached: int = 0
    calls_without_usage: int = 0

    def add(self, entry: Entry) -> None:
        """Count one more request."""
        usage = entry.usage or Usage()
        self.calls += 1
        self.prompt += usage.prompt
        self.completion += usage.completion
        self.cached += usage.cached
        self.calls_without_usage += not entry.usage_sent


@dataclass
class Summary:
    """Sums per outcome, in all (``whole``, ``refused``, ...) and per model."""

    requests: int = 0
    max_concurrent: int = 0
    outcomes: dict[Outcome, Sums] = field(default_factory=lambda: {outcome: Sums() for outcome in OUTCOMES})
    models: dict[str, dict[Outcome, Sums]] = field(default_factory=dict)

    @property
    def whole(self) -> Sums:
        """Replies delivered whole."""
        return self.outcomes["whole"]

    @property
    def refused(self) -> int:
        """Requests answered with 4xx or 5xx."""
        return self.outcomes["refused"].calls

    @property
    def garbage(self) -> int:
        """Unusable replies delivered whole."""
        return self.outcomes["garbage"].calls

    @property
    def cut(self) -> int:
        """Requests whose reply the client cannot have got whole."""
        return self.outcomes["cut"].calls


class Log:
    """Keeps entries; written by the server's thread, read by any."""

    def __init__(self) -> None:
        self._lock = Lock()
        self.reset()

    def reset(self) -> None:
        """Forget everything; requests under way are not counted when they end."""
        with self._lock:
            self._began = time.monotonic()
            self._entries: list[Entry] = []
            self._under_way: set[int] = set()
            self.max_concurrent = 0

    def arrive(self, path: str, headers: dict[str, str]) -> Entry:
        """Open an entry; model and body are filled in when the body has been read."""
        with self._lock:
            entry = Entry(len(self._entries), self._now(), path, "", headers, None)
            self._entries.append(entry)
            self._under_way.add(id(entry))
            self.max_concurrent = max(self.max_concurrent, len(self._under_way))
        return entry

    def end(self, entry: Entry, outcome: Outcome, why: str | None = None) -> None:
        """Close an entry. A later word stands: what looked delivered can turn out to be ``cut``."""
        with self._lock:
            self._under_way.discard(id(entry))
            entry.outcome, entry.why, entry.ended = outcome, why, self._now()

    @property
    def entries(self) -> list[Entry]:
        """All entries in order of arrival."""
        with self._lock:
            return list(self._entries)

    @property
    def concurrent(self) -> int:
        """Requests under way now."""
        return len(self._under_way)

    def summary(self) -> Summary:
        """The sums over all entries."""
        found = Summary(requests=len(self._entries), max_concurrent=self.max_concurrent)
        for entry in self.entries:
            found.outcomes[entry.outcome].add(entry)
            per_model = found.models.setdefault(entry.model, {outcome: Sums() for outcome in OUTCOMES})
            per_model[entry.outcome].add(entry)
        return found

    def most_within(self, seconds: float, *, refused: bool = True) -> int:
        """The greatest number of arrivals in any span of ``seconds``; without ``refused`` only admitted ones."""
        times = [entry.arrived for entry in self.entries if refused or entry.outcome != "refused"]
        return max((index + 1 - bisect_left(times, at - seconds) for index, at in enumerate(times)), default=0)

    def _now(self) -> float:
        return time.monotonic() - self._began


async def settle() -> None:
    """Let the server's loop finish what the network has already brought, so that the log is true to now."""
    for _ in range(10):
        await asyncio.sleep(0)
