"""Runs whose agent calls a model, against a local server."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from model_server import LocalServer

PRICES = {"input": 1.0, "output": 4.0}


@pytest.fixture
def reader() -> dict[str, Any]:
    """An agent that reads what is recalled and answers with a model whose price is known."""
    return {
        "type": "context",
        "model": "openai:reader",
        "prices": PRICES,
        "policy": "Answer from the notes.",
        "prompt": "{now} Notes:\n{memories}\n\n{principal} asks: {question}",
        "memory_line": "{at} {speaker}: {text}",
        "no_memories": "(none)",
        "context_tokens": 2000,
    }


@pytest.fixture
def searcher() -> dict[str, Any]:
    """An agent that looks into the memory by a tool."""
    return {
        "type": "tool_use",
        "model": "openai:searcher",
        "prices": PRICES,
        "step_limit": 4,
        "policy": "Search the memory, then answer.",
        "answer_prompt": "{now} {principal} asks: {question}",
        "tools": {"search_memory": 'Search for "query".'},
    }


@pytest.fixture
def lines(tmp_path: Path) -> Callable[..., list[dict[str, Any]]]:
    """The lines of a file of experiment ``one``, whether attempts were repeated or not."""
    import json

    def read(name: str = "runs.jsonl", output: str = "out") -> list[dict[str, Any]]:
        file = tmp_path / output / "one" / name
        return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.is_file() else []

    return read


@pytest.fixture
def cost_of() -> "Callable[[LocalServer], float]":
    """What the replies that a server delivered whole cost at the reader's prices, in USD."""

    def cost(server: "LocalServer") -> float:
        whole = server.summary().whole
        return (whole.prompt * PRICES["input"] + whole.completion * PRICES["output"]) / 1_000_000

    return cost
