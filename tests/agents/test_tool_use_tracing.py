"""Spans of OpenTelemetry, where the configuration asks for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from model_server import LocalServer
from opentelemetry import trace

from heams.agents.tool_use import ToolUseAgentConfig


class Recording(trace.TracerProvider):
    """A tracer provider that remembers the names of spans."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def get_tracer(self, *_: Any, **__: Any) -> trace.Tracer:
        return _Tracer(self.names)


class _Tracer(trace.NoOpTracer):
    def __init__(self, names: list[str]) -> None:
        self._names = names

    def start_span(self, name: str, *_: Any, **__: Any) -> trace.Span:
        self._names.append(name)
        return trace.INVALID_SPAN

    @contextmanager
    def start_as_current_span(self, name: str, *_: Any, **__: Any) -> Iterator[trace.Span]:
        self._names.append(name)
        yield trace.INVALID_SPAN


@pytest.mark.parametrize("tracing", [True, False])
def test_spans(
    stage: Callable[..., Any],
    openai_server: Callable[..., LocalServer],
    monkeypatch: pytest.MonkeyPatch,
    tracing: bool,
) -> None:
    provider = Recording()
    monkeypatch.setattr(trace, "get_tracer_provider", lambda: provider)
    monkeypatch.setattr("pydantic_ai.models.instrumented.get_tracer_provider", lambda: provider)
    openai_server(brain="auto")
    config = ToolUseAgentConfig(
        model="openai:gpt-4o-mini",
        policy="Answer.",
        answer_prompt="{now} {principal} {question}",
        tools={"search_memory": "Search."},
        tracing=tracing,
    )
    stage(config).play(lambda on: on.ask("Which kettle?"))
    kinds = {name.split()[0] for name in provider.names}
    assert kinds == ({"invoke_agent", "chat", "execute_tool"} if tracing else set())
