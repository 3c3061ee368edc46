"""Puts a file of cases right: what a killed process left half-written goes, and what was replaced."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from heta_framework.common.durable_lines import cut_torn_line
from heta_framework.evaluation.records.line_head import CaseIndex, read_index
from heta_framework.evaluation.records.record_folder import RecordFolder


def mended_index(folder: RecordFolder) -> CaseIndex:
    """The index of the cases, after half-written last lines were cut off and damaged lines set aside.

    A damaged line goes to ``cases.jsonl.damaged``; its case counts as not asked.
    """
    folder.path.mkdir(parents=True, exist_ok=True)
    cut_torn_line(folder.texts)
    cut_torn_line(folder.cases)
    index = read_index(folder.cases)
    if not index.damaged:
        return index
    damaged = set(index.damaged)
    with folder.cases.with_name(f"{folder.cases.name}.damaged").open("ab") as aside:
        aside.writelines(_lines(folder.cases, lambda number: number in damaged))
    _replace(folder.cases, _lines(folder.cases, lambda number: number not in damaged))
    return read_index(folder.cases)


def without_superseded(folder: RecordFolder) -> CaseIndex:
    """The index of the cases, after the lines that later ones replace were removed."""
    index = read_index(folder.cases)
    if not index.superseded:
        return index
    _replace(folder.cases, _lines_at(folder.cases, [line.offset for _, line in index.in_order()]))
    return read_index(folder.cases)


def _lines(path: Path, wanted: Callable[[int], bool]) -> Iterator[bytes]:
    with path.open("rb") as file:
        yield from (line for number, line in enumerate(file) if wanted(number))


def _lines_at(path: Path, offsets: Iterable[int]) -> Iterator[bytes]:
    with path.open("rb") as file:
        for offset in offsets:
            file.seek(offset)
            yield file.readline()


def _replace(path: Path, lines: Iterable[bytes]) -> None:
    """Put the lines in place of the file at once, forced to the disk."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as file:
            file.writelines(lines)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
