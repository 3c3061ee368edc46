"""HTML, read with selectolax (lexbor)."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from heta_framework.kb.parsing.decoding import ENCODINGS, checked_encodings, decoded
from heta_framework.kb.parsing.extraction import DocumentExtractorProtocol, extracted_document, extractor_identity
from heta_framework.kb.parsing.protocol import ComputingParser, DocumentParseError
from heta_framework.kb.parsing.types import ParsedDocument, ParsedPage, ParsedSource, ParseIssue, document_of

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

_DECLARED = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([A-Za-z0-9_:.-]{1,40})""", re.IGNORECASE)
_CLOSED_BY_OTHERS = rb"p|li|dt|dd|t[rdh]|tbody|option|br|hr|wbr|img|input|meta|link|col|area|source|param"
_NESTING = re.compile(rb"<(/?)(?!(?:" + _CLOSED_BY_OTHERS + rb")\b)[a-z][^<>]*?(/?)>", re.IGNORECASE)
_DEEPEST = 10_000
_DECLARATION_BYTES = 2_048  # https://html.spec.whatwg.org/#determining-the-character-encoding looks at 1024


@dataclass(frozen=True)
class HtmlParserConfig:
    """How HTML is read.

    Attributes:
        encodings: tried in this order where neither a byte order mark nor the document says its encoding.
        source_url: where the page came from; kept for callers, nothing is fetched.
        describe_images: no model describes images here; where it is asked for, an issue ``not_described`` says so.
        max_described_images, image_prompt: for that; they change nothing.
    """

    encodings: tuple[str, ...] = ENCODINGS
    source_url: str = ""
    describe_images: bool = False
    max_described_images: int = 20
    image_prompt: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "encodings", checked_encodings(self.encodings))


class HtmlParser(ComputingParser):
    """Reads a page's visible text in reading order: its title, blocks as lines, tables as rows, links as their text.

    Scripts, styles and hidden elements are left out.
    """

    def __init__(
        self,
        config: HtmlParserConfig | None = None,
        *,
        vision_model: object | None = None,
        extractor: DocumentExtractorProtocol | None = None,
    ) -> None:
        """Read with selectolax, or with an extractor of the caller's own.

        Args:
            vision_model: is not asked, see `HtmlParserConfig.describe_images`.
        """
        self.config = config or HtmlParserConfig()
        self.vision_model = vision_model
        self.extractor = extractor
        self.computes = self.computes and extractor is None
        self.version = 1 if extractor is None else extractor_identity(extractor)

    @property
    def supported_file_types(self) -> frozenset[str]:
        """``html`` and ``htm``."""
        return frozenset({"html", "htm"})

    async def parse(self, source: ParsedSource, data: bytes) -> ParsedDocument:
        """One page."""
        if self.extractor is None:
            return await super().parse(source, data)
        self.check_type(source)
        return await extracted_document(self.extractor, source, data, None, "text/html")

    def parse_now(self, source: ParsedSource, data: bytes) -> ParsedDocument:
        """`parse`, in the calling thread."""
        from selectolax.lexbor import LexborHTMLParser

        from heta_framework.kb.parsing.html_text import visible_text

        self.check_type(source)
        _check_depth(data)
        tree = LexborHTMLParser(decoded(data, _declared(data) + self.config.encodings))
        title = tree.css_first("title")
        root = tree.body or tree.root
        if root is None:
            return document_of(source, [ParsedPage(0, "")])
        text, headings = visible_text(root, title.text() if title is not None else "")
        return document_of(source, [ParsedPage(0, text, headings)], self._left_out(tree))

    def _left_out(self, tree: LexborHTMLParser) -> tuple[ParseIssue, ...]:
        images = len(tree.css("img")) if self.config.describe_images else 0
        return (ParseIssue("not_described", f"{images} images are not described", "info"),) if images else ()


def _check_depth(data: bytes) -> None:
    """Refuse what takes the square of its depth to build; browsers stop at 512 levels."""
    if data.count(b"<") <= _DEEPEST:
        return
    depth = 0
    for tag in _NESTING.finditer(data):
        depth = max(0, depth - 1) if tag[1] else depth + (not tag[2])
        if depth > _DEEPEST:
            raise DocumentParseError(f"its elements are nested more than {_DEEPEST} levels deep")


def _declared(data: bytes) -> tuple[str, ...]:
    found = _DECLARED.search(data[:_DECLARATION_BYTES])
    name = found[1].decode("ascii") if found else ""
    try:
        return (codecs.lookup(name).name,) if name else ()
    except LookupError:
        return ()
