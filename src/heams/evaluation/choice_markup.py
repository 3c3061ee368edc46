"""The text of the first tag of a name, as Beautiful Soup's ``html.parser`` finds it with ``soup.find(name).string``.

PrefEval reads replies that way. What counts: a tag that is never closed reaches to the end; an end tag closes every tag
opened since its own; ``script`` and ``style`` hold raw text; a comment is a piece of text like any other; and a tag
that holds more than one piece has no text at all.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from html.entities import html5
from html.parser import HTMLParser

_VOID = frozenset(
    (
        *("area", "base", "br", "col", "embed", "hr", "img", "input", "keygen", "link", "menuitem", "meta", "param"),
        *("source", "track", "wbr", "basefont", "bgsound", "command", "frame", "image", "isindex", "nextid", "spacer"),
    )
)
"""Tags that hold nothing and are closed at once."""
_CODE_PAGE_END = 256
"""Character references below are read as Windows-1252."""


@dataclass(slots=True)
class _Tag:
    name: str
    pieces: list[_Tag | str] = field(default_factory=list)

    @property
    def string(self) -> str | None:
        """The text, where the tag holds one piece of text, or one tag that does."""
        only: _Tag | str | None = self
        while isinstance(only, _Tag):
            only = only.pieces[0] if len(only.pieces) == 1 else None
        return only


def only_string_of(markup: str, name: str) -> str | None:
    """The string of the first tag ``name``; None where there is no such tag, or it has none.

    Raises:
        AssertionError: Python's parser gives the markup up, for which Beautiful Soup has ``ParserRejectedMarkup``.
    """
    tree = _Tree(name)
    tree.feed(markup)
    tree.close()
    tree.end_text()
    return tree.found.string if tree.found is not None else None


class _Tree(HTMLParser):
    """Builds the tree of ``markup``, and remembers the first tag of a name."""

    # later Pythons take more tags for raw text than those that PrefEval ran on
    CDATA_CONTENT_ELEMENTS = ("script", "style")  # type: ignore[misc]
    RCDATA_CONTENT_ELEMENTS = ()  # type: ignore[misc]

    def __init__(self, name: str) -> None:
        super().__init__(convert_charrefs=False)
        self.found: _Tag | None = None
        self._name = name
        self._open = [_Tag("")]
        self._text: list[str] = []
        self._closed_at_once: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._start(tag)
        if tag in _VOID:
            self._end(tag)
            self._closed_at_once.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._start(tag)
        self._end(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self._closed_at_once:
            self._closed_at_once.remove(tag)
        else:
            self._end(tag)

    def handle_data(self, data: str) -> None:
        self._text.append(data)

    def handle_charref(self, name: str) -> None:
        self._text.append(_character(name))

    def handle_entityref(self, name: str) -> None:
        self._text.append(html5.get(f"{name};", f"&{name}"))

    def handle_comment(self, data: str) -> None:
        self._piece(data)

    def handle_decl(self, decl: str) -> None:
        self._piece(decl)

    def handle_pi(self, data: str) -> None:
        self._piece(data)

    def unknown_decl(self, data: str) -> None:
        self._piece(data)

    def end_text(self) -> None:
        """What was read since the last tag becomes one piece of text."""
        if self._text:
            self._open[-1].pieces.append("".join(self._text))
            self._text.clear()

    def _piece(self, data: str) -> None:
        self.end_text()
        self._open[-1].pieces.append(data)

    def _start(self, name: str) -> None:
        self.end_text()
        tag = _Tag(name)
        self._open[-1].pieces.append(tag)
        self._open.append(tag)
        if name == self._name and self.found is None:
            self.found = tag

    def _end(self, name: str) -> None:
        self.end_text()
        if any(tag.name == name for tag in self._open):
            while self._open.pop().name != name:
                pass


def _character(reference: str) -> str:
    digits = reference.lstrip("xX")
    try:
        number = int(digits, 16) if digits != reference else int(digits)
        if number < _CODE_PAGE_END:
            return bytes([number]).decode("cp1252", errors="ignore") or chr(number)
        return chr(number)
    except (ValueError, OverflowError):
        return "\N{REPLACEMENT CHARACTER}"
