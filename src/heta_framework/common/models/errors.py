"""The errors of model calls.

ModelError(RuntimeError)            a call of a language model failed; carries ``trace_context``
  ModelRequestError                   the endpoint could not be reached, refused, or gave up: attempts are used up
  ModelResponseError                  an answer came, but not one that can be used
EmbeddingError(RuntimeError)        the same for embeddings
  EmbeddingRequestError, EmbeddingResponseError
RerankError(RuntimeError)           the same for rerankers
  RerankRequestError, RerankResponseError
ModelSetupError(Exception)          a model cannot be called as configured (no key, missing extra): a user's mistake
CallFailed(Exception)               one call failed for good; what the layers of the call path raise
CostLimitReached(Exception)         the run has spent what it may
ReplayMiss(Exception)               a replayed run made a call that was not recorded
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Literal

FailureKind = Literal["request", "response"]


class _TracedError(RuntimeError):
    def __init__(self, message: str = "", *, trace_context: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.trace_context = trace_context


class ModelError(_TracedError):
    """A call of a language model failed."""


class ModelRequestError(ModelError):
    """The endpoint could not be reached or refused the call."""


class ModelResponseError(ModelError):
    """The endpoint answered with something that cannot be used."""


class EmbeddingError(_TracedError):
    """A call of an embedding model failed."""


class EmbeddingRequestError(EmbeddingError):
    """The endpoint could not be reached or refused the call."""


class EmbeddingResponseError(EmbeddingError):
    """The endpoint answered with something that cannot be used."""


class RerankError(_TracedError):
    """A call of a reranker failed."""


class RerankRequestError(RerankError):
    """The endpoint could not be reached or refused the call."""


class RerankResponseError(RerankError):
    """The endpoint answered with something that cannot be used."""


class ModelSetupError(Exception):
    """A model cannot be called as it is configured; the message says what to change."""


class CallFailed(Exception):  # noqa: N818 - reads as what happened
    """A call failed for good.

    Attributes:
        kind: ``request``: no usable contact, or refused; ``response``: an answer that cannot be used.
        status: the HTTP status, where there was one.
        retryable: whether asking again may help.
        retry_after: seconds that the endpoint asked to wait.
        possibly_billed: the request was sent and no whole answer came, so the provider may have worked for it.
        throttled: the endpoint said that it gets too many requests.
        retries, attempts_possibly_billed: counts over all attempts of the call, set by the layer that retries.
    """

    def __init__(
        self,
        message: str,
        *,
        kind: FailureKind = "request",
        status: int | None = None,
        retryable: bool = False,
        retry_after: float | None = None,
        possibly_billed: bool = False,
        throttled: bool = False,
    ) -> None:
        super().__init__(message)
        self.kind: FailureKind = kind
        self.status = status
        self.retryable = retryable
        self.retry_after = retry_after
        self.possibly_billed = possibly_billed
        self.throttled = throttled
        self.retries = 0
        self.attempts_possibly_billed = int(possibly_billed)


class CostLimitReached(Exception):  # noqa: N818 - reads as what happened
    """The run has spent what it may; finished work is kept and the run can be resumed."""


class ReplayMiss(Exception):  # noqa: N818 - reads as what happened
    """A replayed run made a call that the cassette does not hold; the message names the nearest one it holds."""


@contextmanager
def failed_calls_as(
    request_error: type[_TracedError],
    response_error: type[_TracedError],
    trace_context: Mapping[str, Any] | None = None,
) -> Iterator[None]:
    """Turn a ``CallFailed`` into the error of a kind of model."""
    try:
        yield
    except CallFailed as failure:
        kind = response_error if failure.kind == "response" else request_error
        raise kind(str(failure), trace_context=trace_context) from failure
