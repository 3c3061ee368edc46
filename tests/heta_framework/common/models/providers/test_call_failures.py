"""What clients raise becomes a failure that says whether to retry, to wait, to slow down, and to expect a bill."""

from typing import Any

import pytest
from pydantic_ai.exceptions import (
    ModelAPIError,
    ModelConnectionError,
    ModelHTTPError,
    ModelOverloadedError,
    ModelQuotaExceededError,
    ModelRateLimitError,
    ModelRequestRejectedError,
    UnexpectedModelBehavior,
    UserError,
)

from heta_framework.common.models.errors import CallFailed, ModelSetupError
from heta_framework.common.models.providers.failures import call_failures

BODY = {"error": {"message": "these are the words"}}


def failure_of(error: Exception) -> CallFailed:
    with pytest.raises(CallFailed) as caught, call_failures():
        raise error
    return caught.value


def refused(status: int, **headers: str) -> CallFailed:
    return failure_of(ModelHTTPError(status, "m", BODY, headers=headers))


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
def test_refusals_that_stay_are_final(status: int) -> None:
    failure = refused(status)
    assert (failure.status, failure.retryable, failure.possibly_billed, failure.kind) == (
        status,
        False,
        False,
        "request",
    )
    assert str(failure) == f"m: HTTP {status}: these are the words"


@pytest.mark.parametrize("status", [408, 409, 425, 429, 500, 502, 503, 504, 529])
def test_refusals_that_pass_are_worth_another_try(status: int) -> None:
    assert refused(status).retryable


def test_the_endpoint_knows_better_than_its_status() -> None:
    assert not refused(500, **{"x-should-retry": "false"}).retryable
    assert refused(400, **{"x-should-retry": "true"}).retryable


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"Retry-After": "0.25"}, 0.25),
        ({"retry-after": "7", "retry-after-ms": "250"}, 0.25),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-3.5"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "nan"}, None),
        ({}, None),
    ],
)
def test_how_long_to_wait(headers: dict[str, str], seconds: float | None) -> None:
    assert refused(429, **headers).retry_after == seconds


def test_too_many_requests_slow_down_and_a_used_up_account_does_not() -> None:
    assert refused(429).throttled
    assert failure_of(ModelOverloadedError("m", "busy")).throttled
    assert failure_of(ModelRateLimitError("m", "slowly", retry_after=3.0)).retry_after == 3.0
    spent = ModelHTTPError.for_category(ModelQuotaExceededError, status_code=429, model_name="m", body=BODY)
    assert (failure_of(spent).throttled, failure_of(spent).retryable) == (False, False)
    assert not refused(500).throttled


@pytest.mark.parametrize(
    ("phase", "billed"), [("pool", False), ("connect", False), ("write", True), ("read", True), (None, True)]
)
def test_a_broken_connection_may_cost_from_the_first_byte_sent(phase: Any, billed: bool) -> None:
    failure = failure_of(ModelConnectionError("m", "Connection error.", phase=phase))
    assert (failure.retryable, failure.possibly_billed, failure.kind) == (True, billed, "request")


def test_the_root_of_a_broken_connection_is_named() -> None:
    error = ModelConnectionError("m", "Connection error.", phase="read")
    error.__cause__ = ValueError("wrapped")
    error.__cause__.__cause__ = OSError("reset by peer")
    assert str(failure_of(error)) == "m: Connection error. (OSError: reset by peer)"


@pytest.mark.parametrize(
    "error",
    [
        UnexpectedModelBehavior("no choices", "the body"),
        ModelAPIError("m", "not JSON"),
        IndexError("list index out of range"),
        RecursionError("too deep"),
    ],
)
def test_an_answer_that_nobody_can_read_is_asked_for_again(error: Exception) -> None:
    failure = failure_of(error)
    assert (failure.kind, failure.retryable, failure.possibly_billed) == ("response", True, True)


def test_an_error_within_a_stream_may_cost() -> None:
    assert failure_of(ModelHTTPError(500, "m", BODY, in_stream=True)).possibly_billed
    assert failure_of(ModelRateLimitError("m", "slowly", in_stream=True)).possibly_billed
    assert not failure_of(ModelRequestRejectedError("m", "no")).retryable


@pytest.mark.parametrize("error", [UserError("wrong use"), ModelSetupError("no key"), CallFailed("already said")])
def test_what_is_no_failure_of_the_endpoint_goes_through(error: Exception) -> None:
    with pytest.raises(type(error)) as caught, call_failures():
        raise error
    assert caught.value is error


def test_words_are_short_and_in_one_line() -> None:
    page = "<html>\n" + "<p>very long</p>\n" * 1_000
    words = str(failure_of(ModelHTTPError(502, "m", page)))
    assert len(words) < 520
    assert "\n" not in words
    assert "no reason given" in str(failure_of(ModelHTTPError(502, "m", None)))
