"""One model call on its way through the layers, and the reply on its way back."""

import hashlib
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, Protocol

from pydantic import JsonValue

from heta_framework.common.models.settings import EndpointConfig
from heta_framework.common.models.usage import UsageRole

CallKind = Literal["chat", "embedding", "rerank"]
ReplySource = Literal["provider", "cache", "cassette"]


@dataclass(frozen=True, slots=True)
class ModelReply:
    """A whole reply. ``body`` is JSON that whoever built the call can read again; it holds no key and no header.

    Token counts are the provider's; None where it gave none. ``seconds`` is the time of the attempt that succeeded;
    ``retries`` and ``possibly_billed`` count the attempts before it. ``source`` is who answered this time.
    """

    body: JsonValue
    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None
    seconds: float = 0.0
    retries: int = 0
    possibly_billed: int = 0
    source: ReplySource = "provider"


@dataclass(frozen=True)
class ModelCall:
    """One call.

    Attributes:
        kind: what is asked for.
        endpoint: model, limits and prices.
        request: everything that decides the answer, as JSON: messages, tools, schema, sampling.
        send: asks the provider once. Raises ``CallFailed``.
        role: who pays for it.
        epoch: which repetition this is; calls that are equal but for it are different calls.
    """

    kind: CallKind
    endpoint: EndpointConfig
    request: Mapping[str, JsonValue]
    send: Callable[[], Awaitable[ModelReply]] = field(compare=False, repr=False)
    role: UsageRole = "agent"
    epoch: str = "0"

    @property
    def model(self) -> str:
        """``provider:model``."""
        return self.endpoint.model_id

    @cached_property
    def base_url(self) -> str:
        """The endpoint that answers; empty for the provider's own."""
        return self.endpoint.resolved_base_url()

    @cached_property
    def request_json(self) -> str:
        """The request in canonical JSON: sorted keys, no spaces."""
        return json.dumps(self.request, sort_keys=True, separators=(",", ":"), ensure_ascii=False)

    @cached_property
    def portable_key(self) -> str:
        """Identity of the call wherever it is answered (64 hex digits); cassettes use it."""
        return _digest(self.kind, self.model, self.epoch, self.request_json)

    @cached_property
    def key(self) -> str:
        """Identity of the call at its endpoint (64 hex digits); the cache uses it."""
        return _digest(self.base_url, self.portable_key)


Handler = Callable[[ModelCall], Awaitable[ModelReply]]


class Layer(Protocol):
    """Something that every call passes through on its way to the provider."""

    async def __call__(self, call: ModelCall, handle: Handler) -> ModelReply:
        """Answer ``call``, by ``handle`` (the layers below) or otherwise."""
        ...


def _digest(*parts: str) -> str:
    whole = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        whole.update(len(data).to_bytes(8, "big"))
        whole.update(data)
    return whole.hexdigest()
