"""The rows of the two files: what each may hold, and what a benchmark makes of it.

Documents: ``{"document_id": ..., "name": ..., "media_type": ..., "text" | "data_base64" | "path" | "source_uri": ...,
"metadata": {...}}``. Cases: ``{"case_id": ..., "query": ..., "expected": {"answers": [...], "evidence": [...],
"value": ..., "metadata": {...}}, "labels": {...}, "metadata": {...}}``.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from heta_framework.common.data_files import DatasetFormatError, checked, confined_path, read_rows
from heta_framework.evaluation.types import BenchmarkCase, BenchmarkDocument, BenchmarkEvidence, BenchmarkExpected

_CONTENTS = ("text", "data_base64", "path", "source_uri")

R = TypeVar("R", bound="_Row")


class _Row(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class _DocumentRow(_Row):
    document_id: str
    name: str
    media_type: str
    text: str | None = None
    data_base64: str | None = None
    path: str | None = None
    source_uri: str | None = None
    metadata: dict[str, Any] = Field(default_factory=dict)


class _EvidenceRow(_Row):
    reference_id: str | None = None
    locator: dict[str, Any] = Field(default_factory=dict)
    text: str | None = None
    metadata: dict[str, Any] = Field(default_factory=dict)


class _ExpectedRow(_Row):
    answers: tuple[str, ...] = ()
    evidence: tuple[_EvidenceRow, ...] = ()
    value: Any = None
    metadata: dict[str, Any] = Field(default_factory=dict)


class _CaseRow(_Row):
    case_id: str
    query: str
    expected: _ExpectedRow = Field(default_factory=_ExpectedRow)
    labels: dict[str, Any] = Field(default_factory=dict)
    metadata: dict[str, Any] = Field(default_factory=dict)


_DOCUMENTS = TypeAdapter(_DocumentRow)
_CASES = TypeAdapter(_CaseRow)


def read_documents(path: Path, root: Path) -> Iterator[BenchmarkDocument]:
    """The documents of a file; ``path`` in a row is relative to ``root`` and stays below it.

    Raises:
        DatasetFormatError: with file, line and field.
    """
    for place, row in _checked_rows(path, _DOCUMENTS):
        content = _content(row, root, place)
        try:
            yield BenchmarkDocument(row.document_id, row.name, row.media_type, **content, metadata=row.metadata)
        except ValueError as cause:
            raise DatasetFormatError(place, "", str(cause)) from cause


def read_cases(path: Path) -> Iterator[BenchmarkCase]:
    """The cases of a file.

    Raises:
        DatasetFormatError: with file, line and field.
    """
    for place, row in _checked_rows(path, _CASES):
        try:
            yield BenchmarkCase(row.case_id, row.query, _expected(row.expected), row.labels, row.metadata)
        except ValueError as cause:
            raise DatasetFormatError(place, "", str(cause)) from cause


def _checked_rows(path: Path, adapter: TypeAdapter[R]) -> Iterator[tuple[str, R]]:
    for place, value in read_rows(path):
        if not isinstance(value, dict):
            raise DatasetFormatError(place, "", f"JSONL row must be an object; found {json.dumps(value)[:40]}")
        yield place, checked(adapter, value, place)


def _expected(row: _ExpectedRow) -> BenchmarkExpected:
    evidence = tuple(BenchmarkEvidence(one.reference_id, one.locator, one.text, one.metadata) for one in row.evidence)
    return BenchmarkExpected(row.answers, evidence, row.value, row.metadata)


def _content(row: _DocumentRow, root: Path, place: str) -> dict[str, Any]:
    given = [name for name in _CONTENTS if getattr(row, name) is not None]
    if len(given) != 1:
        found = " and ".join(given) or "none of them"
        raise DatasetFormatError(place, "", f"found {found}; expected exactly one of {', '.join(_CONTENTS)}")
    if row.text is not None:
        return {"data": row.text.encode()}
    if row.data_base64 is not None:
        return {"data": _decoded(row.data_base64, place)}
    if row.path is not None:
        return {"path": _file(row.path, root, place)}
    return {"source_uri": row.source_uri}


def _decoded(text: str, place: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as cause:
        message = f"found {text[:20]!r}, which is no base64 ({cause}); expected A-Z, a-z, 0-9, + and /, padded with ="
        raise DatasetFormatError(place, "data_base64", message) from cause


def _file(named: str, root: Path, place: str) -> Path:
    try:
        found = confined_path(root, named)
    except ValueError as cause:
        raise DatasetFormatError(place, "path", str(cause)) from cause
    if not found.is_file():
        raise DatasetFormatError(place, "path", f"found {named!r}, where there is no file; looked for {found}")
    return found
