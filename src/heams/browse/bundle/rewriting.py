"""A page of the application becomes a section of the file: no scripts, no forms, nothing to load, links as anchors.

The page is parsed as a browser would, changed as a tree and written again, so that what was text stays text. Elements
and attributes that could load or run something go, whoever wrote them.
"""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from selectolax.lexbor import LexborHTMLParser, LexborNode

from heams.browse.bundle.shortening import shorten
from heams.browse.bundle.taking_out import sweep, take_out
from heams.browse.rendering.foreign_text import symbol

_REFERENCES = ("aria-labelledby", "aria-describedby", "aria-controls", "headers", "for")
_KEPT_DATA = frozenset({"data-label", "data-key", "data-row", "data-failed"})
_DROPPED = frozenset(
    {
        "style", "action", "method", "formaction", "src", "srcset", "ping", "target", "download", "rel", "background",
        "poster", "cite", "longdesc", "autofocus", "enctype", "accesskey", "nonce", "is", "slot", "popovertarget",
    }
)  # fmt: skip
_DRAWN = ("viewBox", "fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "focusable", "aria-hidden")
"""What the style sheet says of icons in this file."""
_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\u061c]")
_EVERYWHERE = " · heams browse"
_CHARTS = "/charts/"
Find = Callable[[str], str | None]


@dataclass(slots=True)
class Icons:
    """Small pictures that come again and again: each is in the file once. Its mark by what it draws."""

    marks: dict[str, str] = field(default_factory=dict)

    def mark(self, drawing: str) -> str:
        """The identifier of a drawing."""
        return self.marks.setdefault(drawing, f"i{len(self.marks)}")


@dataclass(frozen=True, slots=True)
class Page:
    """What is taken of a page: its title, the content of ``main``, the style sheets that it needs.

    ``part`` is the name of the tab that it shows.
    """

    title: str
    part: str
    body: str
    sheets: tuple[str, ...]


def rewritten(page: str, name: str, find: Find, picture: Find, icons: Icons, *, below: bool = False) -> Page:
    """The page as section ``name``; ``below`` leaves out its heading, which ends with the tabs.

    ``find`` gives the anchor of an address, ``picture`` the SVG at one; both give None where there is nothing.
    """
    parsed = LexborHTMLParser(page)
    main = parsed.css_first("main")
    if main is None:
        raise ValueError("a page without <main>")
    title = parsed.css_first("title")
    tab = main.css_first(".tabs [aria-current]")
    part = tab.text().strip() if tab is not None else ""
    if below:
        _behead(main)
    take_out(main)
    shorten(main)
    _draw(main, picture)
    _link(main, name, find)
    sweep(main)
    _share(main, icons)
    _scrub(main, name)
    words = title.text().strip().removesuffix(_EVERYWHERE) if title is not None else ""
    return Page(_seen(words), part, main.inner_html or "", _sheets(parsed))


def _sheets(parsed: LexborHTMLParser) -> tuple[str, ...]:
    addresses = (node.attributes.get("href") or "" for node in parsed.css("head link[rel=stylesheet]"))
    return tuple(PurePosixPath(address.partition("?")[0]).stem for address in addresses)


def _behead(main: LexborNode) -> None:
    tabs = main.css_first(".tabs")
    last = tabs.parent if tabs is not None else None
    while last is not None and main.first_child is not None:
        done = main.first_child == last
        main.first_child.decompose()
        if done:
            return


def _draw(main: LexborNode, picture: Find) -> None:
    """Charts become part of the page."""
    for image in main.css("img"):
        address = image.attributes.get("src") or ""
        drawn = picture(address) if address.startswith(_CHARTS) else None
        root = LexborHTMLParser(drawn).css_first("svg") if drawn is not None else None
        if root is None:
            image.decompose()
        else:
            image.replace_with(root)


def _link(main: LexborNode, name: str, find: Find) -> None:
    anchors = {node.attributes["id"] for node in main.css("[id]")}
    for node in main.css("a"):
        href = node.attributes.get("href") or node.attributes.get("xlink:href") or ""
        anchor = _inner(name, href[1:], anchors) if href.startswith("#") else find(href)
        _without(node, "xlink:href")
        if anchor is not None and not (anchor == name and _is(node, "button")):
            node.attrs["href"] = f"#{anchor}"
        else:
            _unlink(node)


def _inner(name: str, fragment: str, anchors: Collection[str | None]) -> str | None:
    """An anchor within the page. One that is not there would show the first page."""
    return f"{name}-{fragment}" if fragment in anchors else None


def _unlink(node: LexborNode) -> None:
    """A link to what the file leaves out: its words stay where they say something; a bare choice goes."""
    parent = node.parent
    if _is(node, "button"):
        node.decompose()
    elif parent is not None and parent.tag == "th" and parent.attributes.get("scope") == "col":
        node.unwrap()
    elif parent is not None and parent.tag == "li" and _is(parent.parent, "tabs"):
        parent.decompose()
    elif _is(parent, "segments") and "aria-current" not in node.attributes:
        node.decompose()
    else:
        _without(node, "href", "data-key", "data-row", "data-failed")


def _without(node: LexborNode, *attributes: str) -> None:
    for attribute in attributes:
        if attribute in node.attributes:
            del node.attrs[attribute]


def _is(node: LexborNode | None, kind: str) -> bool:
    return node is not None and kind in (node.attributes.get("class") or "").split()


def _share(main: LexborNode, icons: Icons) -> None:
    for node in main.css("svg.icon"):
        mark = icons.mark(node.inner_html or "")
        _without(node, *_DRAWN)
        node.inner_html = f'<use href="#{mark}"></use>'


def _scrub(main: LexborNode, name: str) -> None:
    """Attributes that could run or load something go; identifiers become those of this section."""
    for node in main.traverse():
        if not node.is_element_node:
            continue
        for attribute, value in node.attributes.items():
            if _goes(attribute, value or "", node.tag or ""):
                del node.attrs[attribute]
            elif attribute == "id":
                node.attrs["id"] = f"{name}-{value}"
            elif attribute in _REFERENCES:
                node.attrs[attribute] = " ".join(f"{name}-{one}" for one in (value or "").split())
            elif value and _UNSEEN.search(value):
                node.attrs[attribute] = _seen(value)


def _seen(text: str) -> str:
    """A text of an attribute, where no element can mark what is invisible."""
    return _UNSEEN.sub(lambda found: symbol(found.group()), text)


def _goes(attribute: str, value: str, tag: str) -> bool:
    if attribute.startswith("data-"):
        return attribute not in _KEPT_DATA
    if attribute in ("href", "xlink:href"):
        return not (value.startswith("#") and tag in ("a", "use"))
    return attribute.startswith(("on", "hx-")) or attribute in _DROPPED
