"""The two files of MultiHop-RAG, each one JSON array: the articles, and the questions with their facts."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, TypeAdapter

from heta_framework.common.data_files import DatasetFormatError, checked, parse_json, read_bytes
from heta_framework.evaluation.types import (
    BenchmarkCase,
    BenchmarkDocument,
    BenchmarkEvidence,
    BenchmarkExpected,
    BenchmarkManifest,
)

_HEADER = (("Title", "title"), ("Source", "source"), ("Published at", "published_at"), ("URL", "url"))

R = TypeVar("R", bound="_Row")


class _Row(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class _Described(_Row):
    title: str | None = None
    author: str | None = None
    source: str | None = None
    category: str | None = None
    published_at: str | None = None
    url: str | None = None

    def described(self) -> dict[str, Any]:
        """What is said of an article."""
        return {name: value for name, value in self if name in _Described.model_fields and value is not None}


class _Article(_Described):
    body: str = ""


class _Fact(_Described):
    fact: str | None = None


class _Question(_Row):
    query: str
    answer: str | None = None
    question_type: str = ""
    evidence_list: tuple[_Fact, ...] = ()


_ARTICLES = TypeAdapter(_Article)
_QUESTIONS = TypeAdapter(_Question)


def read_articles(path: Path) -> Iterator[BenchmarkDocument]:
    """The articles as texts: what is known of each in lines of its own, an empty line, its body.

    Raises:
        DatasetFormatError: the file is not in the format.
    """
    for place, row in _rows(path, _ARTICLES):
        described = row.described()
        lines = [f"{label}: {described[name]}" for label, name in _HEADER if name in described]
        content = "\n".join(lines) + "\n\n" + row.body
        document_id = _article_id(row, path, place)
        yield BenchmarkDocument(
            document_id, f"{document_id}.txt", "text/plain", data=content.encode(), metadata=described
        )


def read_questions(path: Path, manifest: BenchmarkManifest) -> Iterator[BenchmarkCase]:
    """The questions; each fact of their evidence is a label with the article it stands in.

    Raises:
        DatasetFormatError: the file is not in the format.
    """
    for index, (place, row) in enumerate(_rows(path, _QUESTIONS)):
        evidence = tuple(_evidence(fact, path, place, manifest) for fact in row.evidence_list)
        answers = (row.answer,) if row.answer and row.answer.strip() else ()
        kind = {"question_type": row.question_type}
        try:
            yield BenchmarkCase(
                f"multihop_rag_{index:04d}",
                row.query,
                BenchmarkExpected(answers, evidence, metadata=kind),
                kind,
                {"original_index": index},
            )
        except ValueError as cause:
            raise DatasetFormatError(path, place, str(cause)) from cause


def _rows(path: Path, adapter: TypeAdapter[R]) -> Iterator[tuple[str, R]]:
    values = parse_json(read_bytes(path), path)
    if not isinstance(values, list):
        raise DatasetFormatError(path, "", f"found {type(values).__name__}; expected an array of objects")
    for number, value in enumerate(values):
        place = f"entry {number}"
        yield place, checked(adapter, value, path, place)


def _evidence(fact: _Fact, path: Path, place: str, manifest: BenchmarkManifest) -> BenchmarkEvidence:
    document_id = _article_id(fact, path, place)
    key = BenchmarkDocument(document_id, f"{document_id}.txt", "text/plain", data=b"").raw_key(manifest)
    text = fact.fact if fact.fact and fact.fact.strip() else None
    return BenchmarkEvidence(document_id, {"source_key": key}, text, {"document_id": document_id, **fact.described()})


def _article_id(article: _Described, path: Path, place: str) -> str:
    named = (article.url or article.title or "").strip()
    if not named:
        raise DatasetFormatError(path, place, "found neither url nor title; expected one of them, by which it is known")
    return f"article_{hashlib.sha256(named.encode()).hexdigest()[:16]}"
