"""Puts a file of cases right: what a killed process left half-written goes, and what was replaced."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from heta_framework.common.durable_lines import cut_torn_line
from heta_framework.evaluation.records.entry_file import is_whole
from heta_framework.evaluation.records.line_head import CaseIndex, read_index
from heta_framework.evaluation.records.lost_texts import unreadable_lines
from heta_framework.evaluation.records.record_folder import RecordFolder


def mended_index(folder: RecordFolder) -> CaseIndex:
    """The index of the cases, after half-written last lines were cut off and damaged lines set aside.

    A damaged line, or one whose texts are gone, goes to ``cases.jsonl.damaged``; its case counts as not asked.
    """
    folder.path.mkdir(parents=True, exist_ok=True)
    cut_torn_line(folder.texts)
    cut_torn_line(folder.cases)
    index = read_index(folder.cases)
    if index.damaged:
        damaged = set(index.damaged)
        _set_aside(folder.cases, _lines(folder.cases, lambda number: number in damaged))
        _replace(folder.cases, _lines(folder.cases, lambda number: number not in damaged))
        index = read_index(folder.cases)
    unreadable = {line.offset for line in unreadable_lines(folder, index)}
    if unreadable:
        if folder.texts.is_file():  # what is damaged there is put again when a case refers to it
            _replace(folder.texts, _whole_entries(folder.texts))
        _set_aside(folder.cases, _lines_at(folder.cases, sorted(unreadable)))
        kept = sorted(line.offset for line in index.lines.values() if line.offset not in unreadable)
        _replace(folder.cases, _lines_at(folder.cases, kept))
        index = read_index(folder.cases)
    return index


def without_superseded(folder: RecordFolder) -> CaseIndex:
    """The index of the cases, after the lines that later ones replace were removed."""
    index = read_index(folder.cases)
    if not index.superseded:
        return index
    _replace(folder.cases, _lines_at(folder.cases, [line.offset for _, line in index.in_order()]))
    return read_index(folder.cases)


def _set_aside(path: Path, lines: Iterable[bytes]) -> None:
    with path.with_name(f"{path.name}.damaged").open("ab") as aside:
        aside.writelines(lines)


def _lines(path: Path, wanted: Callable[[int], bool]) -> Iterator[bytes]:
    with path.open("rb") as file:
        yield from (line for number, line in enumerate(file) if wanted(number))


def _whole_entries(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        yield from (line for line in file if is_whole(line))


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
