"""One chat of ``beam`` with the labels and the hints of its questions, and the generator's marks, changed."""

import json
from pathlib import Path
from typing import Any

_MESSAGES = ("The fence is green. ->-> 1,1", "A fine colour.", "It was built in May.", "Early, then.")
_QUESTIONS: dict[str, dict[str, Any]] = {
    "abstention": {"ideal_response": "No information.", "why_unanswerable": "It is not told."},
    "event_ordering": {"answer": "green, May", "ordering_tested": ["green"], "source_chat_ids": [0, 2]},
    "knowledge_update": {"answer": "green", "potential_confusion": "red", "source_chat_ids": {"updated_info": [0]}},
}


def settings(other: bool, folder: Path) -> dict[str, Any]:
    """A configuration whose questions want this, or that."""
    chat = folder / "100K" / "1"
    chat.mkdir(parents=True)
    turns = [
        [_message(place, "user", other), _message(place + 1, "assistant", other)]
        for place in range(0, len(_MESSAGES), 2)
    ]
    (chat / "chat.json").write_text(json.dumps([{"batch_number": 1, "time_anchor": "May-01-2024", "turns": turns}]))
    (chat / "probing_questions.json").write_text(
        json.dumps({ability: [_question(ability, labels, other)] for ability, labels in _QUESTIONS.items()})
    )
    return {
        "data_dir": folder,
        "size": "100K",
        "question_prompt": "Answer: {question}",
        "evaluators": [{"type": "nugget"}],
    }


def _message(place: int, role: str, other: bool) -> dict[str, Any]:
    text = _MESSAGES[place].replace("->-> 1,1", "->-> 7,ZEBRA") if other else _MESSAGES[place]
    hints = (
        {"index": "7,ZEBRA", "question_type": "ZEBRA"} if other else {"index": "1,1", "question_type": "main_question"}
    )
    return {"role": role, "id": place, "content": text, **hints}


def _question(ability: str, labels: dict[str, Any], other: bool) -> dict[str, Any]:
    changed = {name: "ZEBRA" for name in labels if name != "source_chat_ids"}
    if other:
        return {"question": "Which?", "rubric": ["ZEBRA"], "difficulty": "ZEBRA", "source_chat_ids": [2], **changed}
    return {"question": "Which?", "rubric": ["green"], "difficulty": "easy", **labels}
