"""The visible text of an HTML tree in reading order: blocks as lines, tables as rows, headings noted.

The tree is walked without recursion, so that its depth does not matter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from heta_framework.kb.parsing.outline import Outline
from heta_framework.kb.parsing.types import Heading

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_BLOCK_TAGS = """
address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset figcaption figure
footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol option p pre search section summary
table tbody tfoot thead tr ul
"""
_UNSEEN_TAGS = """
script style template noscript head svg math iframe object embed canvas audio video datalist select
"""
_BLOCKS = frozenset(_BLOCK_TAGS.split())
_UNSEEN = frozenset(_UNSEEN_TAGS.split())
_CELLS = frozenset({"td", "th"})
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_VERBATIM = frozenset({"pre", "textarea"})
_HIDING = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_SPACE = re.compile(r"[ \t\r\n\f\u00a0]+")
_BLANK_LINES = re.compile(r"\n{3,}")


def visible_text(root: LexborNode, title: str) -> tuple[str, tuple[Heading, ...]]:
    """The text below a node, after the document's title, and where its sections begin."""
    page = _Page()
    if title.strip():
        page.write(title, verbatim=False)
        page.end_line()
    for node, entering in _walk(root):
        page.visit(node, entering=entering)
    return page.finished()


def _walk(root: LexborNode) -> Iterator[tuple[LexborNode, bool]]:
    """Every visible node, at its beginning and at its end."""
    node: LexborNode | None = root
    path: list[LexborNode] = []
    while node is not None:
        visible = not _is_hidden(node)
        if visible:
            yield node, True
            if (child := node.child) is not None:
                path.append(node)
                node = child
                continue
            yield node, False
        if not path:
            return
        node = node.next
        while node is None and path:
            closed = path.pop()
            yield closed, False
            if not path:
                return
            node = closed.next


def _is_hidden(node: LexborNode) -> bool:
    tag = node.tag
    if tag in _UNSEEN or tag == "-comment":
        return True
    if tag == "-text":
        return False
    attributes = node.attributes
    return bool(attributes) and ("hidden" in attributes or bool(_HIDING.search(attributes.get("style") or "")))


class _Page:
    """The text so far."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._length = 0
        self._line = ""
        self._verbatim = 0
        self._cells = 0
        self._heading: tuple[int, int, int] | None = None
        self._outline = Outline()

    def visit(self, node: LexborNode, *, entering: bool) -> None:
        tag = node.tag or ""
        if tag == "-text":
            if entering:
                self.write(node.text_content or "", verbatim=self._verbatim > 0)
            return
        if tag in _CELLS:
            self._cell(entering=entering)
        elif tag in _BLOCKS:
            self._block(tag, entering=entering)
        if tag in _VERBATIM:
            self._verbatim += 1 if entering else -1

    def write(self, text: str, *, verbatim: bool) -> None:
        if verbatim:
            *whole, rest = text.replace("\r\n", "\n").split("\n")
            for line in whole:
                self._line += line
                self.end_line(keep_blank=True)
            self._line += rest
            return
        plain = _SPACE.sub(" ", text)
        self._line += plain.lstrip(" ") if not self._line or self._line.endswith(" ") else plain

    def end_line(self, *, keep_blank: bool = False) -> None:
        line = self._line.rstrip(" ")
        self._line = ""
        if line or keep_blank:
            self._lines.append(line)
            self._length += len(line) + 1

    def finished(self) -> tuple[str, tuple[Heading, ...]]:
        self.end_line()
        return "\n".join(self._lines), self._outline.headings()

    def _cell(self, *, entering: bool) -> None:
        if entering:
            if self._cells:
                self._line = f"{self._line.rstrip(' ')} | "
            self._cells += 1

    def _block(self, tag: str, *, entering: bool) -> None:
        if self._cells and tag != "tr" and tag != "table":
            self._line += "" if not self._line or self._line.endswith(" ") else " "  # a row stays one line
            return
        self.end_line()
        if tag in ("tr", "table"):
            self._cells = 0
        if tag in _HEADINGS:
            self._head(_HEADINGS[tag], entering=entering)

    def _head(self, level: int, *, entering: bool) -> None:
        if entering:
            self._heading = (level, self._length, len(self._lines))
        elif self._heading:
            level, start, first = self._heading
            self._outline.add(level, " ".join(self._lines[first:]), start)
            self._heading = None
