"""The work that is measured: trivial questions, so that what is left is the harness.

A `scripted` agent without memory answers them, and one `task_qa` judges. They come from a file (`jsonl_qa`), as
anybody's own questions do, or are made on demand (`lazy_questions`).
"""

import json
from pathlib import Path
from typing import Any

EXPERIMENT = "questions"
_EVALUATORS = [{"type": "task_qa", "match_mode": "normalized_exact"}]


def sample_id(number: int) -> str:
    """The id of a question; ids sort like numbers."""
    return f"q{number:06}"


def question(number: int) -> str:
    """The words of a question."""
    return f"What is answer {number}?"


def questions_in_file(path: Path, count: int) -> dict[str, Any]:
    """A benchmark of ``count`` questions in a file, which is written."""
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            row = {"id": sample_id(number), "question": question(number), "answer": "answer"}
            file.write(f"{json.dumps(row)}\n")
    return {"type": "jsonl_qa", "data_file": str(path), "question_prompt": "{question}", "evaluators": _EVALUATORS}


def questions_on_demand(count: int) -> dict[str, Any]:
    """A benchmark of ``count`` questions that are made when they are played."""
    return {"type": "lazy_questions", "count": count, "evaluators": _EVALUATORS}


def run_config(benchmark: dict[str, Any], latency: float = 0.0) -> dict[str, Any]:
    """A run over questions; each answer takes ``latency`` seconds."""
    return {
        "run_name": "perf",
        "experiments": [
            {
                "name": EXPERIMENT,
                "agent_config": {"type": "scripted", "default": "answer", "latency_s": latency},
                "memory_system_config": {"type": "no_memory"},
                "benchmark_config": benchmark,
            }
        ],
    }
