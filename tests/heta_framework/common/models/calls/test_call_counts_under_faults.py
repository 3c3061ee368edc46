"""Under 20 % faults of all kinds, calls, tokens and possibly billed attempts equal the endpoint's own book."""

import asyncio
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from pydantic_ai.messages import ModelRequest
from pydantic_ai.models import ModelRequestParameters

from heta_framework.common.models.calls import retry
from heta_framework.common.models.calls.meter import MeterLayer
from heta_framework.common.models.calls.runtime import ModelRuntime, using_runtime
from heta_framework.common.models.calls.scope import call_scope
from heta_framework.common.models.errors import CallFailed
from heta_framework.common.models.providers.chat import PathModel
from heta_framework.common.models.settings import LanguageModelConfig, Prices

if TYPE_CHECKING:
    from model_server import LocalServer, Summary

Start = Callable[..., "LocalServer"]
KINDS = [{"kind": "rate_limited", "retry_after_ms": 20}, "rate_limited", "server_error", "disconnect", "reset", "cut",
         "malformed_json", "no_choices", "empty_choices", "hang"]  # fmt: skip
CALLS = 250


def closed_book(server: "LocalServer") -> "Summary":
    """The book when the server has noticed how every request ended."""
    while server.summary().outcomes["open"].calls:
        time.sleep(0.01)
    return server.summary()


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.long)])
def test_the_meter_equals_the_endpoints_book(openai_server: Start, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    monkeypatch.setattr(retry, "FIRST_WAIT_S", 0.01)
    faults = [{"fault": kind, "share": 0.2 / len(KINDS)} for kind in KINDS]
    server = openai_server(brain="echo", faults=faults, seed=seed, cached_tokens=1)
    prices = Prices(input=1.0, output=10.0, cached_input=0.5)
    model = PathModel(LanguageModelConfig(model="openai:m", prices=prices, timeout_s=4.0, max_attempts=3))
    meter = MeterLayer()

    async def ask(number: int) -> int | None:
        asked = [ModelRequest.user_text_prompt(f"question {number}")]
        with call_scope() as scope:
            try:
                said = await model.request(asked, None, ModelRequestParameters())
            except CallFailed:
                return None
        assert said.text == f"question {number}"
        return scope.usage["agent"].calls

    async def run() -> list[int | None]:
        with using_runtime(ModelRuntime(meter=meter)):
            return await asyncio.gather(*[ask(number) for number in range(CALLS)])

    outcomes = asyncio.run(run())
    total, book = meter.total["agent"], closed_book(server)
    assert outcomes.count(1) == total.calls == book.whole.calls
    assert outcomes.count(None) == CALLS - book.whole.calls
    assert total.calls + total.retries + outcomes.count(None) == book.requests
    assert total.input_tokens == book.whole.prompt
    assert total.output_tokens == book.whole.completion
    assert total.cached_tokens == book.whole.cached
    assert total.possibly_billed == book.cut + book.garbage > 0
    cost = book.whole.prompt - book.whole.cached + 0.5 * book.whole.cached + 10 * book.whole.completion
    assert total.cost_usd == pytest.approx(cost / 1e6)
    assert meter.spent_usd == pytest.approx(cost / 1e6)
    assert not total.estimated
