"""Which kinds of documents a recipe reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from heta_framework.kb.parsing import DocumentParserRegistry

ParserName = Literal["text", "markdown", "html", "pdf", "sheets", "json_lines"]

_CLASSES: dict[ParserName, str] = {
    "text": "TextParser",
    "markdown": "MarkdownParser",
    "html": "HtmlParser",
    "pdf": "PdfParser",
    "sheets": "SheetParser",
    "json_lines": "JsonLinesParser",
}


def open_parsers(names: tuple[ParserName, ...] | None) -> DocumentParserRegistry:
    """A registry of the parsers of these names; of all of them for None.

    The parser for plain text takes Markdown too, and leaves it to the one for Markdown where both are named.
    """
    from heta_framework.kb import parsing

    registry = parsing.DocumentParserRegistry()
    for name, parser_class in _CLASSES.items():
        if names is None or name in names:
            registry.register(getattr(parsing, parser_class)(), replace=True)
    return registry
