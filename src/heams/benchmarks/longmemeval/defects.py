"""The named rules by which defects of LongMemEval's data are mended, or cost a question its label or its place."""

from typing import Final

UNSORTED_SESSIONS: Final = "unsorted_sessions"
UNREADABLE_DATE: Final = "unreadable_date"
MISSING_GOLD: Final = "missing_gold"
UNRESOLVED_EVIDENCE: Final = "unresolved_evidence"
NO_EVIDENCE_TURN: Final = "no_evidence_turn"
EMPTY_TURN: Final = "empty_turn"
EMPTY_SESSION: Final = "empty_session"
REPORTED_ERROR: Final = "reported_error"

REPORTED: Final = frozenset(("eac54add", "370a8ff4", "gpt4_88806d6e", "9aaed6a3", "gpt4_f420262d"))
"""Questions whose labels users report to be wrong, at github.com/xiaowu0162/LongMemEval/issues (37, 40 and 50)."""
