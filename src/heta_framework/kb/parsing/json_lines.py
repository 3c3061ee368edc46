"""JSON lines and JSON: a record a line, or the elements of a list."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from heta_framework.common.text.surrogates import replace_surrogates
from heta_framework.kb.parsing.decoding import ENCODINGS, checked_encodings, decoded
from heta_framework.kb.parsing.protocol import ComputingParser, DocumentParseError
from heta_framework.kb.parsing.records import flat_fields, record_text
from heta_framework.kb.parsing.types import ParsedDocument, ParsedPage, ParsedSource, ParseIssue, document_of

_NAMED_LINES = 10


@dataclass(frozen=True)
class JsonLinesParserConfig:
    """How records become text.

    Attributes:
        text_fields: the fields that hold the text, joined by blank lines; none: every field, ``name: value`` a line.
        records_per_page: records of one page, separated by blank lines.
        encodings: tried in this order.
    """

    text_fields: tuple[str, ...] = ()
    records_per_page: int = 1
    encodings: tuple[str, ...] = ENCODINGS

    def __post_init__(self) -> None:
        object.__setattr__(self, "text_fields", tuple(self.text_fields))
        object.__setattr__(self, "encodings", checked_encodings(self.encodings))
        if self.records_per_page < 1:
            raise ValueError(f"records_per_page must be greater than zero, found {self.records_per_page}")


class JsonLinesParser(ComputingParser):
    """Reads records as pages. A line that is no JSON is named in an issue ``malformed_record``."""

    version = 1

    def __init__(self, config: JsonLinesParserConfig | None = None) -> None:
        self.config = config or JsonLinesParserConfig()

    @property
    def supported_file_types(self) -> frozenset[str]:
        """``jsonl``, ``ndjson`` and ``json``."""
        return frozenset({"jsonl", "ndjson", "json"})

    def parse_now(self, source: ParsedSource, data: bytes) -> ParsedDocument:
        """A page some records.

        Raises:
            DocumentParseError: a ``json`` file is no JSON, or a record is nested too deeply.
        """
        self.check_type(source)
        text = decoded(data, self.config.encodings)
        issues: tuple[ParseIssue, ...] = ()
        if source.file_type.lower().lstrip(".") == "json":
            records = _whole(text)
        else:
            records, issues = _lines(text)
        texts = [replace_surrogates(self._text(record)).replace("\0", "\ufffd") for record in records]
        pages = [ParsedPage(index, page) for index, page in enumerate(self._pages(texts))]
        return document_of(source, pages or [ParsedPage(0, "")], issues)

    def _pages(self, texts: list[str]) -> Iterator[str]:
        size = self.config.records_per_page
        for start in range(0, len(texts), size):
            yield "\n\n".join(texts[start : start + size])

    def _text(self, record: Any) -> str:
        try:
            if isinstance(record, dict) and self.config.text_fields:
                parts = (record_text(flat_fields(record.get(name))) for name in self.config.text_fields)
                return "\n\n".join(filter(None, parts))
            return record_text(flat_fields(record))
        except ValueError as error:
            raise DocumentParseError(f"a record is {error}") from None


def _whole(text: str) -> list[Any]:
    if not text.strip():
        return []
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DocumentParseError(f"it is no JSON: {error}") from None
    return value if isinstance(value, list) else [value]


def _lines(text: str) -> tuple[list[Any], tuple[ParseIssue, ...]]:
    records: list[Any] = []
    malformed: list[int] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            records.append(json.loads(line))
        except (ValueError, RecursionError):
            malformed.append(number)
    if not malformed:
        return records, ()
    named = ", ".join(map(str, malformed[:_NAMED_LINES])) + (", ..." if len(malformed) > _NAMED_LINES else "")
    said = f"line {named} is no JSON" if len(malformed) == 1 else f"{len(malformed)} lines are no JSON: {named}"
    return records, (ParseIssue("malformed_record", said),)
