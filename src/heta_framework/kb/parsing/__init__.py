"""Parsers: from a document's bytes to pages of text."""

from heta_framework.kb.parsing.extraction import (
    DocumentExtractorProtocol,
    DocumentInput,
    ExtractedBlock,
    ExtractedDocument,
    ExtractionOptions,
)
from heta_framework.kb.parsing.html import HtmlParser, HtmlParserConfig
from heta_framework.kb.parsing.json_lines import JsonLinesParser, JsonLinesParserConfig
from heta_framework.kb.parsing.markdown import MarkdownParser
from heta_framework.kb.parsing.pdf import PdfParser, PdfParserConfig
from heta_framework.kb.parsing.protocol import ComputingParser, DocumentParseError, DocumentParserProtocol
from heta_framework.kb.parsing.registry import DocumentParserRegistry
from heta_framework.kb.parsing.sheets import SheetParser, SheetParserConfig
from heta_framework.kb.parsing.text import TextParser, TextParserConfig
from heta_framework.kb.parsing.types import (
    Heading,
    ParsedDocument,
    ParsedPage,
    ParsedSource,
    ParsedTextContent,
    ParseIssue,
    compute_content_sha256,
    make_document_id,
    make_parsed_source,
)

__all__ = [
    "ComputingParser",
    "DocumentExtractorProtocol",
    "DocumentInput",
    "DocumentParseError",
    "DocumentParserProtocol",
    "DocumentParserRegistry",
    "ExtractedBlock",
    "ExtractedDocument",
    "ExtractionOptions",
    "Heading",
    "HtmlParser",
    "HtmlParserConfig",
    "JsonLinesParser",
    "JsonLinesParserConfig",
    "MarkdownParser",
    "ParseIssue",
    "ParsedDocument",
    "ParsedPage",
    "ParsedSource",
    "ParsedTextContent",
    "PdfParser",
    "PdfParserConfig",
    "SheetParser",
    "SheetParserConfig",
    "TextParser",
    "TextParserConfig",
    "compute_content_sha256",
    "make_document_id",
    "make_parsed_source",
]
