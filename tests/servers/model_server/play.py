"""A script at work: what it remembers between requests (queues, quotas, how often a fault has struck)."""

import math
import random
import time
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fnmatch import fnmatchcase
from hashlib import blake2b
from typing import Any

from .brains import make_brain
from .chat import ChatRequest
from .faults import Fault, Quota
from .refusals import Refusal, model_not_found, rate_limited, retry_headers, unauthorised
from .replies import Reply
from .script import Script


@dataclass(frozen=True)
class Call:
    """One request as it came in; ``path`` is without ``/v1``."""

    method: str
    path: str
    key: str
    raw: bytes
    body: Any

    @property
    def is_chat(self) -> bool:
        """Whether a chat completion is asked for."""
        return self.path == "/chat/completions"

    @property
    def model(self) -> str:
        """The model asked for; empty when none is named."""
        return str(self.body.get("model") or "") if isinstance(self.body, dict) else ""

    def prompt_tokens(self) -> int:
        """Tokens of what was sent, for replies that no brain gives."""
        return ChatRequest(self.body).prompt_tokens() if self.is_chat else len(self.raw.split())


class Play:
    """Decides about requests, one after the other, as the script says."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self._brains = [(pattern, make_brain(spec)) for pattern, spec in script.brains.items()]
        self._brain = make_brain(script.brain)
        self._gates = [_Gate(quota) for quota in script.quotas]
        self._left = [rule.times for rule in script.faults]
        self._seen: Counter[bytes] = Counter()

    def reply(self, request: ChatRequest) -> Reply:
        """What the brain of the request's model says."""
        brain = next((brain for name, brain in self._brains if fnmatchcase(request.model, name)), self._brain)
        said = brain(request)
        return Reply(text=said) if isinstance(said, str) else said

    def forbids(self, call: Call) -> Refusal | None:
        """A wrong key or an unknown model."""
        if self.script.api_key is not None and call.key != self.script.api_key:
            return unauthorised(call.key)
        if self.script.models is not None and call.model and call.model not in self.script.models:
            return model_not_found(call.model)
        return None

    @contextmanager
    def admission(self, call: Call) -> Iterator[Refusal | None]:
        """Counts the request against the quotas while it lasts, or gives the 429 of the first that is full."""
        gates = [gate for gate in self._gates if gate.concerns(call)]
        refusal = next((found for gate in gates if (found := gate.refusal(call.model))), None)
        if refusal:
            yield refusal
            return
        for gate in gates:
            gate.enter()
        try:
            yield None
        finally:
            for gate in gates:
                gate.leave()

    def fate(self, call: Call) -> tuple[Fault, float]:
        """The fault that strikes this request, and its latency in seconds."""
        dice = self._dice(call)
        fault = self._fault(call, dice.random())
        scripted = self.script.latency
        latency = scripted if isinstance(scripted, float) else dice.uniform(*scripted)
        return fault, latency if fault.latency is None else fault.latency

    def _fault(self, call: Call, drawn: float) -> Fault:
        for index, rule in enumerate(self.script.faults):
            left = self._left[index]
            if left == 0 or not rule.concerns(call.path, call.model, call.raw):
                continue
            if drawn < rule.share:
                self._left[index] = None if left is None else left - 1
                return rule.fault
            drawn -= rule.share
        return Fault()

    def _dice(self, call: Call) -> random.Random:
        identity = blake2b(call.path.encode() + b"\n" + call.raw, digest_size=16).digest()
        self._seen[identity] += 1
        return random.Random(f"{self.script.seed} {identity.hex()} {self._seen[identity]}")


class _Gate:
    """One quota's count."""

    def __init__(self, quota: Quota) -> None:
        self._quota = quota
        self._admitted: deque[float] = deque()
        self._inside = 0

    def concerns(self, call: Call) -> bool:
        return fnmatchcase(call.path, self._quota.path) and fnmatchcase(call.model, self._quota.model)

    def refusal(self, model: str) -> Refusal | None:
        quota, now = self._quota, time.monotonic()
        while self._admitted and self._admitted[0] <= now - quota.window:
            self._admitted.popleft()
        if quota.requests is not None and len(self._admitted) >= quota.requests:
            return rate_limited(model, self._headers(self._admitted[0] + quota.window - now), "quota of requests")
        if quota.concurrent is not None and self._inside >= quota.concurrent:
            return rate_limited(model, self._headers(None), "quota of concurrent requests")
        return None

    def enter(self) -> None:
        if self._quota.requests is not None:
            self._admitted.append(time.monotonic())
        self._inside += 1

    def leave(self) -> None:
        self._inside -= 1

    def _headers(self, wait: float | None) -> dict[str, str]:
        wanted = self._quota.retry_after
        if wanted == "exact":
            return {} if wait is None else retry_headers(math.ceil(wait), wait * 1000)
        return retry_headers(wanted)
