"""Tells failures that end a whole run from those that cost what was under way."""

from heams.orchestration.errors import RunRefused
from heams.orchestration.store import StoreError
from heta_framework.common.models.calls.cassette import CassetteError
from heta_framework.common.models.errors import CostLimitReached, ModelSetupError


def run_ending(cause: BaseException) -> Exception | None:
    """The error with which the run ends because of ``cause``; None where the run goes on."""
    if isinstance(cause, RunRefused | StoreError | CostLimitReached):
        return cause
    if isinstance(cause, ModelSetupError):
        return RunRefused(str(cause))
    return StoreError(str(cause)) if isinstance(cause, CassetteError) else None
