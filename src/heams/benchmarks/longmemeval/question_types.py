"""The six types of LongMemEval's questions, and how one that cannot be answered is told: by its id alone."""

from collections.abc import Mapping
from typing import Final, Literal, get_args

QuestionType = Literal[
    "single-session-user",
    "single-session-assistant",
    "single-session-preference",
    "multi-session",
    "knowledge-update",
    "temporal-reasoning",
]
QUESTION_TYPES: Final[tuple[QuestionType, ...]] = get_args(QuestionType)
PREFERENCE: Final = "single-session-preference"
ABSTENTION_SUFFIX: Final = "_abs"
TITLES: Mapping[str, str] = {
    "single-session-user": "Single session, user",
    "single-session-assistant": "Single session, assistant",
    "single-session-preference": "Single session, preference",
    "multi-session": "Multi-session",
    "knowledge-update": "Knowledge update",
    "temporal-reasoning": "Temporal reasoning",
    "abstention": "Abstention",
}


def is_unanswerable(question_id: str) -> bool:
    """Whether a question cannot be answered; its type is that of the question it was made from."""
    return question_id.endswith(ABSTENTION_SUFFIX)
