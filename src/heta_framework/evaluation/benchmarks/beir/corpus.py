"""The rows of ``corpus.jsonl`` and ``queries.jsonl``: ``_id``, ``title``, ``text`` and whatever else, which is left."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, TypeAdapter

from heta_framework.common.data_files import DatasetFormatError, checked, read_rows
from heta_framework.evaluation.types import BenchmarkDocument

_NOT_PLAIN = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST_NAME = 96


def _spelled(value: object) -> object:
    """Whole numbers are ids too."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


_Id = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1), BeforeValidator(_spelled)]


class _Row(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)

    id: _Id = Field(alias="_id")
    title: str | None = None
    text: str | None = None


_ROWS = TypeAdapter(_Row)


def read_corpus(path: Path, dataset: str) -> Iterator[BenchmarkDocument]:
    """The documents, each under its own id; the title, an empty line and the text are its content.

    A document of which both are empty stays, with no content, as with BEIR: it cannot be found, and counts where it is
    labelled.

    Raises:
        DatasetFormatError: with file, line and field.
    """
    for place, value in read_rows(path):
        row = _checked_row(value, place)
        content = "\n\n".join(filter(None, ((row.title or "").strip(), (row.text or "").strip())))
        metadata = {"beir_doc_id": row.id, "beir_document_id": row.id, "dataset": dataset, "title": row.title or ""}
        yield BenchmarkDocument(
            row.id, f"{_file_name(row.id)}.txt", "text/plain", data=content.encode(), metadata=metadata
        )


def read_queries(path: Path) -> Iterator[tuple[str, str, str]]:
    """(place, id, text) of each query.

    Raises:
        DatasetFormatError: with file, line and field.
    """
    for place, value in read_rows(path):
        row = _checked_row(value, place)
        yield place, row.id, (row.text or "").strip()


def _checked_row(value: object, place: str) -> _Row:
    if not isinstance(value, dict):
        raise DatasetFormatError(place, "", "found no object; expected one with _id and text")
    return checked(_ROWS, value, place)


def _file_name(document_id: str) -> str:
    """The id where it can be a file's name, else what is left of it with a hash of all of it."""
    plain = _NOT_PLAIN.sub("_", document_id)[:_LONGEST_NAME].strip(".")
    if plain == document_id:
        return plain
    return f"{plain or 'document'}_{hashlib.sha256(document_id.encode()).hexdigest()[:12]}"
