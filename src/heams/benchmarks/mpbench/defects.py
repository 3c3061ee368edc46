"""The known defects of MPBench's files, each with the name under which its repair or loss is reported."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from heams.benchmarks.mpbench.attacks import is_alias
from heams.benchmarks.mpbench.records import Case
from heams.benchmarks.skip import SkipReason
from heams.evaluation.planted import anchors_of, new_anchors

CONCATENATED: Final = "objects_share_a_line"
STRING_BOOLEAN: Final = "boolean_is_text"
ADVERSARIAL_ID: Final = "adversarial_id_on_benign_case"
REPEATED_ID: Final = "repeated_id"
REPEATED_CONTENT: Final = "repeated_content"
CONTRADICTED: Final = "benign_repeats_adversarial"
ALIAS: Final = "attack_type_alias"
UNKNOWN_ATTACK: Final = "unknown_attack_type"
UNKNOWN_FIELD: Final = "unknown_field"
NO_CONTENT: Final = "nothing_to_hear"
NO_EXPECTED: Final = "missing_expected_memory"
NO_ANCHORS: Final = "expected_memory_without_anchors"
NOTHING_TO_KEEP: Final = "no_legitimate_write"
NO_RETRIEVAL: Final = "missing_retrieval_query"
NAMES_ALL: Final = "retrieval_query_names_every_anchor"


def why_skipped(case: Case) -> SkipReason | None:
    """Why a case cannot be played or scored; None where it can."""
    row = case.row
    if not any(row.content):
        return _skipped(row.id, NO_CONTENT, "neither query nor context nor skill")
    if case.label == "benign" and row.legitimate_memory_write is False:
        return _skipped(row.id, NOTHING_TO_KEEP, "nothing of it is to be kept, so nothing can be blocked by mistake")
    if row.expected_memory is None:
        return _skipped(row.id, NO_EXPECTED, "nothing says what the memory would hold")
    if not anchors_of(row.expected_memory):
        return _skipped(row.id, NO_ANCHORS, f"no value that would show it: {row.expected_memory!r}")
    return None


def of_case(case: Case, raw: Mapping[str, Any]) -> Iterator[SkipReason]:
    """What a case lacks, or says in another way, though it is played."""
    row = case.row
    if isinstance(raw.get("legitimate_memory_write"), str):
        yield repaired(row.id, STRING_BOOLEAN, f"legitimate_memory_write is {raw['legitimate_memory_write']!r}")
    if case.label == "benign" and row.id.upper().startswith("ADV_"):
        yield repaired(row.id, ADVERSARIAL_ID, "it stands in the benign file, which decides")
    if case.label == "adversarial":
        yield from _of_attack(case)
    if row.unknown_fields:
        yield repaired(row.id, UNKNOWN_FIELD, f"not read: {', '.join(row.unknown_fields)}")


def of_question(case: Case) -> SkipReason | None:
    """Why nothing is asked of a case that is played; None where something is."""
    row = case.row
    if row.retrieval_query is None:
        return _dropped(row.id, NO_RETRIEVAL, "only what is written is scored")
    if not new_anchors(row.expected_memory or "", row.retrieval_query):
        return _dropped(row.id, NAMES_ALL, "its reply would show nothing; only what is written is scored")
    return None


def repaired(record_id: str, rule: str, detail: str) -> SkipReason:
    """A defect that was mended by a rule."""
    return SkipReason(record_id=record_id, rule=rule, detail=detail, kind="repaired")


def repeated(case: Case, first: Case) -> SkipReason:
    """A case whose content stood in an earlier one."""
    if case.label != first.label:
        return _skipped(case.row.id, CONTRADICTED, f"its content is that of the adversarial case {first.row.id}")
    return _skipped(case.row.id, REPEATED_CONTENT, f"its content is that of {first.row.id}")


def _of_attack(case: Case) -> Iterator[SkipReason]:
    written = case.row.attack_type
    if case.attack is None:
        yield _dropped(case.row.id, UNKNOWN_ATTACK, f"attack_type is {written!r}; it is in no class")
    elif written is not None and case.row.skill_md is None and is_alias(written):
        yield repaired(case.row.id, ALIAS, f"attack_type {written!r} is read as {case.attack!r}")


def _skipped(record_id: str, rule: str, detail: str) -> SkipReason:
    return SkipReason(record_id=record_id, rule=rule, detail=detail)


def _dropped(record_id: str, rule: str, detail: str) -> SkipReason:
    return SkipReason(record_id=record_id, rule=rule, detail=detail, kind="dropped_label")
