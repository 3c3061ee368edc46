"""Which parser takes which type of document."""

from __future__ import annotations

from collections.abc import Iterable

from heta_framework.kb.parsing.protocol import DocumentParserProtocol
from heta_framework.kb.parsing.types import ParsedDocument, ParsedSource


class DocumentParserRegistry:
    """Parsers by the file types they take: lower case, without a dot."""

    def __init__(self, parsers: Iterable[DocumentParserProtocol] = ()) -> None:
        """Hold the parsers.

        Raises:
            ValueError: two of them take the same type.
        """
        self._by_type: dict[str, DocumentParserProtocol] = {}
        for parser in parsers:
            self.register(parser)

    @classmethod
    def defaults(cls) -> DocumentParserRegistry:
        """The built-in parsers: text, Markdown, HTML, PDF, sheets and JSON lines."""
        from heta_framework.kb.parsing.html import HtmlParser
        from heta_framework.kb.parsing.json_lines import JsonLinesParser
        from heta_framework.kb.parsing.markdown import MarkdownParser
        from heta_framework.kb.parsing.pdf import PdfParser
        from heta_framework.kb.parsing.sheets import SheetParser
        from heta_framework.kb.parsing.text import TextParser

        registry = cls([TextParser(), HtmlParser(), PdfParser(), SheetParser(), JsonLinesParser()])
        return registry.register(MarkdownParser(), replace=True)

    @property
    def supported_file_types(self) -> set[str]:
        """Every type that some parser takes."""
        return set(self._by_type)

    @property
    def parsers(self) -> tuple[DocumentParserProtocol, ...]:
        """The parsers, each once, in the order in which they came."""
        return tuple({id(parser): parser for parser in self._by_type.values()}.values())

    def register(self, parser: DocumentParserProtocol, *, replace: bool = False) -> DocumentParserRegistry:
        """Take a parser; return the registry.

        Raises:
            TypeError: it is no parser.
            ValueError: another one takes one of its types, and ``replace`` is not set.
        """
        if not isinstance(parser, DocumentParserProtocol):
            raise TypeError(f"a parser has supported_file_types and parse(), found {type(parser).__name__}")
        types = sorted(map(_normal, parser.supported_file_types))
        taken = [file_type for file_type in types if file_type in self._by_type]
        if taken and not replace:
            raise ValueError(f"parser already registered for file type(s): {', '.join(taken)}")
        self._by_type.update(dict.fromkeys(types, parser))
        return self

    def unregister(self, file_type: str) -> DocumentParserProtocol:
        """Let go of the parser of one type; return it.

        Raises:
            ValueError: there is none.
        """
        if _normal(file_type) not in self._by_type:
            raise ValueError(f"no parser registered for file type: {_normal(file_type)}")
        return self._by_type.pop(_normal(file_type))

    def find_parser(self, file_type: str) -> DocumentParserProtocol | None:
        """The parser of a type; None where there is none."""
        return self._by_type.get(_normal(file_type))

    def get_parser(self, file_type: str) -> DocumentParserProtocol:
        """The parser of a type.

        Raises:
            ValueError: there is none; the message names the types there are.
        """
        parser = self.find_parser(file_type)
        if parser is None:
            known = ", ".join(sorted(self._by_type)) or "none"
            raise ValueError(f"no parser registered for file type: {_normal(file_type)}; supported: {known}")
        return parser

    async def parse(self, source: ParsedSource, data: bytes) -> ParsedDocument:
        """Parse a document with the parser of its type.

        Raises:
            ValueError: there is none, or (DocumentParseError) the document cannot be read.
        """
        return await self.get_parser(source.file_type).parse(source, data)


def _normal(file_type: str) -> str:
    return file_type.strip().lower().lstrip(".")
