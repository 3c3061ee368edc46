"""What went wrong in an attempt, from the exceptions of pydantic-ai to ``CallFailed``."""

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

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
from heta_framework.common.models.redaction import redact

_NOT_SENT = ("pool", "connect")
_WORTH_ANOTHER_TRY = frozenset({408, 409, 425, 429})
_THROTTLED = (ModelRateLimitError, ModelOverloadedError)
_NO_USE = (ModelQuotaExceededError, ModelRequestRejectedError)
_SHOWN = 500


@contextmanager
def call_failures() -> Iterator[None]:
    """Turn what a provider's client raises into ``CallFailed``, in words without keys.

    Endpoints answer with everything imaginable, and clients stumble over it in as many ways: whatever else is raised
    was an answer that nobody could read; only what pydantic-ai says of a wrong use goes through (``UserError``).
    """
    try:
        yield
    except (CallFailed, ModelSetupError, UserError):
        raise
    except ModelHTTPError as error:
        raise _refused(error) from None
    except ModelConnectionError as error:
        sent = error.phase not in _NOT_SENT
        raise CallFailed(_no_contact(error), retryable=True, possibly_billed=sent) from None
    except ModelAPIError as error:
        raise _reported(error) from None
    except UnexpectedModelBehavior as error:
        raise CallFailed(_short(error.message), kind="response", retryable=True, possibly_billed=True) from None
    except Exception as error:  # noqa: BLE001 - the boundary to clients of many providers
        words = _short(f"the answer cannot be read: {type(error).__name__}: {error}")
        raise CallFailed(words, kind="response", retryable=True, possibly_billed=True) from None


def _refused(error: ModelHTTPError) -> CallFailed:
    status = error.status_code
    hinted = error.provider_retry_hint
    retryable = hinted if hinted is not None else status >= 500 or status in _WORTH_ANOTHER_TRY
    return CallFailed(
        _short(f"{error.model_name}: HTTP {status}: {_said(error)}"),
        status=status,
        retryable=retryable and not isinstance(error, _NO_USE),
        retry_after=_wait(error),
        possibly_billed=error.in_stream,
        throttled=_throttled(error),
    )


def _wait(error: ModelHTTPError) -> float | None:
    """Seconds to wait before the next attempt. Some endpoints give fractions, which pydantic-ai does not read."""
    if error.retry_after is not None:
        return error.retry_after
    try:
        seconds = float((error.headers or {}).get("retry-after", ""))
    except ValueError:
        return None
    return seconds if 0 <= seconds < math.inf else None


def _reported(error: ModelAPIError) -> CallFailed:
    """A failure without an HTTP status: of another protocol, in the middle of a stream, or in place of an answer."""
    refused = isinstance(error, (*_THROTTLED, *_NO_USE))
    return CallFailed(
        _short(f"{error.model_name}: {error.message}"),
        kind="request" if refused else "response",
        retryable=not isinstance(error, _NO_USE),
        retry_after=error.retry_after,
        possibly_billed=error.in_stream or not refused,
        throttled=_throttled(error),
    )


def _throttled(error: ModelAPIError) -> bool:
    if isinstance(error, ModelQuotaExceededError):
        return False
    return isinstance(error, _THROTTLED) or (isinstance(error, ModelHTTPError) and error.status_code == 429)


def _no_contact(error: ModelConnectionError) -> str:
    cause = error.__cause__
    root = cause.__cause__ if cause is not None and cause.__cause__ is not None else cause
    detail = "" if root is None else f" ({type(root).__name__}{f': {root}' if str(root) else ''})"
    return _short(f"{error.model_name}: {error.message}{detail}")


def _said(error: ModelHTTPError) -> str:
    """The endpoint's own words where its error has the usual form, else the whole of it."""
    body = error.body
    inner = body.get("error", body) if isinstance(body, Mapping) else body
    words = inner.get("message") if isinstance(inner, Mapping) else None
    return f"{words or inner or 'no reason given'}" + (f" ({error.hint})" if error.hint else "")


def _short(words: str) -> str:
    safe = redact(" ".join(words.split()))
    return safe if len(safe) <= _SHOWN else f"{safe[:_SHOWN]} ..."
