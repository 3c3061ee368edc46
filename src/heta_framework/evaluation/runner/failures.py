"""Why a query failed: whether asking again may help, whether the whole run has to stop, and what is written down."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator

from heta_framework.common.models.errors import CostLimitReached, ModelSetupError, ReplayMiss
from heta_framework.common.models.redaction import redact
from heta_framework.evaluation.runner.own_task import CancelledByItselfError
from heta_framework.evaluation.types import EvaluationError

STOPS_THE_RUN = (CostLimitReached, ReplayMiss, ModelSetupError)
"""No other query would fare better: the run may not ask any more, or cannot."""

GOES_THROUGH = (KeyboardInterrupt, SystemExit, GeneratorExit, asyncio.CancelledError)
"""No failure of a plugin: somebody ends the run, or the whole process."""

_LONGEST_CHAIN = 20
_LONGEST_MESSAGE = 4000


def is_retryable(error: BaseException) -> bool:
    """Whether the same query may succeed a moment later.

    True of timeouts, of connection errors (``ConnectionError``, httpx's transport errors), and where the error, or one
    that caused it, says so by an attribute ``retryable``, as the errors of model calls do.
    """
    for one in _causes(error):
        said = getattr(one, "retryable", None)
        if isinstance(said, bool):
            return said
        if isinstance(one, (TimeoutError, ConnectionError, *_transport_errors())):
            return True
    return False


def as_evaluation_error(error: BaseException, *, attempts: int) -> EvaluationError:
    """The error as a result holds it."""
    shown = "CancelledError" if isinstance(error, CancelledByItselfError) else type(error).__name__
    return EvaluationError(
        message=message_of(error),
        error_type=shown,
        retryable=is_retryable(error),
        metadata={"attempts": attempts},
    )


def message_of(error: BaseException) -> str:
    """What an exception says, without secrets; its class where it says nothing."""
    said = redact(_text_of(error)).strip().encode("utf-8", "replace").decode()
    if len(said) > _LONGEST_MESSAGE:
        said = f"{said[:_LONGEST_MESSAGE]}... ({len(said)} characters)"
    return said or type(error).__name__


def _text_of(error: BaseException) -> str:
    try:
        return str(error)
    except Exception as cause:  # noqa: BLE001 - the error's class may be anybody's
        return f"{type(error).__name__}, whose message cannot be read ({type(cause).__name__})"


def _causes(error: BaseException) -> Iterator[BaseException]:
    one: BaseException | None = error
    for _ in range(_LONGEST_CHAIN):
        if one is None:
            return
        yield one
        one = one.__cause__


def _transport_errors() -> tuple[type[BaseException], ...]:
    httpx = sys.modules.get("httpx")  # where nobody has imported it, nobody can have raised its errors
    return (httpx.TransportError,) if httpx is not None else ()
