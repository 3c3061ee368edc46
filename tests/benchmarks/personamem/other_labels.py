"""One question of ``personamem`` with another right option, type and topic."""

import csv
import json
from pathlib import Path
from typing import Any

_COLUMNS = {
    "question_id": "q1",
    "user_question_or_message": "What shall I drink?",
    "all_options": "['(a) Drink black tea.', '(b) Drink cold milk.']",
    "shared_context_id": "c1",
    "end_index_in_shared_context": "2",
}
_FIRST = {"question_type": "suggest_new_ideas", "topic": "drinks", "correct_answer": "(a)"}
_OTHER = {"question_type": "ZEBRA", "topic": "ZEBRA", "correct_answer": "(b)"}
_MESSAGES = [{"role": "system", "content": "A session."}, {"role": "user", "content": "I only drink tea."}]


def settings(other: bool, folder: Path) -> dict[str, Any]:
    """A configuration whose question has these labels, or the others."""
    row = {**_COLUMNS, **(_OTHER if other else _FIRST)}
    with (folder / "questions.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, sorted(row))
        writer.writeheader()
        writer.writerow(row)
    (folder / "contexts.jsonl").write_text(json.dumps({"c1": _MESSAGES}) + "\n")
    return {
        "questions_file": folder / "questions.csv",
        "contexts_file": folder / "contexts.jsonl",
        "prompts": {"choice": "{question}\n{options}", "option": "({letter}) {text}"},
        "evaluators": [{"type": "multiple_choice"}],
    }
