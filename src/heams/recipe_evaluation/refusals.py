"""What ends an evaluation, in words for whoever started it."""

from __future__ import annotations

import traceback

from heams.orchestration.errors import RunRefused
from heams.orchestration.run_ends import run_ending
from heams.orchestration.store import StoreError
from heta_framework.common.datasets import DatasetError
from heta_framework.common.models.errors import ReplayMiss
from heta_framework.common.stores.object.errors import ObjectStoreError
from heta_framework.evaluation.errors import EvaluationRunError, ReportMismatchError
from heta_framework.kb.errors import KnowledgeBaseAlreadyExistsError, KnowledgeBaseBusyError, KnowledgeBuildError

_IN_THEIR_WORDS = (EvaluationRunError, KnowledgeBaseAlreadyExistsError, KnowledgeBaseBusyError, ValueError, LookupError)


def ending(cause: Exception, recipe: str) -> Exception:
    """The error with which an evaluation ends because of ``cause``; ``recipe`` names the recipe's file."""
    known = run_ending(cause)
    if known is not None:
        return known
    if isinstance(cause, DatasetError):
        return cause
    if isinstance(cause, ObjectStoreError):
        return StoreError(str(cause))
    if isinstance(cause, KnowledgeBuildError):
        return RunRefused(f"recipe ({recipe}) cannot be built: {cause}. The next run goes on with what is there")
    if isinstance(cause, ReportMismatchError):
        return RunRefused(f"{cause}. `heams evaluate --new-run` begins another report")
    if isinstance(cause, _IN_THEIR_WORDS):
        return RunRefused(str(cause.args[0]) if cause.args else str(cause))
    place = traceback.extract_tb(cause.__traceback__)[-1]
    words = str(cause) or "no message"
    return RunRefused(f"the evaluation cannot go on: {type(cause).__name__}: {words} ({place.filename}:{place.lineno})")


def is_replay_miss(cause: BaseException) -> bool:
    """Whether a call that a cassette does not hold is behind an error."""
    one: BaseException | None = cause
    while one is not None:
        if isinstance(one, ReplayMiss):
            return True
        one = one.__cause__
    return False
