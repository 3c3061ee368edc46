"""Files of relevance labels: TREC's ``question iteration document label``, and BEIR's three columns between tabs.

BEIR's have a first line with the columns' names, and ids there may hold spaces. A file is read as what its first line
is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from sys import intern
from typing import Literal

from heta_framework.evaluation.trec.files.errors import TrecFileError
from heta_framework.evaluation.trec.files.ids import id_writer
from heta_framework.evaluation.trec.files.lines import decoded, numbered_lines, write_lines

QrelsFormat = Literal["trec", "beir"]

_HEADER = "query-id\tcorpus-id\tscore"
_HEADERS = re.compile(rb"query[-_]id\tcorpus[-_]id\tscore", re.IGNORECASE)
_LABEL = re.compile(r"[+-]?\d{1,18}(?:\.0*)?")
_THREE = "3 columns (question document label) between tabs"
_FOUR = f"4 columns (question iteration document label) or, in the whole file, {_THREE}"
_TABS_AND_LINE_ENDS = re.compile(r"[\t\r\n\0]")


def read_qrels(path: str | Path) -> dict[str, dict[str, int]]:
    """The label of each document by question, in the order of the file; zero and negative labels included.

    Raises:
        TrecFileError: the file cannot be read or holds no label, a line has another number of columns, a label is no
            whole number, or a document has two labels under one question; the message has file and line.
    """
    file = Path(path)
    qrels: dict[str, dict[str, int]] = {}
    tabs: bool | None = None
    for number, line in numbered_lines(file):
        if tabs is None:
            tabs = line.count(b"\t") == 2
            if _HEADERS.fullmatch(line.strip()):
                continue
        question, document, label = decoded(file, number, _columns(file, number, line, tabs=tabs))
        labels = qrels.setdefault(question, {})
        level = _level(file, number, label)
        if labels.setdefault(intern(document), level) != level:
            known = f"the label {labels[document]} under question {question!r} in an earlier line"
            raise TrecFileError(file, number, f"document {document!r} has the label {level} here, and {known}")
    if not qrels:
        raise TrecFileError(file, None, "holds no labels; expected lines of question, iteration, document and label")
    return qrels


def write_qrels(
    path: str | Path,
    qrels: Mapping[str, Mapping[str, int]],
    *,
    layout: QrelsFormat = "trec",
    escape_ids: bool = False,
) -> int:
    """Write labels; returns the lines written, BEIR's first one not counted.

    Args:
        qrels: labels of documents by question; questions without labels leave no line.
        layout: ``trec`` (four columns) or ``beir`` (three, between tabs).
        escape_ids: percent-encode white space in ids. Without it such ids are refused in ``trec``, and in ``beir``
            those with tabs or line ends.

    Raises:
        TrecFileError: an id cannot be a column, or the file cannot be written, which is then as it was before.
    """
    tabs = layout == "beir"
    written = _without_tabs if tabs and not escape_ids else id_writer(escape=escape_ids)
    rows = [(written, question, labels) for question, labels in qrels.items()]
    write_lines(Path(path), _beir_lines(rows) if tabs else _trec_lines(rows))
    return sum(map(len, qrels.values()))


_Row = tuple[Callable[[str], str], str, Mapping[str, int]]


def _trec_lines(rows: list[_Row]) -> Iterator[str]:
    for written, question, labels in rows:
        for document, level in labels.items():
            yield f"{written(question)} 0 {written(document)} {level}\n"


def _beir_lines(rows: list[_Row]) -> Iterator[str]:
    yield f"{_HEADER}\n"
    for written, question, labels in rows:
        for document, level in labels.items():
            yield f"{written(question)}\t{written(document)}\t{level}\n"


def _columns(path: Path, number: int, line: bytes, *, tabs: bool) -> tuple[bytes, bytes, bytes]:
    """Question, document and label."""
    found = line.split(b"\t") if tabs else line.split()
    if len(found) != (3 if tabs else 4) or not all(found):
        expected = _THREE if tabs else _FOUR
        raise TrecFileError(
            path, number, f"expected {expected}; found {len(found)}{'' if all(found) else ', one empty'}"
        )
    return found[0], found[-2], found[-1]


def _level(path: Path, number: int, label: str) -> int:
    if not _LABEL.fullmatch(label.strip()):
        raise TrecFileError(path, number, f"label is {label!r}; expected a whole number of at most 18 digits")
    return int(label.partition(".")[0])


def _without_tabs(identifier: str) -> str:
    if not identifier.strip() or _TABS_AND_LINE_ENDS.search(identifier):
        raise ValueError(f"the id {identifier!r} is blank or holds tabs or line ends, which separate columns")
    return identifier
