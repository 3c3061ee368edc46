"""Spreadsheets (calamine) and CSV: rows as ``header: value`` lines."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from heta_framework.kb.parsing.decoding import ENCODINGS, checked_encodings, decoded
from heta_framework.kb.parsing.protocol import ComputingParser, DocumentParseError
from heta_framework.kb.parsing.records import record_text, short_name
from heta_framework.kb.parsing.types import Heading, ParsedDocument, ParsedPage, ParsedSource, ParseIssue, document_of
from heta_framework.kb.parsing.workbook import Sheet, workbook_sheets

_DELIMITED = frozenset({"csv", "tsv"})
_DELIMITERS = ",;\t|"
_LONGEST_FIELD = 16 << 20


@dataclass(frozen=True)
class SheetParserConfig:
    """How sheets become text.

    Attributes:
        encodings: of CSV, tried in this order.
        describe_tables: no model describes tables here; where it is asked for, an issue ``not_described`` says so.
        preview_rows, description_prompt: for that; they change nothing.
        chunk_rows: rows of one page.
        max_memory_bytes, timeout_s: what reading a workbook may take; one that takes more is refused.
        max_cells: a workbook whose sheets reach over more cells is refused.
    """

    encodings: tuple[str, ...] = ENCODINGS
    preview_rows: int = 3
    chunk_rows: int = 50
    describe_tables: bool = False
    description_prompt: str = ""
    max_memory_bytes: int = 2 << 30
    timeout_s: float = 120.0
    max_cells: int = 5_000_000

    def __post_init__(self) -> None:
        object.__setattr__(self, "encodings", checked_encodings(self.encodings))
        for name in ("preview_rows", "chunk_rows", "max_memory_bytes", "timeout_s", "max_cells"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be greater than zero, found {getattr(self, name)}")


class SheetParser(ComputingParser):
    """Reads the sheets one after another; a page is up to ``chunk_rows`` rows of one sheet.

    The first row that is not empty names the columns. A row is one line a filled cell, rows are separated by blank
    lines; the sheet's name is the heading of its pages.
    """

    version = 1

    def __init__(self, config: SheetParserConfig | None = None, *, language_model: object | None = None) -> None:
        """Read with calamine.

        Args:
            language_model: is not asked, see `SheetParserConfig.describe_tables`.
        """
        self.config = config or SheetParserConfig()
        self.language_model = language_model

    @property
    def supported_file_types(self) -> frozenset[str]:
        """``xlsx``, ``xlsm``, ``xlsb``, ``xls``, ``ods``, ``csv`` and ``tsv``."""
        return frozenset({"xlsx", "xlsm", "xlsb", "xls", "ods", *_DELIMITED})

    def parse_now(self, source: ParsedSource, data: bytes) -> ParsedDocument:
        """A page some rows.

        Raises:
            DocumentParseError: damaged, encrypted, or larger than the configuration allows.
        """
        self.check_type(source)
        file_type = source.file_type.lower().lstrip(".")
        sheets = self._delimited(data, file_type) if file_type in _DELIMITED else self._workbook(data)
        pages: list[ParsedPage] = []
        for name, rows in sheets:
            for text in self._page_texts(rows):
                headings = (Heading(0, (name,)),) if name else ()
                pages.append(ParsedPage(len(pages), text.replace("\0", "\ufffd"), headings))
        return document_of(source, pages or [ParsedPage(0, "")], self._left_out())

    def _left_out(self) -> tuple[ParseIssue, ...]:
        asked = self.config.describe_tables
        return (ParseIssue("not_described", "its tables are not described", "info"),) if asked else ()

    def _delimited(self, data: bytes, file_type: str) -> Iterator[Sheet]:
        text = decoded(data, self.config.encodings)
        csv.field_size_limit(max(csv.field_size_limit(), _LONGEST_FIELD))  # the module's default is 128 kB
        delimiter = "\t" if file_type == "tsv" else _delimiter(text)
        try:
            rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
        except csv.Error as error:
            raise DocumentParseError(f"it is no CSV: {error}") from None
        if sum(map(len, rows)) > self.config.max_cells:
            raise DocumentParseError(f"it has more than {self.config.max_cells} cells")
        yield "", rows

    def _workbook(self, data: bytes) -> list[Sheet]:
        config = self.config
        return workbook_sheets(
            data, max_memory=config.max_memory_bytes, max_cells=config.max_cells, timeout_s=config.timeout_s
        )

    def _page_texts(self, rows: Sequence[Sequence[str]]) -> Iterator[str]:
        filled = [row for row in rows if any(cell.strip() for cell in row)]
        if not filled:
            return
        header, body = [short_name(cell.strip()) for cell in filled[0]], filled[1:]
        if not body:
            yield record_text(("", cell.strip()) for cell in filled[0])
        for start in range(0, len(body), self.config.chunk_rows):
            yield "\n\n".join(_row_text(header, row) for row in body[start : start + self.config.chunk_rows])


def _row_text(header: Sequence[str], row: Sequence[str]) -> str:
    names = [*header, *[""] * (len(row) - len(header))]
    return record_text((name, cell.strip()) for name, cell in zip(names, row, strict=False))


def _delimiter(text: str) -> str:
    first = next((line for line in text.split("\n", 100) if line.strip()), "")
    return max(_DELIMITERS, key=first.count)
