"""Citations: what an answer can refer to, one for each thing that was found."""

from __future__ import annotations

from collections.abc import Iterable

from heta_framework.kb.search.types import QueryCitation, QueryResult


def distinct(results: Iterable[QueryResult]) -> list[QueryResult]:
    """The first of each (kind, id), in order."""
    return list({(result.kind, result.id): result for result in reversed(list(results))}.values())[::-1]


def cite(results: Iterable[QueryResult]) -> tuple[QueryCitation, ...]:
    """One citation a distinct result: ``citation_1`` quotes the best."""
    return tuple(
        QueryCitation(f"citation_{rank}", result.id, result.source, result.text, {"result_kind": result.kind})
        for rank, result in enumerate(distinct(results), start=1)
    )
