"""The questions of a subset: a CSV file separated by ``|``, whose columns of answers differ from subset to subset."""

from __future__ import annotations

import ast
import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from heta_framework.common.config.nearest import did_you_mean
from heta_framework.common.data_files import DatasetFormatError

_ANSWERS = {
    "fin": ("answer_1", "answer_2"),
    "tat": ("answer", "answer_scale", "answer_type"),
    "paper_tab": ("answer_1", "answer_2", "answer_3"),
    "paper_text": ("answer_1", "answer_2", "answer_3"),
    "feta": ("answer",),
    "nq": ("short_answer", "long_answer"),
}
_COMMON = ("doc_name", "q_uid", "question")
_LONGEST_FIELD = 16 << 20
_WRITTEN_BREAK = re.compile(r"(?:\\+n)+$")


@dataclass(frozen=True)
class UdaQuestion:
    """One row.

    Attributes:
        place: its file and line.
        answers: each is right.
        value: the answer that is computed with: a number, or the spans that belong together.
        passage: the paragraph that answers it, where the row has one.
        facts: what else the row says of the answer.
    """

    place: str
    doc_name: str
    q_uid: str
    question: str
    answers: tuple[str, ...]
    value: Any = None
    passage: str | None = None
    facts: Mapping[str, str] = field(default_factory=dict)


def read_questions(path: Path, subset: str) -> Iterator[UdaQuestion]:
    """The rows of a file.

    Raises:
        DatasetFormatError: it cannot be read, a column is missing, or a row has other columns.
    """
    csv.field_size_limit(max(csv.field_size_limit(), _LONGEST_FIELD))  # passages are longer than csv allows at first
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = csv.DictReader(file, delimiter="|")
            _require_columns(rows.fieldnames or (), subset, path)
            for row in rows:
                yield _question(row, subset, f"{path}:{rows.line_num}")
    except (OSError, UnicodeDecodeError, csv.Error) as cause:
        raise DatasetFormatError(path, "", f"the file cannot be read: {cause}") from cause


def _require_columns(found: Sequence[str], subset: str, path: Path) -> None:
    for column in (*_COMMON, *_ANSWERS[subset]):
        if column not in found:
            hint = did_you_mean(column, found)
            named = ", ".join(found) or "none"
            message = f"found no column {column!r}; there is: {named}" + (f"; {hint}" if hint else "")
            raise DatasetFormatError(f"{path}:1", "", message)


def _question(row: Mapping[str | None, Any], subset: str, place: str) -> UdaQuestion:
    if None in row or None in row.values():
        raise DatasetFormatError(place, "", "found another number of columns than in the first line; expected the same")
    texts = {str(name): _WRITTEN_BREAK.sub("", value).strip() for name, value in row.items()}
    for column in _COMMON:
        if not texts[column]:
            raise DatasetFormatError(place, column, "found nothing; expected a text")
    common = {"place": place, **{column: texts[column] for column in _COMMON}}
    return _OF_SUBSET[subset](texts, common)


def _fin(texts: Mapping[str, str], common: dict[str, Any]) -> UdaQuestion:
    return UdaQuestion(**common, answers=_distinct(texts, "fin"), value=_number(texts["answer_2"]))


def _tat(texts: Mapping[str, str], common: dict[str, Any]) -> UdaQuestion:
    spans = _spans(texts["answer"], common["place"])
    scale = texts["answer_scale"]
    whole = ", ".join(f"{span}{_scale_word(span, scale)}" for span in spans)
    facts = {"answer_type": texts["answer_type"], "answer_scale": scale}
    value: Any = spans if len(spans) > 1 else None
    return UdaQuestion(**common, answers=(whole,) if whole else (), value=value, facts=facts)


def _paper(texts: Mapping[str, str], common: dict[str, Any]) -> UdaQuestion:
    return UdaQuestion(**common, answers=_distinct(texts, "paper_text"))


def _feta(texts: Mapping[str, str], common: dict[str, Any]) -> UdaQuestion:
    return UdaQuestion(**common, answers=_distinct(texts, "feta"), facts={"doc_url": texts.get("doc_url", "")})


def _nq(texts: Mapping[str, str], common: dict[str, Any]) -> UdaQuestion:
    facts = {"doc_url": texts.get("doc_url", "")}
    return UdaQuestion(**common, answers=_distinct(texts, "nq"), passage=texts["long_answer"] or None, facts=facts)


_OF_SUBSET = {"fin": _fin, "tat": _tat, "paper_tab": _paper, "paper_text": _paper, "feta": _feta, "nq": _nq}


def _distinct(texts: Mapping[str, str], subset: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts[column] for column in _ANSWERS[subset] if texts[column]))


def _number(text: str) -> float | str | None:
    try:
        return float(text)
    except ValueError:
        return text or None


def _spans(text: str, place: str) -> list[str]:
    """A list as Python writes it: ``['1,802', '1,673']``."""
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError) as cause:
        raise DatasetFormatError(place, "answer", f"found {text[:40]!r}; expected a list of texts") from cause
    spans = value if isinstance(value, list | tuple) else [value]
    return [str(span).strip() for span in spans if str(span).strip()]


def _scale_word(span: str, scale: str) -> str:
    """How the scale is said behind a number: what the answer must say for its number to be right."""
    if not scale or "%" in span or scale in span:
        return ""
    return "%" if scale == "percent" else f" {scale}"
