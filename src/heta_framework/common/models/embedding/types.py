"""What an embedding model is asked and what it answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class EmbeddingRequest:
    """Texts to embed.

    Attributes:
        texts: any texts, also empty ones.
        options: settings of one provider, passed on as they are.
        trace_context: who asks, e.g. {"query_mode": ..., "step": ...}; returned with the result.
    """

    texts: Sequence[str]
    options: Mapping[str, Any] | None = None
    trace_context: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        if isinstance(self.texts, str):
            raise TypeError("texts must be a sequence of strings, found one string")
        object.__setattr__(self, "texts", tuple(self.texts))


@dataclass(frozen=True)
class EmbeddingResult:
    """One vector a text, in the order of the texts.

    Attributes:
        vectors: (number of texts, dimension of the model).
        model_name: which model answered.
        usage: what it cost, e.g. {"input_tokens": 12}; None where the provider does not say.
        trace_context: that of the request.
        raw_response: the provider's own answer.
    """

    vectors: Sequence[Sequence[float]]
    model_name: str = ""
    usage: Mapping[str, int] | None = None
    trace_context: Mapping[str, Any] | None = None
    raw_response: Any = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "vectors", tuple(tuple(vector) for vector in self.vectors))
