"""The cases of a saved run as a sequence that reads each case when it is looked at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, overload

import anyio.to_thread

from heta_framework.common.stores.object.protocol import ObjectStoreProtocol
from heta_framework.evaluation.errors import ReportFileError
from heta_framework.evaluation.records.case_reading import result_of
from heta_framework.evaluation.records.entry_file import EntryFile
from heta_framework.evaluation.records.line_file import LineFile
from heta_framework.evaluation.records.line_head import CaseIndex, CaseKey, CaseLine, read_index
from heta_framework.evaluation.records.record_folder import RecordFolder, open_folder
from heta_framework.evaluation.records.strict_json import decode
from heta_framework.evaluation.types.case_result import EvaluationCaseResult

_BUFFER = 1 << 16


class SavedCases(Sequence[EvaluationCaseResult]):
    """The results in the order asked: case after case, the modes of a case together.

    Holds where each case is and what was read lately, never all cases. Made by `open`, or by `CaseLog.finish`. A slice
    reads lazily too; equal to another sequence when the results are.
    """

    def __init__(self, source: CaseSource, lines: Sequence[tuple[CaseKey, CaseLine]]) -> None:
        self._source = source
        self._lines = lines
        self._places: dict[CaseKey, int] | None = None

    @classmethod
    async def open(cls, objects: ObjectStoreProtocol, folder: str) -> SavedCases:
        """The cases under the key ``folder``, whether their run has ended or not; empty where there are none.

        From a store that is not local the files are fetched into a temporary folder.
        """
        return await anyio.to_thread.run_sync(cls.in_folder, await open_folder(objects, folder))

    @classmethod
    def in_folder(cls, folder: RecordFolder, index: CaseIndex | None = None) -> SavedCases:
        """The cases in a folder of this machine. Blocks."""
        found = read_index(folder.cases) if index is None else index
        return cls(CaseSource(folder), found.in_order())

    def __len__(self) -> int:
        return len(self._lines)

    @overload
    def __getitem__(self, place: int) -> EvaluationCaseResult: ...
    @overload
    def __getitem__(self, place: slice) -> SavedCases: ...
    def __getitem__(self, place: int | slice) -> EvaluationCaseResult | SavedCases:
        if isinstance(place, slice):
            return SavedCases(self._source, self._lines[place])
        return self._source.result(self._lines[place][1])

    def __iter__(self) -> Iterator[EvaluationCaseResult]:
        return (self._source.result(line) for _, line in self._lines)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or isinstance(other, str | bytes):
            return NotImplemented
        return len(self) == len(other) and all(one == two for one, two in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<SavedCases: {len(self):,} in {self._source.place}>"

    def keys(self) -> list[CaseKey]:
        """(case_id, query_mode) of each, in order, without reading any."""
        return [key for key, _ in self._lines]

    def find(self, case_id: str, query_mode: str) -> EvaluationCaseResult | None:
        """The result of a case in a mode; None where there is none."""
        if self._places is None:
            self._places = {key: place for place, (key, _) in enumerate(self._lines)}
        place = self._places.get((case_id, query_mode))
        return None if place is None else self[place]

    def rows(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """The unit and the decoded line of each case, texts not filled in: quicker, where only scores are wanted."""
        return ((line.unit, self._source.row(line)) for _, line in self._lines)


class CaseSource:
    """The files that cases are read from."""

    def __init__(self, folder: RecordFolder) -> None:
        self._folder = folder  # keeps a temporary folder
        self.place = folder.cases
        self._cases = LineFile(folder.cases, buffering=_BUFFER) if folder.cases.is_file() else None
        self._entries = EntryFile(folder.texts)

    def row(self, line: CaseLine) -> dict[str, Any]:
        """The decoded line.

        Raises:
            ReportFileError: it is damaged.
        """
        assert self._cases is not None  # noqa: S101 - there is a line, so there is a file
        try:
            row: dict[str, Any] = decode(self._cases.line_at(line.offset))
        except ValueError as cause:
            raise self._damaged(line, cause) from None
        return row

    def result(self, line: CaseLine) -> EvaluationCaseResult:
        """The result, its texts filled in.

        Raises:
            ReportFileError: it, or something that it refers to, is damaged or missing.
        """
        row = self.row(line)
        try:
            return result_of(row, self._entries)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as cause:
            raise self._damaged(line, cause) from None

    def _damaged(self, line: CaseLine, cause: Exception) -> ReportFileError:
        return ReportFileError(
            f"{self.place}: the line at byte {line.offset:,} is no case ({type(cause).__name__}: {cause})"
        )
