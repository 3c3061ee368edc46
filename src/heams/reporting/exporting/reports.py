"""The folder of an evaluation report: what its cases retrieved, mode by mode."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from heams.reporting.errors import ResultsError

if TYPE_CHECKING:
    from heta_framework.evaluation.records.saved_cases import SavedCases

_CASES = "cases.jsonl"


class ReportFolder:
    """The folder that a run of a benchmark left: ``cases.jsonl`` with what it refers to, ``report.json`` at its end."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.name = directory.resolve().name

    @classmethod
    def at(cls, path: Path) -> ReportFolder | None:
        """The report at a folder, or at its ``report.json``; None where there is none."""
        folder = path.parent if path.name == "report.json" else path
        return cls(folder) if (folder / _CASES).is_file() else None

    @property
    def modes(self) -> list[str]:
        """The query modes, in the order in which they were asked."""
        return list(dict.fromkeys(mode for _, mode in self._keys))

    def questions(self, mode: str) -> Iterator[tuple[str, Mapping[str, float]]]:
        """Case id and scores of documents for every case of a mode; no documents where the query failed.

        Raises:
            ResultsError: a case is damaged.
        """
        from heta_framework.evaluation.errors import ReportFileError
        from heta_framework.evaluation.trec.documents import document_scores

        for place, (case_id, found) in enumerate(self._keys):
            if found == mode:
                try:
                    response = self._cases[place].response
                except ReportFileError as cause:
                    raise ResultsError(str(cause)) from None
                yield case_id, {} if response is None else document_scores(response.results)

    @cached_property
    def _keys(self) -> list[tuple[str, str]]:
        return self._cases.keys()

    @cached_property
    def _cases(self) -> SavedCases:
        from heta_framework.evaluation.records.record_folder import RecordFolder
        from heta_framework.evaluation.records.saved_cases import SavedCases

        return SavedCases.in_folder(RecordFolder(self.directory, temporary=False))
