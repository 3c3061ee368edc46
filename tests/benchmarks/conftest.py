"""Invented data in the formats of the built-in benchmarks, and the settings that their configurations need."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Writer = Callable[[Any], Path]


@pytest.fixture
def locomo_record() -> dict[str, Any]:
    """One conversation of two sessions with a question of each category; free of defects."""
    return {
        "sample_id": "conv-90",
        "conversation": {
            "speaker_a": "Ada",
            "speaker_b": "Ben",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Ada", "dia_id": "D1:1", "text": "I adopted a grey cat yesterday."},
                {
                    "speaker": "Ben",
                    "dia_id": "D1:2",
                    "text": "Look at mine!",
                    "img_url": ["https://example.invalid/a.jpg"],
                    "blip_caption": "a photo of a black cat",
                },
            ],
            "session_2_date_time": "12:05 am on 2 June, 2023",
            "session_2": [
                {"speaker": "Ben", "dia_id": "D2:1", "text": "I bought a kayak and a canoe."},
                {"speaker": "Ada", "dia_id": "D2:2", "text": "And I sold my bicycle."},
            ],
        },
        "qa": [
            {"question": "What boats has Ben?", "answer": "kayak, canoe", "evidence": ["D2:1"], "category": 1},
            {"question": "When did Ada adopt a cat?", "answer": "7 May 2023", "evidence": ["D1:1"], "category": 2},
            {"question": "Is Ben sporty?", "answer": "Likely yes", "evidence": ["D2:1"], "category": 3},
            {"question": "What colour is Ada's cat?", "answer": "grey", "evidence": ["D1:1"], "category": 4},
            {
                "question": "What colour is Ada's dog?",
                "adversarial_answer": "grey",
                "evidence": ["D1:1"],
                "category": 5,
            },
        ],
        "event_summary": {},
    }


@pytest.fixture
def locomo_settings() -> dict[str, Any]:
    """What a ``locomo`` configuration needs besides its data file."""
    return {
        "prompts": {
            "question": "Please answer.\n{question}",
            "date_hint": "Use the dates.",
            "adversarial": "{question}\n(a) {a}\n(b) {b}",
            "abstention": "Not mentioned at all",
        },
        "evaluators": [{"type": "locomo_qa"}, {"type": "evidence_recall"}],
    }


@pytest.fixture
def write_json(tmp_path: Path) -> Writer:
    """Writes data as a JSON file."""

    def write(data: Any) -> Path:
        path = tmp_path / f"data-{len(list(tmp_path.iterdir()))}.json"
        path.write_text(json.dumps(data), encoding="utf-8")
        return path

    return write


@pytest.fixture
def write_lines(tmp_path: Path) -> Writer:
    """Writes rows as a JSON Lines file; text rows as they are."""

    def write(rows: Any) -> Path:
        path = tmp_path / f"data-{len(list(tmp_path.iterdir()))}.jsonl"
        lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return path

    return write


@pytest.fixture
def jsonl_settings() -> dict[str, Any]:
    """What a ``jsonl_qa`` configuration needs besides its data file."""
    return {
        "question_prompt": "Q: {question}",
        "evaluators": [{"type": "task_qa", "match_mode": "contains"}, {"type": "evidence_recall", "k": [5]}],
    }
