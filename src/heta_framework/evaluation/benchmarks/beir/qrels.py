"""Relevance labels: three columns as with BEIR (query, document, label) or four as with TREC (an iteration between)."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite
from pathlib import Path

from heta_framework.common.data_files import DatasetFormatError
from heta_framework.common.data_files.reading import BOM

Qrels = dict[str, dict[str, int]]

_COLUMNS = {3: (0, 1), 4: (0, 2)}


def read_qrels(path: Path) -> Qrels:
    """The labels by query and document, in the order of the file.

    Columns are separated by tabs, else by white space; those between tabs are as many in every line. A first line whose
    last column is no number is a header. A label is cut to a whole number; of two for the same pair the last counts, as
    with BEIR.

    Raises:
        DatasetFormatError: a line has other columns, an empty id, or a label that is no finite number.
    """
    labels: Qrels = {}
    width: int | None = None
    for number, columns, tabs in _lines(path):
        place = f"{path}:{number}"
        if len(columns) not in _COLUMNS:
            message = (
                f"found {len(columns)} columns; expected query, document, label or query, iteration, document, label"
            )
            raise DatasetFormatError(place, "", message)
        width = width or (len(columns) if tabs else None)
        if tabs and len(columns) != width:  # an id with a tab in it would be read as another document's
            raise DatasetFormatError(place, "", f"found {len(columns)} columns between tabs; lines above have {width}")
        query, document = (columns[index].strip() for index in _COLUMNS[len(columns)])
        level = _label(columns[-1])
        if level is None:
            if number == 1:
                continue
            raise DatasetFormatError(place, "label", f"found {columns[-1]!r}; expected a finite number")
        if not query or not document:
            raise DatasetFormatError(place, "", "found an empty id; expected the ids of a query and a document")
        labels.setdefault(query, {})[document] = level
    return labels


def _lines(path: Path) -> Iterator[tuple[int, list[str], bool]]:
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                text = _text(line.removeprefix(BOM), path, number).strip("\r\n")
                if text.strip():
                    tabs = "\t" in text
                    yield number, text.split("\t") if tabs else text.split(), tabs
    except OSError as cause:
        raise DatasetFormatError(path, "", f"the file cannot be read: {cause.strerror or cause}") from cause


def _text(line: bytes, path: Path, number: int) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError as cause:
        raise DatasetFormatError(f"{path}:{number}", "", f"byte {cause.start + 1} is not UTF-8") from cause


def _label(text: str) -> int | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return int(value) if isfinite(value) else None
