"""What went otherwise than asked in a query: kept in ``metadata["issues"]``, never silent, never fatal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from heta_framework.kb.search.types import QueryResponse

QueryIssue = Mapping[str, Any]
"""``code`` (a stable word), ``message`` (a sentence), ``action`` (what was done about it), and where it applies
``round`` and ``mode``."""


def issue(code: str, message: str, action: str, **where: Any) -> QueryIssue:
    """One issue, JSON-safe."""
    return {"code": code, "message": message, "action": action, **where}


def issues_of(response: QueryResponse) -> tuple[QueryIssue, ...]:
    """The issues of an engine that was asked, each with the ``mode`` that had it."""
    return tuple({"mode": response.mode, **one} for one in response.metadata.get("issues", ()))


def issues_of_all(responses: Iterable[QueryResponse]) -> tuple[QueryIssue, ...]:
    """The issues of several engines, equal ones once."""
    gathered: list[QueryIssue] = []
    for response in responses:
        gathered.extend(one for one in issues_of(response) if one not in gathered)
    return tuple(gathered)
