"""A reranker behind an endpoint; every request takes the call path."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from heta_framework.common.models.arguments import config_of
from heta_framework.common.models.endpoint_model import EndpointModel
from heta_framework.common.models.errors import RerankRequestError, RerankResponseError, failed_calls_as
from heta_framework.common.models.many import in_order
from heta_framework.common.models.rerank.ranking import ranked
from heta_framework.common.models.rerank.types import RerankOptions, RerankRequest, RerankResult
from heta_framework.common.models.settings import RerankModelConfig
from heta_framework.common.models.usage import UsageRole


class RerankModel(EndpointModel):
    """A `RerankModelProtocol` over ``POST {api_base}/rerank``, as Jina, Cohere, vLLM and TEI offer it.

    The other arguments are those of ``LanguageModel``.

    Raises:
        ModelSetupError: no endpoint is named.
        ValueError: an argument is out of its range.
    """

    _config: RerankModelConfig

    def __init__(
        self,
        *,
        model_name: str,
        api_key: str | None = None,
        api_base: str | None = None,
        request_timeout: float = 120.0,
        max_retries: int = 3,
        max_concurrent_requests: int = 10,
        role: UsageRole = "embedding",
    ) -> None:
        config = config_of(
            RerankModelConfig,
            model_name=model_name,
            api_base=api_base,
            request_timeout=request_timeout,
            max_retries=max_retries,
            max_concurrent_requests=max_concurrent_requests,
        )
        self._open(config, role, api_key)

    @classmethod
    def from_config(cls, config: RerankModelConfig, *, role: UsageRole = "embedding") -> Self:
        """The model of a configuration, its calls metered for ``role``."""
        opened = cls.__new__(cls)
        opened._open(config, role, None)
        return opened

    def _open(self, config: RerankModelConfig, role: UsageRole, api_key: str | None) -> None:
        from heta_framework.common.models.providers.reranking import PathReranker

        self._config = config
        self._role = role
        self._given_key = bool(api_key)
        self._path = PathReranker(config, role, api_key=api_key)

    async def rerank(self, request: RerankRequest) -> RerankResult:
        """Order the documents of one request, best first.

        Raises:
            RerankRequestError: the endpoint could not be reached, refused, or gave up.
            RerankResponseError: its ranking names documents twice, too few of them, or such as there are not.
            CostLimitReached, ReplayMiss: the run may not ask.
        """
        options = request.options or RerankOptions()
        count = len(request.documents)
        top_n = count if options.top_n is None else min(options.top_n, count)
        if not top_n:
            return ranked(request, [], self.model_name)
        with failed_calls_as(RerankRequestError, RerankResponseError, request.trace_context):
            pairs = await self._path.rank(request.query, request.documents, top_n, options.provider_options)
        return ranked(request, pairs, self.model_name)

    async def rerank_many(self, requests: Sequence[RerankRequest]) -> list[RerankResult]:
        """Order several requests at once; results in the order of the requests."""
        return await in_order(self.rerank(request) for request in requests)
