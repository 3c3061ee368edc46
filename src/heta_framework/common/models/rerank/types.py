"""What a reranker is asked and what it answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class RerankOptions:
    """``top_n``: how many rankings are wanted (None: all); ``return_documents``: with their texts."""

    top_n: int | None = None
    return_documents: bool = False
    provider_options: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        if self.top_n is not None and self.top_n < 0:
            raise ValueError(f"top_n must not be below 0, found {self.top_n}")


@dataclass(frozen=True)
class RerankRequest:
    """A query and the texts to order by it."""

    query: str
    documents: Sequence[str]
    options: RerankOptions | None = None
    trace_context: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class RerankItem:
    """The document at ``index`` of the request, with the model's own score; higher is better."""

    index: int
    score: float
    text: str | None = None
    metadata: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class RerankResult:
    """Documents, best first."""

    rankings: Sequence[RerankItem]
    model_name: str = ""
    trace_context: Mapping[str, Any] | None = None
    raw_response: Any = None
