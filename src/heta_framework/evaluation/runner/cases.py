"""The cases of a benchmark: read once, kept in a file, at hand by their position."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from heta_framework.evaluation.protocols import BenchmarkProtocol
from heta_framework.evaluation.runner.distinct import DistinctIds
from heta_framework.evaluation.runner.identities import Digest
from heta_framework.evaluation.runner.spool import Spool
from heta_framework.evaluation.types import BenchmarkCase, PreparedBenchmark
from heta_framework.evaluation.yielded import yielded


class CaseBook:
    """All cases.

    Attributes:
        ids: positions by case id.
        questions: what is asked: a difference makes it another run.
        labels: what is expected: a difference makes saved responses to be scored anew.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.ids = DistinctIds("case_id")
        self._questions = Digest()
        self._labels = Digest()
        self._spool: Spool[BenchmarkCase] = Spool(folder)

    @property
    def questions(self) -> dict[str, Any]:
        """Count and hash of ids and queries."""
        return self._questions.to_dict()

    @property
    def labels(self) -> dict[str, Any]:
        """Count and hash of everything else that a case holds."""
        return self._labels.to_dict()

    async def read(self, benchmark: BenchmarkProtocol, prepared: PreparedBenchmark) -> None:
        """Take in all cases.

        Raises:
            ValueError: there are none, or ids come twice.
        """
        async for case in yielded(benchmark.cases(prepared), BenchmarkCase):
            self.ids.add(case.case_id)
            self._questions.add(case.case_id, case.query)
            self._labels.add(case.expected, case.labels, case.metadata)
            self._spool.append(case)
        self.ids.require_distinct()
        if not len(self.ids):
            raise ValueError("benchmark produced no cases")

    def close(self) -> None:
        """Give the file back."""
        self._spool.close()

    def __getitem__(self, position: int) -> BenchmarkCase:
        return self._spool[position]

    def __len__(self) -> int:
        return len(self._spool)
