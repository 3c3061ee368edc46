"""Plain text."""

from __future__ import annotations

from dataclasses import dataclass

from heta_framework.kb.parsing.decoding import ENCODINGS, checked_encodings, decoded
from heta_framework.kb.parsing.protocol import ComputingParser
from heta_framework.kb.parsing.types import ParsedDocument, ParsedPage, ParsedSource, document_of


@dataclass(frozen=True)
class TextParserConfig:
    """How text is read.

    Attributes:
        encodings: tried in this order; a byte order mark goes before them.
    """

    encodings: tuple[str, ...] = ENCODINGS

    def __post_init__(self) -> None:
        object.__setattr__(self, "encodings", checked_encodings(self.encodings))


class TextParser(ComputingParser):
    """Reads a text as one page."""

    def __init__(self, config: TextParserConfig | None = None) -> None:
        self.config = config or TextParserConfig()

    @property
    def supported_file_types(self) -> frozenset[str]:
        """``txt``, ``text``, ``md`` and ``markdown``."""
        return frozenset({"txt", "text", "md", "markdown"})

    async def parse(self, source: ParsedSource, data: bytes) -> ParsedDocument:
        """One page; decoding is too cheap for a thread of its own."""
        return self.parse_now(source, data)

    def parse_now(self, source: ParsedSource, data: bytes) -> ParsedDocument:
        """`parse`, in the calling thread."""
        self.check_type(source)
        return document_of(source, [ParsedPage(0, decoded(data, self.config.encodings))])
