"""The known defects of LoCoMo data, each with the name under which its repair or loss is reported."""

from typing import Literal

from heams.benchmarks.skip import SkipReason

MALFORMED_EVIDENCE = "malformed_evidence"
ZERO_PADDED_EVIDENCE = "zero_padded_evidence"
REPEATED_EVIDENCE = "repeated_evidence"
UNREADABLE_EVIDENCE = "unreadable_evidence"
UNRESOLVED_EVIDENCE = "unresolved_evidence"
EMPTY_EVIDENCE = "empty_evidence"
LOST_EVIDENCE = frozenset({UNREADABLE_EVIDENCE, UNRESOLVED_EVIDENCE, EMPTY_EVIDENCE})
DATE_WITHOUT_TURNS = "date_without_turns"
ANSWER_OF_ADVERSARIAL = "answer_of_adversarial"
MISSING_TRAP = "missing_adversarial_answer"
NUMBER_AS_ANSWER = "number_as_answer"
RATIONALE_IN_ANSWER = "rationale_in_answer"
AUDITED_ANSWER = "audited_answer"
AUDITED_EVIDENCE = "audited_evidence"
AUDIT_WITHOUT_EVIDENCE = "audit_without_evidence"
AUDIT_MISMATCH = "audit_mismatch"
AUDIT_OF_UNKNOWN_QUESTION = "audit_of_unknown_question"

_Kind = Literal["repaired", "dropped_label"]
_DROPPED = LOST_EVIDENCE | {MISSING_TRAP, AUDIT_WITHOUT_EVIDENCE, AUDIT_MISMATCH, AUDIT_OF_UNKNOWN_QUESTION}


def note(record_id: str, rule: str, detail: str) -> SkipReason:
    """A defect of one record. No rule of LoCoMo leaves a question out."""
    kind: _Kind = "dropped_label" if rule in _DROPPED else "repaired"
    return SkipReason(record_id=record_id, rule=rule, detail=detail, kind=kind)
