"""Reads the labels of an experiment: the last word on each verdict of its run, and the lines that cannot be read."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from pydantic import ValidationError

from heams.browse.labels.saved import FILE, SavedLabel, VerdictKey
from heams.orchestration.saved_lines import DamagedLine
from heams.reporting.errors import ResultsError
from heams.reporting.lines import Damage, sound_lines
from heams.reporting.load import ExperimentResults

_FILES_KEPT = 64


@dataclass(frozen=True)
class Labels:
    """The labels of one run. What was cleared is not among them, but for its note.

    ``notes`` are those of verdicts without a label. ``damaged`` lines of the file were skipped.
    """

    by_verdict: Mapping[VerdictKey, SavedLabel]
    notes: Mapping[VerdictKey, SavedLabel]
    damaged: tuple[Damage, ...] = ()

    def of(self, key: VerdictKey) -> SavedLabel | None:
        """The last word on a verdict: a label, or a note without one."""
        return self.by_verdict.get(key) or self.notes.get(key)

    def under(self, evaluator: str, metric: str) -> dict[VerdictKey, SavedLabel]:
        """The labels of one metric."""
        return {key: one for key, one in self.by_verdict.items() if (key.evaluator, key.metric) == (evaluator, metric)}


def read_labels(results: ExperimentResults) -> Labels:
    """The labels that people gave to results of this run.

    Raises:
        ResultsError: there is a file of labels, and it cannot be read.
    """
    path = results.directory / FILE
    try:
        found = path.stat()
    except FileNotFoundError:
        return Labels({}, {})
    except OSError as cause:
        raise ResultsError(f"{path}: the labels cannot be read ({cause.strerror or cause})") from None
    return _read(path, results.run_id, (found.st_ino, found.st_size, found.st_mtime_ns))


@lru_cache(maxsize=_FILES_KEPT)
def _read(path: Path, run_id: str, _stamp: tuple[int, int, int]) -> Labels:
    damage: list[Damage] = []
    last: dict[VerdictKey, SavedLabel] = {}
    try:
        for _, label in sound_lines(path, _parsed, damage):
            if label.run_id == run_id:
                last[label.key] = label
    except OSError as cause:
        raise ResultsError(f"{path}: the labels cannot be read ({cause.strerror or cause})") from None
    return Labels(
        by_verdict={key: label for key, label in last.items() if label.verdict != "cleared"},
        notes={key: label for key, label in last.items() if label.verdict == "cleared" and label.note},
        damaged=tuple(damage),
    )


def _parsed(line: bytes) -> SavedLabel:
    try:
        return SavedLabel.model_validate_json(line)
    except ValidationError as cause:
        error = cause.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, error["loc"]))
        raise DamagedLine(f"{place}: {error['msg']}" if place else error["msg"]) from None
