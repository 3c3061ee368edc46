"""Asks for so many chunks that enough different documents are among them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil
from typing import Any

from heta_framework.evaluation.runner.needs import Needs
from heta_framework.evaluation.trec.documents import document_ids_of
from heta_framework.kb import KnowledgeBase
from heta_framework.kb.search.base_modes import BASE_MODES, HYBRID
from heta_framework.kb.search.types import QueryResponse

_SPARE = 1.1
"""Documents that are found have more chunks than the mean: they are longer."""

_CHEAP_MODES = frozenset({*BASE_MODES, HYBRID, "sql_text_search"})


@dataclass(frozen=True)
class FetchPlan:
    """How many results a query of one mode of one knowledge base asks for.

    Attributes:
        first: in the first round.
        documents: how many different ones are wanted; 0 where nobody counts them.
        rounds: how often it may ask again.
    """

    first: int
    documents: int = 0
    rounds: int = 0

    @classmethod
    def of(cls, needs: Needs, kb: KnowledgeBase, mode: str, *, documents: int, rounds: int) -> FetchPlan:
        """For a knowledge base of so many documents; it starts from their mean number of chunks."""
        wanted = min(needs.documents, documents)
        if not wanted:
            return cls(needs.used)
        chunks = chunk_count(kb.run_record.artifacts) or documents
        mean = max(1.0, chunks / documents)
        first = needs.used if mean == 1.0 else max(needs.used, ceil(wanted * mean * _SPARE))
        return cls(first, wanted, rounds if _cheap(kb, mode) else 0)

    def next_round(self, response: QueryResponse, asked_for: int) -> int | None:
        """How many results to ask for again; None where these are enough, or there are no more."""
        if not self.documents or len(response.results) < asked_for or response.answer is not None:
            return None
        found = {one for result in response.results for one in document_ids_of(result)}
        if not found or len(found) >= self.documents:
            return None
        return max(2 * asked_for, ceil(asked_for * self.documents / len(found) * _SPARE))


def chunk_count(artifacts: Mapping[str, Any]) -> int | None:
    """How many chunks the indexes of a knowledge base hold; None where no step has left a count."""
    states = [value for value in artifacts.values() if isinstance(value, Mapping)]
    counts = [state[name] for state in states for name in ("count", "chunk_count") if isinstance(state.get(name), int)]
    return max(counts, default=None)


def _cheap(kb: KnowledgeBase, mode: str) -> bool:
    """Whether asking again costs no call of a language model."""
    return mode in _CHEAP_MODES or kb.recipe.models.language is None
