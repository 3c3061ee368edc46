"""What a profile or a label file lacks, each with the name under which its repair or loss is reported."""

from typing import Final

from heams.benchmarks.skip import SkipReason

TRUTH_VALUE: Final = "truth_value"
SEVERAL_VALUES: Final = "several_values"
NO_VALUE: Final = "no_value"
REPEATED_PERSON: Final = "repeated_person"
REPEATED_STATEMENT: Final = "repeated_statement"
REPEATED_TASK: Final = "repeated_task"
REPEATED_CONTEXT: Final = "repeated_context"
IDENTITY_ATTRIBUTE: Final = "identity_attribute"
SUBSTRING_FILTER: Final = "substring_filter"
UNLABELLED_CONTEXT: Final = "unlabelled_context"
UNCOMBINED_LABELS: Final = "uncombined_labels"
NO_SHARE: Final = "no_share_attribute"
NO_PRIVATE: Final = "no_private_attribute"
UNKNOWN_PERSON: Final = "label_of_unknown_person"
UNKNOWN_CONTEXT: Final = "label_of_unknown_context"
UNKNOWN_ATTRIBUTE: Final = "label_of_unknown_attribute"
OTHER_STATEMENT: Final = "label_of_other_statement"
UNREADABLE_CONTEXT: Final = "label_without_context"
CONFLICT: Final = "conflicting_labels"


def skipped(record_id: str, rule: str, detail: str) -> SkipReason:
    """A context that cannot be scored."""
    return SkipReason(record_id=record_id, rule=rule, detail=detail)


def repaired(record_id: str, rule: str, detail: str) -> SkipReason:
    """A defect that a named rule mends."""
    return SkipReason(record_id=record_id, rule=rule, detail=detail, kind="repaired")


def dropped(record_id: str, rule: str, detail: str) -> SkipReason:
    """A label, or an attribute, that does not count."""
    return SkipReason(record_id=record_id, rule=rule, detail=detail, kind="dropped_label")
