"""Cases whose texts are gone: their lines are whole, and what they refer to is not there any more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from heta_framework.evaluation.errors import ReportFileError
from heta_framework.evaluation.records.entry_file import entry_offsets
from heta_framework.evaluation.records.line_head import CaseIndex, CaseLine
from heta_framework.evaluation.records.record_folder import RecordFolder
from heta_framework.evaluation.records.saved_cases import CaseSource

_SAMPLE = 64
_BLOCK = 1 << 20


def unreadable_lines(folder: RecordFolder, index: CaseIndex) -> list[CaseLine]:
    """Those of the cases that cannot be read.

    Reading all takes long where there are many. It is done where something tells of damage: an entry that is none, or a
    case of a sample that cannot be read.
    """
    lines = sorted(index.lines.values())
    if not lines:
        return []
    source = CaseSource(folder)
    sample = lines[:: max(1, len(lines) // _SAMPLE)] + lines[-1:]
    if _has_damaged_entries(folder.texts) or any(_unreadable(source, sample)):
        return list(_unreadable(source, lines))
    return []


def _unreadable(source: CaseSource, lines: Sequence[CaseLine]) -> Iterator[CaseLine]:
    for line in lines:
        try:
            source.result(line)
        except ReportFileError:
            yield line


def _has_damaged_entries(texts: Path) -> bool:
    if not texts.is_file():
        return False
    lines = 0
    with texts.open("rb") as file:
        while block := file.read(_BLOCK):
            lines += block.count(b"\n")
    return lines != len(entry_offsets(texts))
