"""From rows to questions that can be scored; whatever is repaired or left out is named by a rule of ``DEFECTS``."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from itertools import pairwise
from typing import TypeVar

from heams.benchmarks.memoryagentbench import defects
from heams.benchmarks.memoryagentbench.competencies import Competency
from heams.benchmarks.memoryagentbench.records import NumberedRow, Question, RowFile
from heams.benchmarks.skip import SkipReason
from heams.evaluation.memoryagentbench_movies import Films, liked_titles
from heams.evaluation.memoryagentbench_sources import family_of

Label = TypeVar("Label")
_SERIAL = re.compile(r"^\s*(\d+)[.:)]\s", re.MULTILINE)
_DATE = "%Y/%m/%d (%a) %H:%M"


class RowReader:
    """Questions of one file, row by row; defects of what was read so far are appended to ``notes``."""

    def __init__(self, competency: Competency, file: RowFile, films: Films | None, notes: list[SkipReason]) -> None:
        self._competency = competency
        self._file = file
        self._films = films
        self.notes: list[SkipReason] = notes
        self._first: dict[bytes, str] = {}  # the first row of each content

    def questions(self, sources: Sequence[str] | None, most: int | None) -> Iterator[Question]:
        """The questions of the rows of these sources, the first ``most`` of each.

        Raises:
            DatasetFormatError: the file or a row is not in the format.
        """
        none = True
        for entry in self._file.rows():
            none = False
            source = entry.row.metadata.source
            if (sources is None or source in sources) and self._is_usable(entry):
                yield from self._of_row(entry, most)
        if none:
            self._note(self._competency, defects.NO_ROWS)

    def _is_usable(self, entry: NumberedRow) -> bool:
        row, family = entry.row, family_of(entry.row.metadata.source)
        name = row_name(self._competency, entry.number)
        if not entry.has_context:
            self._note(name, defects.EMPTY_CONTEXT)
        elif len(row.answers) != len(row.questions):
            self._note(name, defects.ANSWERS_DO_NOT_LINE_UP, f"{len(row.questions)} and {len(row.answers)}")
        elif family == "recsys" and self._films is None:
            self._note(name, defects.NO_ENTITY_FILE)
        elif (earlier := self._first.setdefault(_content_of(entry), name)) != name:
            self._note(name, defects.REPEATED_ROW, earlier)
        else:
            self._look_at_row(entry, name, family)
            return True
        return False

    def _look_at_row(self, entry: NumberedRow, name: str, family: str) -> None:
        if family == "other":
            self._note(name, defects.UNKNOWN_SOURCE, entry.row.metadata.source)
        if family == "infbench_sum" and not entry.row.metadata.keypoints:
            self._note(name, defects.NO_KEYPOINTS)
        if family == "factconsolidation":
            serials = [int(serial) for serial in _SERIAL.findall(self._file.context(entry.number))]
            if any(later <= earlier for earlier, later in pairwise(serials)):
                self._note(name, defects.SERIALS_OUT_OF_ORDER)

    def _of_row(self, entry: NumberedRow, most: int | None) -> Iterator[Question]:
        row, metadata, name = entry.row, entry.row.metadata, row_name(self._competency, entry.number)
        films = self._films if family_of(metadata.source) == "recsys" else None
        ids = self._aligned(metadata.qa_pair_ids, entry, name, "qa_pair_ids")
        types = self._aligned(metadata.question_types, entry, name, "question_types")
        dates = self._aligned(metadata.question_dates, entry, name, "question_dates")
        outdated = self._aligned(metadata.outdated_answers, entry, name, "outdated_answers")
        for place, (text, answer) in enumerate(list(zip(row.questions, row.answers, strict=True))[:most]):
            question = Question(
                id=f"{name}/q{place + 1}",
                competency=self._competency,
                source=metadata.source,
                row=entry.number,
                text=text.strip(),
                golds=(answer,) if isinstance(answer, str) else answer,
                keypoints=tuple(filter(str.strip, metadata.keypoints or ())),
                outdated=outdated[place] or (),
                abstention="_abs" in (ids[place] or ""),
                published_id=ids[place],
                question_type=types[place],
            )
            dated = self._dated(question, dates[place])
            known = self._with_titles(dated, films) if films else self._without_blanks(dated)
            if self._can_be_scored(known):
                yield known

    def _aligned(
        self, labels: Sequence[Label] | None, entry: NumberedRow, name: str, field: str
    ) -> Sequence[Label | None]:
        """A label for each question; none where there are none, or not as many."""
        wanted = len(entry.row.questions)
        if labels and len(labels) != wanted:
            self._note(name, defects.LABELS_DO_NOT_LINE_UP, field)
        return labels if labels and len(labels) == wanted else [None] * wanted

    def _dated(self, question: Question, date: str | None) -> Question:
        if not date or not date.strip():
            return question
        try:
            return replace(question, at=datetime.strptime(date.strip(), _DATE).replace(tzinfo=UTC))
        except ValueError:
            self._note(question.id, defects.UNREADABLE_DATE, date)
            return question

    def _with_titles(self, question: Question, films: Films) -> Question:
        known = [number for number in question.golds if liked_titles([number], films)]
        if len(known) < len(question.golds):
            lost = [number for number in question.golds if number not in known]
            self._note(question.id, defects.UNKNOWN_FILM, ", ".join(lost))
        return replace(question, golds=tuple(liked_titles(known, films)), film_numbers=tuple(known))

    def _without_blanks(self, question: Question) -> Question:
        kept = tuple(gold for gold in question.golds if gold.strip())
        if kept and len(kept) < len(question.golds):
            self._note(question.id, defects.BLANK_ALTERNATIVE)
        return replace(question, golds=kept)

    def _can_be_scored(self, question: Question) -> bool:
        if not question.text:
            self._note(question.id, defects.BLANK_QUESTION)
        elif not question.golds:
            self._note(question.id, defects.NO_ANSWER)
        return bool(question.text and question.golds)

    def _note(self, record_id: str, rule: str, detail: str = "") -> None:
        self.notes.append(defects.note(record_id, rule, detail))


def _content_of(entry: NumberedRow) -> bytes:
    content = f"{entry.digest}{entry.row.metadata.source}{entry.row.questions!r}{entry.row.answers!r}"
    return sha256(content.encode("utf-8", errors="surrogatepass")).digest()


def row_name(competency: str, number: int) -> str:
    """The name of a row in samples and notes: ``Conflict_Resolution-1`` is the first."""
    return f"{competency}-{number + 1}"
