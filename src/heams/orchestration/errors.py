"""The errors of a run, and how any exception becomes an ``ErrorInfo``.

RunRefused           the run cannot start, or go on, as it was asked for (a user's mistake: exit code 2)
store.StoreError     results cannot be written (disk full ...): the run stops, resumable
IngestionFailed      a history could not be heard; costs its scenarios, never the run
"""

from heams.orchestration.results import ErrorInfo
from heta_framework.common.text.surrogates import replace_surrogates

MAX_MESSAGE = 4_000


class RunRefused(Exception):  # noqa: N818 - reads as what happened
    """The run cannot be done as asked; the message says what to change."""


class StoppedEarly(Exception):  # noqa: N818 - reads as what happened
    """A stop was asked for before the experiment began to play."""


class IngestionFailed(Exception):  # noqa: N818 - reads as what happened
    """A shared history could not be heard; every scenario that needs it ends in an error."""


def describe_error(phase: str, cause: BaseException, timeout_s: float) -> ErrorInfo:
    """What is saved of an exception. ``timeout_s`` is the limit of the phase, for timeouts without words."""
    if isinstance(cause, TimeoutError) and not _words(cause):
        return ErrorInfo(phase=phase, type="Timeout", message=f"not done within {timeout_s:g} s")
    message = replace_surrogates(_words(cause)) or "(no message)"
    if len(message) > MAX_MESSAGE:
        message = f"{message[:MAX_MESSAGE]} ... ({len(message)} characters)"
    return ErrorInfo(phase=phase, type=type(cause).__name__, message=message)


def _words(cause: BaseException) -> str:
    try:
        return str(cause)
    except Exception as failure:  # noqa: BLE001 - somebody else's exception; its own words may fail
        return f"(its message cannot be had: {type(failure).__name__})"
