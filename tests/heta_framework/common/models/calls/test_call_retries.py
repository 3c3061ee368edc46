"""Every fault of an endpoint is survived, or ends in a failure that says what happened and counts what it may cost."""

import asyncio
import traceback
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from pydantic_ai.messages import ModelRequest
from pydantic_ai.models import ModelRequestParameters

from heta_framework.common.models.calls import retry
from heta_framework.common.models.calls.runtime import ModelRuntime, using_runtime
from heta_framework.common.models.calls.scope import call_scope
from heta_framework.common.models.errors import CallFailed
from heta_framework.common.models.providers.chat import PathModel
from heta_framework.common.models.settings import LanguageModelConfig
from heta_framework.common.models.usage import Usage

if TYPE_CHECKING:
    from model_server import LocalServer

Start = Callable[..., "LocalServer"]


class Outcome(NamedTuple):
    """What a call came to."""

    text: str | None
    failure: CallFailed | None
    usage: Usage


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retry, "FIRST_WAIT_S", 0.01)


def ask(text: str = "hello there", **fields: Any) -> Outcome:
    """One call through the path."""
    model = PathModel(LanguageModelConfig(**{"model": "openai:m", "max_attempts": 3, "timeout_s": 5.0, **fields}))

    async def run() -> Outcome:
        said, failure = None, None
        with using_runtime(ModelRuntime()), call_scope() as scope:
            try:
                asked = [ModelRequest.user_text_prompt(text)]
                said = (await model.request(asked, None, ModelRequestParameters())).text
            except CallFailed as error:
                failure = error
        return Outcome(said, failure, scope.usage.get("agent", Usage()))

    return asyncio.run(run())


PASSING = ["rate_limited", "server_error", "disconnect", "reset", "cut", "malformed_json", "no_choices",
           "empty_choices", "html"]  # fmt: skip
FINAL = ["insufficient_quota", "unauthorised", "context_length", "model_not_found"]
REFUSALS = {"rate_limited", "server_error"}


@pytest.mark.parametrize("fault", PASSING)
def test_a_fault_that_passes_is_survived(openai_server: Start, fault: str) -> None:
    server = openai_server(brain="echo", faults=[{"fault": fault, "times": 1}])
    outcome = ask()
    assert outcome.text == "hello there"
    assert (outcome.usage.calls, outcome.usage.retries, outcome.usage.input_tokens) == (1, 1, 2)
    assert outcome.usage.possibly_billed == server.summary().cut + server.summary().garbage == (fault not in REFUSALS)


@pytest.mark.parametrize("fault", PASSING)
def test_a_fault_that_stays_ends_in_words_and_counts(openai_server: Start, fault: str) -> None:
    server = openai_server(faults=[fault])
    failure = ask().failure
    assert failure is not None
    assert "3 attempts in " in str(failure)
    assert failure.retries == 2
    assert failure.attempts_possibly_billed == server.summary().cut + server.summary().garbage
    assert failure.kind == ("response" if server.summary().garbage else "request")
    assert server.summary().requests == 3


@pytest.mark.parametrize("fault", FINAL)
def test_what_no_retry_can_mend_is_tried_once(openai_server: Start, fault: str) -> None:
    server = openai_server(faults=[fault])
    outcome = ask()
    assert outcome.failure is not None
    assert "attempts" not in str(outcome.failure)
    assert not outcome.failure.retryable
    assert outcome.usage == Usage()
    assert server.summary().requests == 1


@pytest.mark.parametrize("fault", [{"kind": "hang"}, {"kind": "trickle", "chunk": 8, "interval": 0.1}])
def test_a_hang_and_a_trickle_end_at_the_timeout(openai_server: Start, fault: dict[str, Any]) -> None:
    server = openai_server(brain="echo", faults=[{"fault": fault, "times": 1}])
    outcome = ask(timeout_s=1.0)
    assert outcome.text == "hello there"
    assert outcome.usage.possibly_billed == server.summary().cut == 1


def test_a_timeout_says_so(openai_server: Start) -> None:
    openai_server(faults=["hang"])
    failure = ask(timeout_s=0.3, max_attempts=2).failure
    assert str(failure).startswith("openai:m gave no whole answer within 0.3 s (2 attempts in ")


def test_a_huge_answer_is_an_answer(openai_server: Start) -> None:
    openai_server(faults=[{"kind": "huge", "size": 1_000_000}])
    assert len(ask().text or "") >= 1_000_000


def test_nobody_there_is_named_and_costs_nothing() -> None:
    failure = ask(base_url="http://127.0.0.1:9/v1", max_attempts=2).failure
    assert failure is not None
    assert "ConnectError" in str(failure)
    assert failure.attempts_possibly_billed == 0


def test_retry_after_is_waited_for(openai_server: Start) -> None:
    server = openai_server(brain="echo", faults=[{"fault": {"kind": "rate_limited", "retry_after": 0.4}, "times": 1}])
    assert ask().text == "hello there"
    first, second = (entry.arrived for entry in server.log.entries)
    assert second - first >= 0.4


def test_a_longer_retry_after_than_is_waited_for_is_named(openai_server: Start) -> None:
    openai_server(faults=[{"kind": "rate_limited", "retry_after": 3_600}])
    failure = ask(max_attempts=1).failure
    assert "asked to wait 3600 s, the longest wait is 120 s" in str(failure)


def test_a_key_that_is_repeated_back_is_in_no_message_and_no_traceback(openai_server: Start) -> None:
    from model_server import CANARY_KEY

    openai_server(faults=["unauthorised"])
    failure = ask().failure
    assert failure is not None
    assert "HTTP 401: Incorrect API key provided: ***" in str(failure)
    assert CANARY_KEY not in "".join(traceback.format_exception(failure))
    assert failure.__cause__ is None
    assert failure.__context__ is None


def test_retries_print_nothing(openai_server: Start, capfd: pytest.CaptureFixture[str]) -> None:
    openai_server(brain="echo", faults=[{"fault": "server_error", "times": 2}])
    assert ask().text == "hello there"
    assert capfd.readouterr() == ("", "")
