"""Failures in the form in which OpenAI's clients expect them, with the advice not to try again: the path has."""

from starlette.responses import JSONResponse

from heta_framework.common.models.errors import CallFailed

_NO_RETRY = {"x-should-retry": "false"}


def refusal(status: int, message: str, code: str) -> JSONResponse:
    """An error reply."""
    error = {"message": message, "type": "gateway_error", "param": None, "code": code}
    return JSONResponse({"error": error}, status_code=status, headers=_NO_RETRY)


def failed(failure: Exception) -> JSONResponse:
    """The reply to a call that failed.

    The endpoint's own status where it refused for a reason that stays. Not 429 and not 5xx: libraries wait minutes for
    those to pass, in loops of their own, and the path has waited already.
    """
    status = failure.status if isinstance(failure, CallFailed) else None
    lasting = status is not None and 400 <= status < 500 and status != 429
    return refusal(status if status is not None and lasting else 424, str(failure), type(failure).__name__)
