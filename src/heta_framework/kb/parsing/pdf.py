"""PDF, read with pypdfium2: the text layer, page by page."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from heta_framework.kb.parsing.extraction import (
    DocumentExtractorProtocol,
    ExtractionOptions,
    extracted_document,
    extractor_identity,
)
from heta_framework.kb.parsing.protocol import ComputingParser, DocumentParseError
from heta_framework.kb.parsing.types import ParsedDocument, ParsedPage, ParsedSource, ParseIssue, document_of
from heta_framework.kb.steps.issues import IssueSeverity

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument  # type: ignore[import-untyped]

_PDFIUM = threading.Lock()  # PDFium is not safe between threads
_NAMED_PAGES = 20


@dataclass(frozen=True)
class PdfParserConfig:
    """How PDF is read.

    Attributes:
        extraction_options: for an extractor of the caller's own.
        max_pages: a document of more is refused.
        password: for encrypted documents.
    """

    extraction_options: ExtractionOptions = field(default_factory=ExtractionOptions)
    max_pages: int = 20_000
    password: str | None = field(default=None, repr=False)


class PdfParser(ComputingParser):
    """Reads the text layer; ``page_index`` counts the document's own pages from 0.

    Pages without one are named in an issue ``no_text_layer``: a scan needs an extractor that recognises characters.
    """

    def __init__(
        self, extractor: DocumentExtractorProtocol | None = None, config: PdfParserConfig | None = None
    ) -> None:
        """Read with PDFium, or with an extractor of the caller's own."""
        self.extractor = extractor
        self.config = config or PdfParserConfig()
        self.computes = self.computes and extractor is None
        self.version = 1 if extractor is None else extractor_identity(extractor)

    @property
    def supported_file_types(self) -> frozenset[str]:
        """``pdf``."""
        return frozenset({"pdf"})

    async def parse(self, source: ParsedSource, data: bytes) -> ParsedDocument:
        """A page each page.

        Raises:
            DocumentParseError: the document is damaged, encrypted, or has too many pages.
        """
        if self.extractor is None:
            return await super().parse(source, data)
        self.check_type(source)
        options = self.config.extraction_options
        return await extracted_document(self.extractor, source, data, options, "application/pdf")

    def parse_now(self, source: ParsedSource, data: bytes) -> ParsedDocument:
        """`parse`, in the calling thread."""
        self.check_type(source)
        with _PDFIUM:
            texts = self._page_texts(data)
        pages = [ParsedPage(index, text) for index, text in enumerate(texts)]
        return document_of(source, pages or [ParsedPage(0, "")], _missing_text(texts))

    def _page_texts(self, data: bytes) -> list[str]:
        from pypdfium2 import PdfDocument, PdfiumError

        try:
            document = PdfDocument(data, password=self.config.password)
        except PdfiumError as error:
            raise DocumentParseError(_reason(str(error))) from None
        try:
            if len(document) > self.config.max_pages:
                raise DocumentParseError(f"it has {len(document)} pages, more than max_pages={self.config.max_pages}")
            return [_page_text(document, index) for index in range(len(document))]
        except PdfiumError as error:
            raise DocumentParseError(f"it is damaged: {error}") from None
        finally:
            document.close()


def _page_text(document: PdfDocument, index: int) -> str:
    page = document[index]
    layer = page.get_textpage()
    text: str = layer.get_text_bounded()
    layer.close()
    page.close()
    # PDFium writes U+0002 for a hyphen at a line's end and U+FFFE for what has no character
    return text.replace("\r\n", "\n").replace("\x02", "-").replace("\ufffe", "-").replace("\0", "\ufffd")


def _missing_text(texts: list[str]) -> tuple[ParseIssue, ...]:
    empty = [index for index, text in enumerate(texts) if not text.strip()]
    if not empty:
        return ()
    named = ", ".join(map(str, empty[:_NAMED_PAGES])) + (", ..." if len(empty) > _NAMED_PAGES else "")
    severity: IssueSeverity = "warning" if len(empty) == len(texts) else "info"
    message = f"{len(empty)} of {len(texts)} pages have no text layer (page indices {named})"
    return (ParseIssue("no_text_layer", message, severity),)


def _reason(message: str) -> str:
    if "password" in message.lower():
        return "it is encrypted and the parser has no password that opens it"
    return f"it is no PDF, or damaged: {message}"
