"""The models that the programs beside this file bring along: both answer the same at every run, without a network."""

import hashlib
import json
from typing import Any

from heta_framework.common.models import EmbeddingRequest, EmbeddingResult, ModelRequest, ModelResult

DIMENSION = 64


class WordCounts:
    """Embeds a text as the counts of its words, each in one of ``DIMENSION`` places."""

    def __init__(self, name: str = "word-counts", dimension: int = DIMENSION) -> None:
        self.model_name = name
        self.dimension = dimension
        self.embedded: list[str] = []

    async def embed(self, request: EmbeddingRequest) -> EmbeddingResult:
        self.embedded.extend(request.texts)
        return EmbeddingResult(vectors=[self.vector(text) for text in request.texts], model_name=self.model_name)

    async def embed_many(self, requests: list[EmbeddingRequest]) -> list[EmbeddingResult]:
        return [await self.embed(request) for request in requests]

    def vector(self, text: str) -> list[float]:
        counts = [0.0] * self.dimension
        for word in text.lower().split():
            digest = hashlib.sha256(word.strip(".,;:?!#\"'").encode()).digest()
            counts[int.from_bytes(digest[:4], "big") % self.dimension] += 1.0
        return counts


class Scripted:
    """Answers by who asks: ``replies`` maps ``step/stage`` or ``query_mode/stage`` of the trace context to a reply.

    A reply is a text, a value that is sent as JSON, or a function of the prompt that gives one of them.
    """

    def __init__(self, replies: dict[str, Any], name: str = "scripted") -> None:
        self.model_name = name
        self.replies = replies
        self.asked: list[str] = []

    async def invoke(self, request: ModelRequest) -> ModelResult:
        who = self._who(dict(request.trace_context or {}))
        self.asked.append(who)
        reply = self.replies[who]
        reply = reply(request.prompt) if callable(reply) else reply
        return ModelResult(text=reply if isinstance(reply, str) else json.dumps(reply), model_name=self.model_name)

    async def invoke_many(self, requests: list[ModelRequest]) -> list[ModelResult]:
        return [await self.invoke(request) for request in requests]

    def stream(self, request: ModelRequest) -> Any:
        raise NotImplementedError("these programs do not stream")

    @staticmethod
    def _who(trace: dict[str, Any]) -> str:
        parts = (trace.get("step") or trace.get("query_mode"), trace.get("stage"), trace.get("phase"))
        return "/".join(str(part) for part in parts if part)
