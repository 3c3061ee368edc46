"""Embedding replies: made from the offline model, and encoded as the library asked for."""

import base64
import struct
from collections.abc import Mapping, Sequence
from typing import Any

from heta_framework.common.models.embedding.types import EmbeddingRequest


async def embedded_offline(texts: Sequence[str]) -> dict[str, Any]:
    """The reply of an embedding endpoint, by wordllama. Nothing is metered: no provider is asked."""
    from heta_framework.common.models.embedding.wordllama import WordLlamaEmbedding

    result = await WordLlamaEmbedding().embed(EmbeddingRequest(texts))
    tokens = (result.usage or {}).get("input_tokens", 0)
    rows = [{"object": "embedding", "index": index, "embedding": list(row)} for index, row in enumerate(result.vectors)]
    usage = {"prompt_tokens": tokens, "total_tokens": tokens}
    return {"object": "list", "model": result.model_name, "data": rows, "usage": usage}


def encoded(reply: Mapping[str, Any], encoding: str | None) -> Mapping[str, Any]:
    """The reply with its vectors as numbers, or as base64 of little-endian float32."""
    if encoding != "base64":
        return reply
    rows = [row | {"embedding": _base64(row["embedding"])} for row in reply["data"]]
    return {**reply, "data": rows}


def _base64(vector: Sequence[float]) -> str:
    return base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode("ascii")
