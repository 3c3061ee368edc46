"""Where the rows of a file begin: enough to check the whole file once, and to read single rows when they are needed."""

from array import array
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple, NoReturn

from heams.benchmarks.jsonl_qa.rows import HistoryRow, QuestionRow, parse_row
from heta_framework.common.data_files.errors import DatasetFormatError
from heta_framework.common.text.fingerprints import FingerprintSet


class _Place(NamedTuple):
    offset: int
    line: int


class LineIndex:
    """The questions and histories of a file, of which only the ids and places are kept.

    Questions are counted in the order of the file, except that those about one history stand together. ``limit`` takes
    the first questions of the file; rows are checked all the same.

    Raises:
        DatasetFormatError: a row is not in the format, an id occurs twice, or a history or turn does not exist.
    """

    def __init__(self, path: Path, limit: int | None = None) -> None:
        self._path = path
        self._offsets, self._lines, self._groups = array("Q"), array("Q"), array("Q")
        self._ids, self._id_ends = bytearray(), array("Q", [0])
        self._labelled = bytearray()  # whether a question has evidence
        self._histories: dict[str, _Place] = {}
        self._scan()
        self._order = array("Q", sorted(range(len(self._offsets))[:limit], key=self._groups.__getitem__))
        self._check_evidence()

    def __len__(self) -> int:
        return len(self._order)

    def question(self, position: int) -> QuestionRow:
        """One question."""
        number = self._order[position]
        row = self._read(_Place(self._offsets[number], self._lines[number]))
        if not isinstance(row, QuestionRow):
            self._refuse_change()
        return row

    def question_id(self, position: int) -> str:
        """The id of one question, without reading its row."""
        number = self._order[position]
        return self._ids[self._id_ends[number] : self._id_ends[number + 1]].decode()

    def history(self, history_id: str) -> HistoryRow:
        """One history."""
        row = self._read(self._histories[history_id])
        if not isinstance(row, HistoryRow):
            self._refuse_change()
        return row

    def _read(self, place: _Place) -> HistoryRow | QuestionRow:
        with self._path.open("rb") as file:
            file.seek(place.offset)
            return parse_row(file.readline(), self._path, place.line)

    def _scan(self) -> None:
        seen = FingerprintSet()
        groups: dict[str | None, int] = {}
        mentions: dict[str, int] = {}
        for place, row in self._rows():
            if isinstance(row, HistoryRow):
                self._add_history(row, place)
                continue
            if not seen.add(row.id):
                self._refuse_repeated_question(row.id, place)
            if row.history is not None:
                mentions.setdefault(row.history, place.line)
            self._ids += row.id.encode()
            self._id_ends.append(len(self._ids))
            self._offsets.append(place.offset)
            self._lines.append(place.line)
            self._groups.append(groups.setdefault(row.history, len(groups)))
            self._labelled.append(bool(row.evidence))
        if not self._offsets:
            raise DatasetFormatError(self._path, "", "found no question; expected at least one line with a question")
        for history_id, line in mentions.items():
            if history_id not in self._histories:
                self._refuse_name(line, "history", "history", history_id, self._histories)

    def _rows(self) -> Iterator[tuple[_Place, HistoryRow | QuestionRow]]:
        try:
            with self._path.open("rb") as file:
                offset = 0
                for number, line in enumerate(file, start=1):
                    if line.strip():
                        yield _Place(offset, number), parse_row(line, self._path, number)
                    offset += len(line)
        except OSError as cause:
            raise DatasetFormatError(self._path, "", f"the file cannot be read: {cause.strerror or cause}") from cause

    def _add_history(self, row: HistoryRow, place: _Place) -> None:
        earlier = self._histories.get(row.id)
        if earlier is not None:
            file = f"{self._path}:{place.line}"
            message = f"found the history {row.id!r} again (first in line {earlier.line}); expected unique ids"
            raise DatasetFormatError(file, "history, id", message)
        self._histories[row.id] = place

    def _check_evidence(self) -> None:
        labelled = (position for position, number in enumerate(self._order) if self._labelled[number])
        rows = ((self._lines[self._order[position]], self.question(position)) for position in labelled)
        for history_id, group in groupby(rows, key=lambda entry: entry[1].history or ""):
            turns = frozenset(turn.id for turn in self.history(history_id).turns)
            for line, row in group:
                for turn_id in row.evidence:
                    if turn_id not in turns:
                        self._refuse_name(line, "evidence", f"turn of history {history_id!r}", turn_id, turns)

    def _refuse_repeated_question(self, question_id: str, place: _Place) -> None:
        for earlier, row in self._rows():
            if earlier.line < place.line and isinstance(row, QuestionRow) and row.id == question_id:
                message = (
                    f"found the question id {question_id!r} again (first in line {earlier.line}); expected unique ids"
                )
                raise DatasetFormatError(f"{self._path}:{place.line}", "id", message)

    def _refuse_name(self, line: int, field: str, kind: str, name: str, known: Iterable[str]) -> NoReturn:
        from heta_framework.common.config import nearest

        near = nearest(name, known)
        hint = f"did you mean {near!r}?" if near else f"there is: {', '.join(sorted(known)[:20]) or 'none'}"
        raise DatasetFormatError(f"{self._path}:{line}", field, f"found {name!r}, which is no {kind}; {hint}")

    def _refuse_change(self) -> NoReturn:
        raise DatasetFormatError(self._path, "", "the file was changed while it was in use; start again")
