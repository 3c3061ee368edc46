"""What is wrong in MemoryAgentBench data, each with the name under which its repair or loss is reported."""

from collections.abc import Mapping
from typing import Final

from heams.benchmarks.skip import SkipReason

EMPTY_CONTEXT: Final = "empty_context"
NO_ROWS: Final = "no_rows"
REPEATED_ROW: Final = "repeated_row"
ANSWERS_DO_NOT_LINE_UP: Final = "answers_do_not_line_up"
LABELS_DO_NOT_LINE_UP: Final = "labels_do_not_line_up"
BLANK_QUESTION: Final = "blank_question"
NO_ANSWER: Final = "no_answer"
BLANK_ALTERNATIVE: Final = "blank_alternative"
NO_ENTITY_FILE: Final = "no_entity_file"
UNKNOWN_FILM: Final = "unknown_film"
NO_KEYPOINTS: Final = "no_keypoints"
UNREADABLE_DATE: Final = "unreadable_date"
UNKNOWN_SOURCE: Final = "unknown_source"
SERIALS_OUT_OF_ORDER: Final = "serials_out_of_order"

DEFECTS: Final[Mapping[str, str]] = {
    EMPTY_CONTEXT: "the row has no context, so there is nothing to remember; it is left out",
    NO_ROWS: "the file holds no rows, so its competency is left out",
    REPEATED_ROW: "an earlier row has the same context, questions and answers; it is left out",
    ANSWERS_DO_NOT_LINE_UP: "the row has not as many answers as questions; it is left out",
    LABELS_DO_NOT_LINE_UP: "a list of the metadata has not as many entries as there are questions; it is not used",
    BLANK_QUESTION: "the question is blank; it is left out",
    NO_ANSWER: "the question has no answer, on which the official code fails; it is left out",
    BLANK_ALTERNATIVE: "an alternative is blank, and so would be found in every reply; it does not count",
    NO_ENTITY_FILE: "recommendations need 'entity_file' for the titles of their films; the row is left out",
    UNKNOWN_FILM: "the number of a film is not in the entity file; it does not count",
    NO_KEYPOINTS: "the summary has no key points, so its proxy cannot be computed",
    UNREADABLE_DATE: "the date of the question cannot be read; the question is asked without one",
    UNKNOWN_SOURCE: "no rule is known for the source; substring match counts",
    SERIALS_OUT_OF_ORDER: "the numbers of the facts do not rise; the number counts, not the place",
}
_SKIPPED = frozenset(
    {EMPTY_CONTEXT, NO_ROWS, REPEATED_ROW, ANSWERS_DO_NOT_LINE_UP, BLANK_QUESTION, NO_ANSWER, NO_ENTITY_FILE}
)
_LOST = frozenset({LABELS_DO_NOT_LINE_UP, NO_KEYPOINTS, UNREADABLE_DATE})


def note(record_id: str, rule: str, detail: str = "") -> SkipReason:
    """A defect of a row or question: it is left out, loses a label, or is repaired, by the rule's name."""
    kind = "skipped" if rule in _SKIPPED else "dropped_label" if rule in _LOST else "repaired"
    told = f"{DEFECTS[rule]} ({detail})" if detail else DEFECTS[rule]
    return SkipReason.model_validate({"record_id": record_id, "rule": rule, "detail": told, "kind": kind})
