"""Rerankers behind ``POST {base_url}/rerank``, through the call path.

The request is that of Jina, Cohere and vLLM (https://docs.cohere.com/reference/rerank); an endpoint that misses the
``texts`` of text-embeddings-inference is asked again in its way. Answers of all of them are read.
"""

import json
import math
from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import Any

import httpx
from pydantic import JsonValue
from pydantic_ai.exceptions import ModelConnectionError, ModelHTTPError

from heta_framework.common.models.calls.call import ModelCall, ModelReply
from heta_framework.common.models.calls.runtime import current_runtime
from heta_framework.common.models.calls.scope import present_epoch
from heta_framework.common.models.errors import CallFailed, ModelSetupError
from heta_framework.common.models.providers.building import Built, known_key
from heta_framework.common.models.providers.endpoint import Endpoint
from heta_framework.common.models.settings import EndpointConfig, RerankModelConfig, split_model
from heta_framework.common.models.usage import UsageRole
from heta_framework.common.text.surrogates import replace_surrogates

_MISSES_TEXTS = frozenset({400, 422})


class PathReranker:
    """The reranker of a configuration, its calls metered for ``role``.

    Raises:
        ModelSetupError: there is no endpoint.
    """

    def __init__(self, config: RerankModelConfig, role: UsageRole, *, api_key: str | None = None) -> None:
        self._url = config.resolved_base_url().rstrip("/") + "/rerank"
        if not config.resolved_base_url():
            raise ModelSetupError(f"reranker {config.model!r} needs a 'base_url': the endpoint that offers /rerank")
        self._config = config
        self._role = role
        self._endpoint = Endpoint(config, known_key(config, api_key), _client)

    async def rank(
        self, query: str, documents: Sequence[str], top_n: int, options: Mapping[str, Any] | None
    ) -> list[tuple[int, float]]:
        """Index and score of the ``top_n`` best documents, best first.

        Raises:
            CallFailed, CostLimitReached, ReplayMiss: see ``ModelRuntime.ask``.
        """
        request: dict[str, JsonValue] = {
            "query": replace_surrogates(query),
            "documents": [replace_surrogates(document) for document in documents],
            "top_n": top_n,
            **(options or {}),
        }

        async def attempt() -> ModelReply:
            client = await self._endpoint.here()
            began = perf_counter()
            with self._endpoint.failures():
                answer = await self._post(client, {"model": split_model(self._config.model)[1], **request})
            ranked = ranking_of(answer, len(documents), top_n)
            body: JsonValue = [[index, score] for index, score in ranked]
            return ModelReply(body=body, input_tokens=_tokens(answer), seconds=perf_counter() - began)

        call = ModelCall(
            kind="rerank",
            endpoint=self._config,
            request=request,
            send=attempt,
            role=self._role,
            epoch=present_epoch(),
        )
        return _kept((await current_runtime().ask(call)).body)

    async def _post(self, client: httpx.AsyncClient, request: dict[str, JsonValue]) -> Any:
        response = await self._sent(client, request)
        if response.status_code in _MISSES_TEXTS and "texts" in response.text:
            response = await self._sent(client, {"query": request["query"], "texts": request["documents"]})
        if response.status_code >= 400:
            raise ModelHTTPError(
                response.status_code, self._config.model_id, response.text, headers=dict(response.headers)
            )
        try:
            return response.json()
        except ValueError as error:
            raise _unusable(f"the endpoint's answer is no JSON: {response.text[:200]!r}") from error

    async def _sent(self, client: httpx.AsyncClient, request: dict[str, JsonValue]) -> httpx.Response:
        try:
            return await client.post(self._url, json=request)
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout) as error:
            raise ModelConnectionError(self._config.model_id, str(error) or "no connection", phase="connect") from error
        except httpx.HTTPError as error:
            raise ModelConnectionError(self._config.model_id, str(error) or "connection lost", phase="read") from error


def _client(config: EndpointConfig, key: str | None) -> Built:
    most = max(100, config.max_concurrency)
    client = httpx.AsyncClient(
        headers={} if key is None else {"Authorization": f"Bearer {key}"},
        timeout=config.timeout_s,
        limits=httpx.Limits(max_connections=most, max_keepalive_connections=most),
    )
    return Built(client, client.aclose)


def ranking_of(answer: Any, documents: int, top_n: int) -> list[tuple[int, float]]:
    """Index and score of the ``top_n`` best documents, best first, from an endpoint's answer.

    Raises:
        CallFailed: it is no such answer, or its indices are not those of the documents.
    """
    rows = answer.get("results", answer.get("data")) if isinstance(answer, dict) else answer
    if not isinstance(rows, list):
        raise _unusable(f"the endpoint's answer holds no list of results: {json.dumps(answer)[:200]}")
    ranked = sorted((_row(row, documents) for row in rows), key=lambda pair: (-pair[1], pair[0]))
    if len({index for index, _ in ranked}) < len(ranked):
        raise _unusable("the endpoint ranked a document twice")
    if len(ranked) < top_n:
        raise _unusable(f"the endpoint ranked {len(ranked)} documents where {top_n} were asked for")
    return ranked[:top_n]


def _row(row: Any, documents: int) -> tuple[int, float]:
    index = row.get("index") if isinstance(row, dict) else None
    if not isinstance(index, int) or isinstance(index, bool) or not 0 <= index < documents:
        raise _unusable(f"the endpoint ranked document {index!r} where there are {documents}")
    score = row.get("relevance_score", row.get("score"))
    if not isinstance(score, int | float) or isinstance(score, bool) or not math.isfinite(score):
        raise _unusable(f"the endpoint gave document {index} no score but {score!r}")
    return index, float(score)


def _tokens(answer: Any) -> int | None:
    usage = answer.get("usage") if isinstance(answer, dict) else None
    counted = usage.get("prompt_tokens", usage.get("total_tokens")) if isinstance(usage, dict) else None
    return counted if isinstance(counted, int) else None


def _kept(body: JsonValue) -> list[tuple[int, float]]:
    rows: Any = body
    return [(int(index), float(score)) for index, score in rows]


def _unusable(message: str) -> CallFailed:
    return CallFailed(message, kind="response", retryable=True, possibly_billed=True)
