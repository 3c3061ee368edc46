"""The meter: usage per role for the scope and in all, estimates marked, unknown costs unknown, an end at the limit."""

import asyncio
from typing import Any

import pytest

from heta_framework.common.models.calls.call import ModelCall, ModelReply
from heta_framework.common.models.calls.meter import MeterLayer
from heta_framework.common.models.calls.scope import call_scope
from heta_framework.common.models.errors import CallFailed, CostLimitReached
from heta_framework.common.models.settings import EndpointConfig, Prices
from heta_framework.common.models.usage import Usage, UsageRole

PRICED = Prices(input=1.0, output=2.0)


async def send() -> ModelReply:
    raise AssertionError("these calls are answered by the test")


def call(role: UsageRole = "agent", prices: Prices | None = PRICED, **fields: Any) -> ModelCall:
    endpoint = EndpointConfig(model="openai:local", base_url="http://127.0.0.1/v1", prices=prices)
    return ModelCall(
        **{"kind": "chat", "endpoint": endpoint, "request": {"q": "one two"}, "send": send, **fields}, role=role
    )


def metered(meter: MeterLayer, asked: ModelCall, reply: ModelReply | CallFailed) -> ModelReply:
    async def answer(_: ModelCall) -> ModelReply:
        if isinstance(reply, CallFailed):
            raise reply
        return reply

    return asyncio.run(meter(asked, answer))


WHOLE = ModelReply(body="x", input_tokens=1_000_000, output_tokens=500_000, seconds=2.0, retries=1, possibly_billed=1)


def test_a_reply_counts_for_its_role_in_the_scope_and_in_all() -> None:
    meter = MeterLayer()
    with call_scope() as scope:
        assert metered(meter, call("judge"), WHOLE) is WHOLE
    metered(meter, call("judge"), WHOLE)
    metered(meter, call("agent"), WHOLE)
    expected = Usage(calls=1, input_tokens=1_000_000, output_tokens=500_000, cost_usd=2.0, seconds=2.0, retries=1,
                     possibly_billed=1)  # fmt: skip
    assert scope.usage == {"judge": expected}
    assert meter.total == {"judge": expected + expected, "agent": expected}
    assert meter.spent_usd == 6.0
    assert meter.cost_known


def test_a_failure_counts_its_attempts() -> None:
    meter, failure = MeterLayer(), CallFailed("no")
    failure.retries, failure.attempts_possibly_billed = 4, 2
    with call_scope() as scope, pytest.raises(CallFailed):
        metered(meter, call(), failure)
    assert scope.usage == meter.total == {"agent": Usage(retries=4, possibly_billed=2)}


def test_tokens_that_nobody_counted_are_estimated_and_marked() -> None:
    meter = MeterLayer()
    metered(meter, call(), ModelReply(body="three words here"))
    usage = meter.total["agent"]
    assert usage.estimated
    assert usage.input_tokens > 0
    assert usage.output_tokens > 0


def test_an_embedding_has_no_output_to_estimate() -> None:
    meter = MeterLayer()
    metered(meter, call(kind="embedding"), ModelReply(body=[[0.5]], input_tokens=5))
    assert meter.total["agent"] == Usage(calls=1, input_tokens=5, cost_usd=5e-6)


def test_an_unknown_price_is_unknown_and_not_nothing() -> None:
    meter = MeterLayer()
    metered(meter, call(), WHOLE)
    assert meter.cost_known
    metered(meter, call(prices=None), WHOLE)
    assert meter.total["agent"].cost_usd is None
    assert meter.spent_usd == 2.0
    assert not meter.cost_known


def test_what_the_cache_and_a_cassette_answered_was_saved() -> None:
    meter = MeterLayer()
    assert meter.cache_hit_rate is None
    for source in ("cache", "cache", "cache", "provider", "cassette"):
        metered(meter, call(), ModelReply(body="x", input_tokens=10, output_tokens=1, source=source))  # type: ignore[arg-type]
    usage = meter.total["agent"]
    assert (usage.calls, usage.cache_hits, usage.replayed) == (1, 3, 1)
    assert (usage.input_tokens, usage.saved_input_tokens) == (10, 40)
    assert meter.cache_hit_rate == 0.75
    assert meter.spent_usd == pytest.approx(12e-6)


def test_at_the_cost_limit_calls_are_refused_and_somebody_is_told_once() -> None:
    told: list[str] = []
    meter = MeterLayer(max_cost_usd=3.0, on_limit=lambda: told.append("limit"))
    metered(meter, call(), WHOLE)
    metered(meter, call(), WHOLE)
    for _ in range(3):
        with pytest.raises(CostLimitReached, match=r"\$4\.0000 of the \$3"):
            metered(meter, call(), WHOLE)
    assert told == ["limit"]
    assert meter.total["agent"].calls == 2


def test_a_limit_of_nothing_allows_no_call() -> None:
    with pytest.raises(CostLimitReached):
        metered(MeterLayer(max_cost_usd=0), call(), WHOLE)
