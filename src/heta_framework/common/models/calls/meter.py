"""The outermost layer: counts what calls consumed, for the scope that made them, and stops a run that spent enough."""

import json
from collections.abc import Callable
from functools import partial
from threading import Lock

from heta_framework.common.models.calls.call import Handler, ModelCall, ModelReply
from heta_framework.common.models.calls.given_up import told_when_given_up
from heta_framework.common.models.calls.scope import CallScope, active_scope
from heta_framework.common.models.errors import CallFailed, CostLimitReached
from heta_framework.common.models.pricing import cost_of
from heta_framework.common.models.usage import Usage, UsageRole


class MeterLayer:
    """Meters calls. With ``max_cost_usd``, calls are refused once that much is spent; then ``on_limit`` is called once.

    Calls under way when the limit is reached still end and are counted, so a run spends at most their cost more. Calls
    without a known price do not bring the limit nearer.
    """

    def __init__(self, *, max_cost_usd: float | None = None, on_limit: Callable[[], None] | None = None) -> None:
        self._max_cost_usd = max_cost_usd
        self._on_limit = on_limit
        self._lock = Lock()
        self._total: dict[UsageRole, Usage] = {}
        self._spent_usd = 0.0
        self._cost_known = True

    @property
    def total(self) -> dict[UsageRole, Usage]:
        """Everything that was metered so far."""
        with self._lock:
            return dict(self._total)

    @property
    def spent_usd(self) -> float:
        """What is known to be spent so far."""
        return self._spent_usd

    @property
    def cost_known(self) -> bool:
        """Whether ``spent_usd`` is all that was spent: every reply so far had a known price."""
        return self._cost_known

    @property
    def cache_hit_rate(self) -> float | None:
        """Share of replies that came from the cache, 0 to 1, replayed ones left out; None before the first."""
        usages = self.total.values()
        hits, paid = sum(usage.cache_hits for usage in usages), sum(usage.calls for usage in usages)
        return hits / (hits + paid) if hits + paid else None

    async def __call__(self, call: ModelCall, handle: Handler) -> ModelReply:
        """Let the call through and count it.

        Raises:
            CostLimitReached: the run has spent what it may.
        """
        self._check_limit()
        scope = active_scope()
        try:
            with told_when_given_up(partial(self._count_attempts, call.role, scope)):
                reply = await handle(call)
        except CallFailed as failure:
            self._count_attempts(call.role, scope, failure.retries, failure.attempts_possibly_billed)
            raise
        self._count(call.role, scope, usage_of(call, reply))
        return reply

    def _check_limit(self) -> None:
        if self._max_cost_usd is None or self._spent_usd < self._max_cost_usd:
            return
        with self._lock:
            on_limit, self._on_limit = self._on_limit, None
        if on_limit is not None:
            on_limit()
        raise CostLimitReached(f"the run has spent ${self._spent_usd:.4f} of the ${self._max_cost_usd:g} it may")

    def _count_attempts(self, role: UsageRole, scope: CallScope | None, retries: int, possibly_billed: int) -> None:
        if retries or possibly_billed:
            self._count(role, scope, Usage(retries=retries, possibly_billed=possibly_billed))

    def _count(self, role: UsageRole, scope: CallScope | None, usage: Usage) -> None:
        with self._lock:
            self._total[role] = self._total[role] + usage if role in self._total else usage
            self._spent_usd += usage.cost_usd or 0.0
            self._cost_known &= usage.cost_usd is not None
            if scope is not None:
                scope.add(role, usage)


def usage_of(call: ModelCall, reply: ModelReply) -> Usage:
    """What a reply consumed, or would have consumed where it came from the cache or a cassette."""
    estimated = reply.input_tokens is None or (reply.output_tokens is None and call.kind == "chat")
    tokens = {
        "input_tokens": _or_estimate(reply.input_tokens, call.request_json),
        "output_tokens": _or_estimate(reply.output_tokens, reply.body) if call.kind == "chat" else 0,
    }
    cached = reply.cached_tokens or 0
    cost = cost_of(call.endpoint, **tokens, cached_tokens=cached)
    if reply.source != "provider":
        return Usage(
            cache_hits=int(reply.source == "cache"),
            replayed=int(reply.source == "cassette"),
            saved_input_tokens=tokens["input_tokens"],
            saved_output_tokens=tokens["output_tokens"],
            saved_cost_usd=cost,
            estimated=estimated,
        )
    return Usage(
        calls=1,
        **tokens,
        cached_tokens=cached,
        cost_usd=cost,
        estimated=estimated,
        seconds=reply.seconds,
        retries=reply.retries,
        possibly_billed=reply.possibly_billed,
    )


def _or_estimate(tokens: int | None, content: object) -> int:
    """The provider's count, else the shipped tokenizer's."""
    if tokens is not None:
        return tokens
    from heta_framework.common.text.tokens import count_tokens

    return count_tokens(content if isinstance(content, str) else json.dumps(content, ensure_ascii=False))
