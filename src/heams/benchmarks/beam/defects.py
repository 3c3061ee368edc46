"""The known defects of BEAM data, each with the name under which its repair or loss is reported."""

from heams.benchmarks.skip import SkipReason

MISSING_CHAT = "missing_chat"
MISSING_QUESTIONS = "missing_questions"
EMPTY_RUBRIC = "empty_rubric"
BLANK_ITEM = "blank_rubric_item"
MISSING_GOLD = "missing_gold"
GOLD_AGAINST_RUBRIC = "gold_against_rubric"
MISSING_EVIDENCE = "missing_evidence"
UNREADABLE_EVIDENCE = "unreadable_evidence"
UNRESOLVED_EVIDENCE = "unresolved_evidence"
AMBIGUOUS_EVIDENCE = "ambiguous_evidence"
NESTED_EVIDENCE = "nested_evidence"
REPEATED_EVIDENCE = "repeated_evidence"
EVENT_COUNT_MISMATCH = "event_count_mismatch"
UNREADABLE_TIME_ANCHOR = "unreadable_time_anchor"
MESSAGE_WITHOUT_ID = "message_without_id"

_SKIPPED = frozenset({MISSING_CHAT, MISSING_QUESTIONS, EMPTY_RUBRIC})
_REPAIRED = frozenset({BLANK_ITEM, NESTED_EVIDENCE, REPEATED_EVIDENCE, EVENT_COUNT_MISMATCH, MESSAGE_WITHOUT_ID})
LOST_EVIDENCE = frozenset({MISSING_EVIDENCE, UNREADABLE_EVIDENCE, UNRESOLVED_EVIDENCE, AMBIGUOUS_EVIDENCE})


def note(record_id: str, rule: str, detail: str) -> SkipReason:
    """A defect of one record: it is left out, repaired, or loses a label, by the rule's name."""
    if rule in _SKIPPED:
        return SkipReason(record_id=record_id, rule=rule, detail=detail, kind="skipped")
    kind = "repaired" if rule in _REPAIRED else "dropped_label"
    return SkipReason.model_validate({"record_id": record_id, "rule": rule, "detail": detail, "kind": kind})
