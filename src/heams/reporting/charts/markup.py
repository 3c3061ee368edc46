"""Cleans the SVG of the renderer: one picture without scripts, styles, addresses or identifiers, named for all readers.

It is parsed and rebuilt from a list of allowed elements and attributes, so whatever a later version of the renderer
might add is refused or left out. What is left is small: invisible frames go, coordinates have two decimals.
"""

import re
from collections.abc import Iterator
from xml.etree import ElementTree as ET

from heams.reporting.charts.errors import ChartError
from heams.reporting.charts.links import unpacked
from heams.reporting.charts.theme import FONT

_SVG = "http://www.w3.org/2000/svg"
_XLINK_HREF = "{http://www.w3.org/1999/xlink}href"
_ELEMENTS = frozenset({"svg", "g", "path", "line", "rect", "text", "tspan", "a"})
_GEOMETRY = frozenset({"transform", "d", "x", "y", "x1", "y1", "x2", "y2", "width", "height", "r", "cx", "cy"})
_PAINT = frozenset(
    {
        "class", "viewBox", "fill", "fill-opacity", "stroke", "stroke-opacity", "stroke-width", "stroke-dasharray",
        "stroke-dashoffset", "stroke-linecap", "stroke-linejoin", "stroke-miterlimit", "opacity", "text-anchor",
        "font-size", "font-weight", "font-style", "dx", "dy",
    }
)  # fmt: skip
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
_EMPTY_FRAMES = ("", "M0,0h0v0h0Z")


def cleaned(markup: str, title: str, description: str) -> str:
    """The picture under its name. ``title`` is its ``<title>``, ``description`` what is read aloud.

    Raises:
        ChartError: it is no SVG, or holds an element or a link that no chart of ours has.
    """
    try:
        drawn = ET.fromstring(markup)  # noqa: S314 - written by our own renderer, without a document type
    except ET.ParseError as cause:
        raise ChartError(f"the picture of the chart {title!r} is no XML: {cause}") from None
    root = _rebuilt(drawn, marks=False)
    root.set("xmlns", _SVG)
    root.set("class", "chart")
    root.set("font-family", FONT)
    # role="img" hides what is inside from screen readers, also links
    root.set("role", "img" if root.find(".//a") is None else "group")
    root.set("aria-label", description)
    name = ET.Element("title")
    name.text = title
    root.insert(0, name)
    return ET.tostring(root, encoding="unicode") + "\n"


def _rebuilt(element: ET.Element, *, marks: bool) -> ET.Element:
    """``marks``: whether it is within a group that stands for data, whose labels are shown on hovering."""
    tag = _local(element.tag)
    if tag not in _ELEMENTS:
        raise ChartError(f"charts have no <{tag}>; allowed are {', '.join(sorted(_ELEMENTS))}")
    marks = marks or "role-mark" in element.get("class", "")
    found = ET.Element(tag, dict(_attributes(element)))
    label = element.get("aria-label")
    if marks and label and tag != "g":
        ET.SubElement(found, "title").text = label
    if element.text:
        _append_text(found, element.text)
    found.extend([_rebuilt(child, marks=marks) for child in element if not _invisible(child)])
    if tag == "a":
        _name_link(found)
    return found


def _attributes(element: ET.Element) -> Iterator[tuple[str, str]]:
    for name, value in element.attrib.items():
        if name in _GEOMETRY:
            yield name, _NUMBER.sub(_rounded, value)
        elif name == _XLINK_HREF:
            yield "href", _own_path(value)
        elif name == "font-family":
            continue  # the root's
        elif name in _PAINT and (name, value) != ("opacity", "1") and "url(" not in value:
            yield name, value


def _own_path(address: str) -> str:
    path = unpacked(address)
    if path is None:
        raise ChartError(f"a chart links to {address!r}; only paths of our own are allowed")
    return path


def _rounded(number: re.Match[str]) -> str:
    text = number[0]
    if text.lstrip("-").isdigit():
        return text
    short = f"{float(text):.2f}".rstrip("0").rstrip(".")
    return "0" if short == "-0" else short


def _invisible(element: ET.Element) -> bool:
    return element.get("display") == "none" or (
        element.get("class") in ("background", "foreground") and element.get("d", "") in _EMPTY_FRAMES
    )


def _append_text(element: ET.Element, text: str) -> None:
    if len(element):
        element[-1].tail = text
    else:
        element.text = text


def _name_link(link: ET.Element) -> None:
    title = link.find(".//title")
    if title is not None and title.text:
        link.set("aria-label", title.text)


def _local(tag: str) -> str:
    return tag.removeprefix(f"{{{_SVG}}}")
