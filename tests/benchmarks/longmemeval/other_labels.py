"""A question of ``longmemeval`` with its labels changed: answer, type, ids, and the marks of evidence in its turns."""

import json
from pathlib import Path
from typing import Any


def settings(other: bool, folder: Path) -> dict[str, Any]:
    """A configuration whose question has an answer, or has none."""
    told: list[dict[str, Any]] = [
        {"role": "user", "content": "My cat is grey."},
        {"role": "assistant", "content": "Nice."},
    ]
    greeting: dict[str, Any] = {"role": "user", "content": "Hello."}
    marked = greeting if other else told[0]
    marked["has_answer"] = True
    sessions = [told, [greeting]]
    question = {
        "question_id": "ZEBRA_abs" if other else "ab12",
        "question_type": "multi-session" if other else "single-session-user",
        "question": "What colour is my cat?",
        "answer": "ZEBRA" if other else "grey",
        "question_date": "2023/05/30 (Tue) 23:40",
        "haystack_session_ids": ["s_1", "answer_ZEBRA_1"] if other else ["answer_ab12_1", "s_2"],
        "haystack_dates": ["2023/05/20 (Sat) 02:21", "2023/05/22 (Mon) 10:00"],
        "haystack_sessions": sessions,
        "answer_session_ids": ["answer_ZEBRA_1"] if other else ["answer_ab12_1"],
    }
    path = folder / "questions.json"
    path.write_text(json.dumps([question]))
    evaluators = [{"type": "longmemeval"}, {"type": "evidence_recall"}, {"type": "session_recall"}]
    return {"data_file": path, "question_prompt": "{question}", "evaluators": evaluators}
