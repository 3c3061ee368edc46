"""Asks the real endpoint once, over plain HTTP with the real key, and reads the reply."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from time import perf_counter
from typing import Any

import httpx

from heta_framework.common.models.calls.call import CallKind, ModelReply
from heta_framework.common.models.errors import CallFailed
from heta_framework.common.models.settings import EndpointConfig

OPENAI_URL = "https://api.openai.com/v1"
_PATHS: Mapping[CallKind, str] = {"chat": "/chat/completions", "embedding": "/embeddings", "rerank": "/rerank"}
_NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.UnsupportedProtocol, httpx.InvalidURL)
_WORTH_ANOTHER_TRY = frozenset({408, 409, 425, 429})
_SPENT = "insufficient_quota"
"""A 429 that no waiting helps: the account has no money left."""
_SAID = ("content", "tool_calls", "function_call", "refusal")
_SHOWN = 500


class Forwarder:
    """Sends bodies on. The time of an attempt is limited by the layer that retries, not here."""

    def __init__(self) -> None:
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=100)
        self._client = httpx.AsyncClient(timeout=None, limits=limits)  # noqa: S113 - the retry layer limits attempts

    async def send(self, kind: CallKind, endpoint: EndpointConfig, key: str, body: Mapping[str, Any]) -> ModelReply:
        """One attempt.

        Raises:
            CallFailed: no contact, a refusal, or an answer of another shape.
        """
        url = (endpoint.resolved_base_url() or OPENAI_URL).rstrip("/") + _PATHS[kind]
        began = perf_counter()
        try:
            response = await self._client.post(url, json=body, headers={"Authorization": f"Bearer {key}"})
        except _NOT_SENT as error:
            raise CallFailed(f"{url} cannot be reached: {error}", retryable=True) from error
        except httpx.HTTPError as error:
            reason = f"{url} broke off: {type(error).__name__} {error}"
            raise CallFailed(reason, retryable=True, possibly_billed=True) from error
        if not response.is_success:
            raise _refused(response, key)
        return _read(kind, response, body, perf_counter() - began)

    async def close(self) -> None:
        """Close all connections."""
        await self._client.aclose()


def _refused(response: httpx.Response, key: str) -> CallFailed:
    status = response.status_code
    said = response.text.replace(key, "***")[:_SHOWN]  # some endpoints repeat the key they refuse
    return CallFailed(
        f"{response.url} answered {status}: {said}",
        status=status,
        retryable=(status >= 500 or status in _WORTH_ANOTHER_TRY) and _SPENT not in said,
        retry_after=_retry_after(response.headers),
        throttled=status == 429,
    )


def _retry_after(headers: httpx.Headers) -> float | None:
    """Seconds to wait: OpenAI's own header in ms, else a number or a date (RFC 9110, section 10.2.3)."""
    for name, seconds in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            return max(0.0, float(headers[name]) * seconds)
        except (KeyError, ValueError):
            continue
    try:
        at = parsedate_to_datetime(headers.get("retry-after", ""))
    except ValueError:
        return None
    return max(0.0, (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp() - datetime.now(UTC).timestamp())


def _read(kind: CallKind, response: httpx.Response, request: Mapping[str, Any], seconds: float) -> ModelReply:
    try:
        body = json.loads(response.content)
        usable = _whole(kind, body, request)
    except (ValueError, LookupError, TypeError, AttributeError):
        usable = False
    if not usable:
        reason = f"{response.url} answered 200 with something that is no {kind} reply: {response.text[:_SHOWN]!r}"
        raise CallFailed(reason, kind="response", retryable=True, possibly_billed=True)
    usage = body.get("usage") or {}
    return ModelReply(
        body=body,
        input_tokens=usage.get("prompt_tokens", usage.get("total_tokens") if kind != "chat" else None),
        output_tokens=usage.get("completion_tokens"),
        cached_tokens=(usage.get("prompt_tokens_details") or {}).get("cached_tokens"),
        seconds=seconds,
    )


def _whole(kind: CallKind, body: Any, request: Mapping[str, Any]) -> bool:
    if kind == "chat":
        messages = [choice["message"] for choice in body["choices"]]
        return bool(messages) and all(any(message.get(part) is not None for part in _SAID) for message in messages)
    if kind == "embedding":
        vectors = [item["embedding"] for item in body["data"]]
        return len(vectors) == len(request["input"]) and all(isinstance(vector, list) and vector for vector in vectors)
    return all(isinstance(result["index"], int) for result in body["results"])
