"""The questions of PersonaMem: a CSV table, of which each row is checked; what is wrong with one is named by a rule."""

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NoReturn

from heams.benchmarks.personamem.options import ALIKE, RELABELLED, UNLABELLED, ReadOptions, read_options
from heams.benchmarks.skip import SkipReason
from heta_framework.common.data_files import DatasetFormatError

COLUMNS: Final = (
    "question_id",
    "question_type",
    "user_question_or_message",
    "correct_answer",
    "all_options",
    "shared_context_id",
    "end_index_in_shared_context",
)
"""The columns that are read; ``topic`` is if it is there, and others are left alone."""
NO_ANSWER: Final = "answer_is_no_option"
DEFECTS: Final[Mapping[str, str]] = {
    NO_ANSWER: "correct_answer names none of the options, or not one alone; the question is left out",
    UNLABELLED: "not every option has a letter in front; they are lettered in their order",
    RELABELLED: "the letters of the options are not a, b, c, ... in order; they are lettered anew",
    ALIKE: "two options have the same text; where the right one is among them, either is right",
}


@dataclass(frozen=True, slots=True)
class Question:
    """A question, which hears the first ``end`` messages of its context. ``place`` is its file and line."""

    id: str
    kind: str
    topic: str
    text: str
    options: ReadOptions
    right: int
    context_id: str
    end: int
    place: str

    @property
    def history_id(self) -> str:
        """Questions with the same are asked after the same history."""
        return f"{self.context_id}@{self.end}"


def read_questions(path: Path, notes: list[SkipReason]) -> Iterator[Question]:
    """The usable questions in the order of the file; what was repaired or left out is added to ``notes``.

    Raises:
        DatasetFormatError: the file cannot be read, lacks a column, or a row is not in the format.
    """
    places: dict[str, str] = {}
    for place, row in _rows(path):
        question_id = row["question_id"]
        if question_id in places:
            message = f"found the id {question_id!r} again; it stands in {places[question_id]} too"
            raise DatasetFormatError(place, "question_id", message)
        places[question_id] = place
        question = _question(place, row, notes)
        if question is not None:
            yield question


def _question(place: str, row: Mapping[str, str], notes: list[SkipReason]) -> Question | None:
    try:
        options = read_options(row["all_options"])
    except ValueError as cause:
        raise DatasetFormatError(place, "all_options", str(cause)) from cause
    question_id = row["question_id"]
    notes.extend(_note(question_id, rule, "repaired") for rule in options.defects)
    right = options.place_of(row["correct_answer"])
    if right is None:
        notes.append(_note(question_id, NO_ANSWER, "skipped"))
        return None
    return Question(
        id=question_id,
        kind=row["question_type"],
        topic=row.get("topic") or "",
        text=row["user_question_or_message"],
        options=options,
        right=right,
        context_id=row["shared_context_id"],
        end=_end(place, row["end_index_in_shared_context"]),
        place=place,
    )


def _rows(path: Path) -> Iterator[tuple[str, dict[str, str]]]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file, strict=True)
            _check_columns(path, reader.fieldnames or ())
            for row in reader:
                place = f"{path}:{reader.line_num}"
                yield place, _checked(place, row)
    except OSError as cause:
        raise DatasetFormatError(path, "", f"the file cannot be read: {cause.strerror or cause}") from cause
    except UnicodeDecodeError as cause:
        raise DatasetFormatError(path, "", f"byte {cause.start + 1} is not UTF-8; expected CSV in UTF-8") from cause
    except csv.Error as cause:
        raise DatasetFormatError(path, "", f"not valid CSV: {cause}") from cause


def _checked(place: str, row: Mapping[str | None, str | list[str] | None]) -> dict[str, str]:
    if None in row:
        raise DatasetFormatError(place, "", "found more cells than columns; expected as many")
    cells = {column: cell for column, cell in row.items() if column is not None and isinstance(cell, str)}
    for column in COLUMNS:
        if not cells.get(column, "").strip():
            raise DatasetFormatError(place, column, "found nothing; expected a text")
    return cells


def _check_columns(path: Path, found: Sequence[str]) -> None:
    for column in COLUMNS:
        if column not in found:
            _refuse_columns(path, column, found)


def _refuse_columns(path: Path, missing: str, there: Sequence[str]) -> NoReturn:
    from heta_framework.common.config import nearest

    near = nearest(missing, there)
    hint = f"did you mean {near!r}?" if near else f"there is: {', '.join(there) or 'none'}"
    raise DatasetFormatError(f"{path}:1", "", f"found no column {missing!r}; {hint}")


def _end(place: str, cell: str) -> int:
    if not cell.strip().isascii() or not cell.strip().isdigit() or len(cell.strip()) > 9:
        message = f"found {cell[:40]!r}; expected how many messages come before the question, such as 42"
        raise DatasetFormatError(place, "end_index_in_shared_context", message)
    return int(cell)


def _note(question_id: str, rule: str, kind: str) -> SkipReason:
    return SkipReason.model_validate({"record_id": question_id, "rule": rule, "detail": DEFECTS[rule], "kind": kind})
