"""Markdown: the text as it was written, and where its sections begin."""

from __future__ import annotations

import re

from heta_framework.kb.parsing.decoding import decoded
from heta_framework.kb.parsing.outline import Outline
from heta_framework.kb.parsing.text import TextParser
from heta_framework.kb.parsing.types import Heading, ParsedDocument, ParsedPage, ParsedSource, document_of

_LINE = re.compile(r"[^\n]*\n?")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*))?$")
_CLOSING = re.compile(r"(^|[ \t]+)#+[ \t]*$")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_NO_PARAGRAPH = re.compile(r"\s*$| {0,3}(>|[-*+][ \t]|\d{1,9}[.)][ \t])| {4}|\t")


class MarkdownParser(TextParser):
    """Reads Markdown as one page; headings in both styles of CommonMark, not those inside fenced code."""

    @property
    def supported_file_types(self) -> frozenset[str]:
        """``md`` and ``markdown``."""
        return frozenset({"md", "markdown"})

    def parse_now(self, source: ParsedSource, data: bytes) -> ParsedDocument:
        """One page with its headings."""
        self.check_type(source)
        text = decoded(data, self.config.encodings)
        return document_of(source, [ParsedPage(0, text, markdown_headings(text))])


def markdown_headings(text: str) -> tuple[Heading, ...]:
    """The headings of a Markdown text (https://spec.commonmark.org/0.31.2/, 4.2 and 4.3)."""
    outline = Outline()
    fence = ""
    before: tuple[int, str] | None = None
    for found in _LINE.finditer(text):
        line = found[0].rstrip("\r\n")
        if (mark := _FENCE.match(line)) and (not fence or mark[1].startswith(fence)):
            fence, before = ("" if fence else mark[1]), None
        elif fence:
            continue
        elif heading := _ATX.match(line):
            outline.add(len(heading[1]), _CLOSING.sub("", heading[2] or ""), found.start())
            before = None
        elif before and (underline := _UNDERLINE.match(line)):
            outline.add(1 if underline[1][0] == "=" else 2, before[1], before[0])
            before = None
        else:
            before = None if _NO_PARAGRAPH.match(line) else (found.start(), line)
    return outline.headings()
