"""What models consume for a query: measured around each query engine, whatever becomes of the query."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from heta_framework.common.models.calls.scope import CallScope, call_scope
from heta_framework.common.models.usage import UsageByRole, add_usage, checked_usage
from heta_framework.evaluation.types import EvaluationCaseResult

if TYPE_CHECKING:
    from heta_framework.kb.search.context import QueryContext
    from heta_framework.kb.search.protocol import QueryEngineProtocol
    from heta_framework.kb.search.registry import QueryEngineRegistry
    from heta_framework.kb.search.types import QueryRequest, QueryResponse

USAGE = "usage"
"""Where a response and a score say what they consumed."""
_measured: ContextVar[bool] = ContextVar("heams_query_is_measured", default=False)


class QueryMeter:
    """Collects what queries consumed, those that failed and were repeated as well, until their result takes it."""

    def __init__(self) -> None:
        self._open: dict[tuple[str, str], list[CallScope]] = {}

    def engines(self) -> QueryEngineRegistry:
        """The built-in query engines, each measured."""
        from heta_framework.kb.search.engines import default_engines
        from heta_framework.kb.search.registry import QueryEngineRegistry

        return QueryEngineRegistry(_MeasuredEngine(engine, self) for engine in default_engines())

    def begin(self, mode: str, question: str) -> CallScope:
        """A scope for one query."""
        scope = CallScope()
        self._open.setdefault((mode, question), []).append(scope)
        return scope

    def so_far(self, mode: str, question: str) -> UsageByRole:
        """What all queries of this question consumed since a result was made of it."""
        return add_usage(scope.usage for scope in self._open.get((mode, question), ()))

    def take(self, found: EvaluationCaseResult) -> UsageByRole:
        """What a result consumed: its queries, and its scores. A result from an earlier process says so itself."""
        scopes = self._open.pop((found.query_mode, found.query), None)
        if scopes is not None:
            asked: UsageByRole = add_usage(scope.usage for scope in scopes)
        else:
            asked = checked_usage(found.response.metadata.get(USAGE)) if found.response is not None else {}
        return add_usage((asked, *(checked_usage(score.metadata.get(USAGE)) for score in found.scores)))


class _MeasuredEngine:
    """An engine whose queries are measured. An engine that asks others is measured as a whole."""

    def __init__(self, engine: QueryEngineProtocol, meter: QueryMeter) -> None:
        self._engine = engine
        self._meter = meter
        self.mode = engine.mode
        self.required_assets = engine.required_assets

    def __getattr__(self, name: str) -> Any:
        """What an engine may offer besides."""
        return getattr(self._engine, name)

    async def query(self, request: QueryRequest, context: QueryContext) -> QueryResponse:
        """The engine's answer; its metadata say what models consumed, where they were asked."""
        if _measured.get():
            return await self._engine.query(request, context)
        token = _measured.set(True)
        try:
            with call_scope(self._meter.begin(self.mode, request.text)):
                response = await self._engine.query(request, context)
        finally:
            _measured.reset(token)
        usage = self._meter.so_far(self.mode, request.text)
        return replace(response, metadata={**response.metadata, USAGE: _data(usage)}) if usage else response


def _data(usage: UsageByRole) -> dict[str, Any]:
    return {role: spent.model_dump(mode="json", exclude_defaults=True) for role, spent in usage.items()}
