"""Asks several engines at once; their answers come in the order of the questions."""

from __future__ import annotations

from collections.abc import Iterable

from heta_framework.common.models.many import in_order
from heta_framework.kb.search.context import QueryContext
from heta_framework.kb.search.types import QueryRequest, QueryResponse, QueryTraceEvent


async def ask_all(context: QueryContext, calls: Iterable[tuple[str, QueryRequest]]) -> list[QueryResponse]:
    """The responses to (mode, request) pairs, asked concurrently.

    The first that fails cancels the others and its error is raised: a fused ranking that lacks one of its sources
    would be another ranking than the one that was asked for.
    """
    return await in_order(context.query(mode, request) for mode, request in calls)


def traces_of(responses: Iterable[QueryResponse]) -> tuple[QueryTraceEvent, ...]:
    """What the engines did, in their order."""
    return tuple(event for response in responses for event in response.trace)
