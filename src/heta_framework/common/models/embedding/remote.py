"""An embedding model behind an endpoint; every batch takes the call path."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Self

from heta_framework.common.models.arguments import config_of
from heta_framework.common.models.embedding.types import EmbeddingRequest, EmbeddingResult
from heta_framework.common.models.endpoint_model import EndpointModel
from heta_framework.common.models.errors import EmbeddingRequestError, EmbeddingResponseError, failed_calls_as
from heta_framework.common.models.many import in_order
from heta_framework.common.models.settings import EmbeddingModelConfig
from heta_framework.common.models.usage import UsageRole

if TYPE_CHECKING:
    from heta_framework.common.models.calls.call import ModelReply


class EmbeddingModel(EndpointModel):
    """An `EmbeddingModelProtocol` over OpenAI-compatible endpoints, Google and Bedrock.

    ``model_name``, ``api_key``, ``api_base``, ``request_timeout`` and ``max_retries`` are those of ``LanguageModel``.
    ``dimensions`` shortens vectors where the model can; ``batch_size`` is the most texts of one call.

    Raises:
        ModelSetupError: there is no key, or the provider's extra is not installed.
        ValueError: an argument is out of its range.
    """

    _config: EmbeddingModelConfig

    def __init__(
        self,
        *,
        model_name: str,
        api_key: str | None = None,
        api_base: str | None = None,
        request_timeout: float = 120.0,
        max_retries: int = 3,
        max_concurrent_requests: int = 10,
        dimensions: int | None = None,
        batch_size: int = 128,
        role: UsageRole = "embedding",
    ) -> None:
        config = config_of(
            EmbeddingModelConfig,
            model_name=model_name,
            api_base=api_base,
            request_timeout=request_timeout,
            max_retries=max_retries,
            max_concurrent_requests=max_concurrent_requests,
            dimensions=dimensions,
            batch_size=batch_size,
        )
        self._open(config, role, api_key)

    @classmethod
    def from_config(cls, config: EmbeddingModelConfig, *, role: UsageRole = "embedding") -> Self:
        """The model of a configuration, its calls metered for ``role``."""
        opened = cls.__new__(cls)
        opened._open(config, role, None)
        return opened

    def _open(self, config: EmbeddingModelConfig, role: UsageRole, api_key: str | None) -> None:
        from heta_framework.common.models.providers.embedding import PathEmbedder

        self._config = config
        self._role = role
        self._given_key = bool(api_key)
        self._path = PathEmbedder(config, role, api_key=api_key)

    @property
    def model_name(self) -> str:
        """As it was given, with the dimensions where they were: vectors of different names must not be compared."""
        dimensions = self._config.dimensions
        return self._config.model if dimensions is None else f"{self._config.model}@{dimensions}"

    async def embed(self, request: EmbeddingRequest) -> EmbeddingResult:
        """Embed the texts of one request, in batches that are asked for at once.

        ``options`` are added to the request body; their ``input_type`` (``document`` or ``query``) is for models that
        tell the two apart.

        Raises:
            EmbeddingRequestError: the endpoint could not be reached, refused, or gave up.
            EmbeddingResponseError: its answer is not one finite vector of one dimension a text.
            CostLimitReached, ReplayMiss: the run may not ask.
        """
        size, texts = self._config.batch_size, request.texts
        batches = [texts[start : start + size] for start in range(0, len(texts), size)]
        with _embedding_errors(request):
            replies = await in_order(self._path.embed(batch, request.options) for batch in batches)
            return EmbeddingResult(
                vectors=_joined(replies),
                model_name=self.model_name,
                usage=_usage(replies),
                trace_context=request.trace_context,
            )

    async def embed_many(self, requests: Sequence[EmbeddingRequest]) -> list[EmbeddingResult]:
        """Embed several requests at once; results in the order of the requests."""
        return await in_order(self.embed(request) for request in requests)


def _joined(replies: Sequence[ModelReply]) -> list[list[float]]:
    from heta_framework.common.models.providers.vectors import unpacked

    vectors = [vector for reply in replies for vector in unpacked(_body(reply))]
    dimensions = {len(vector) for vector in vectors}
    if len(dimensions) > 1:
        raise ValueError(f"the endpoint sent vectors of different dimensions: {sorted(dimensions)}")
    return vectors


def _body(reply: ModelReply) -> Mapping[str, Any]:
    return reply.body if isinstance(reply.body, dict) else {}


def _usage(replies: Sequence[ModelReply]) -> Mapping[str, int] | None:
    counts = [reply.input_tokens for reply in replies]
    return {"input_tokens": sum(count for count in counts if count is not None)} if None not in counts else None


@contextmanager
def _embedding_errors(request: EmbeddingRequest) -> Iterator[None]:
    try:
        with failed_calls_as(EmbeddingRequestError, EmbeddingResponseError, request.trace_context):
            yield
    except ValueError as error:
        raise EmbeddingResponseError(str(error), trace_context=request.trace_context) from error
