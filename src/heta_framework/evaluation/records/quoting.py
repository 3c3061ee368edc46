"""Citations as engines make them, one for each distinct result: they need not be written down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from heta_framework.kb.search.types import QueryCitation, QueryResponse, QueryResult

QUOTES = "results"
"""What stands in a line for citations that quote the results one by one."""

_MISSING = object()


def quotes_results(response: QueryResponse) -> bool:
    """Whether the citations are what `quoted` makes of the results."""
    results = _distinct(response.results)
    return len(results) == len(response.citations) and all(
        citation.id == f"citation_{rank}"
        and citation.result_id == result.id
        and citation.text == result.text
        and citation.metadata == {"result_kind": result.kind}
        and alike(citation.source, result.source)
        for rank, (citation, result) in enumerate(zip(response.citations, results, strict=True), start=1)
    )


def quoted(results: Sequence[QueryResult]) -> tuple[QueryCitation, ...]:
    """One citation a distinct result, best first. This is part of the file format: it never changes."""
    return tuple(
        QueryCitation(f"citation_{rank}", result.id, result.source, result.text, {"result_kind": result.kind})
        for rank, result in enumerate(_distinct(results), start=1)
    )


def alike(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether both are the same when written down: ``1``, ``True`` and ``1.0`` are equal, and are not."""
    if len(one) != len(other):
        return False
    if all(other.get(name, _MISSING) is value for name, value in one.items()):
        return True
    return one == other and repr(one) == repr(other)


def _distinct(results: Sequence[QueryResult]) -> list[QueryResult]:
    """The first of each kind and id, in order."""
    first: dict[tuple[str, str], QueryResult] = {}
    for result in results:
        first.setdefault((result.kind, result.id), result)
    return list(first.values())
