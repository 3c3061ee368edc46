"""What a page has only for a server or a script goes: forms, live parts, and the frames of what has gone."""

from collections.abc import Iterable, Iterator

from markupsafe import escape
from selectolax.lexbor import LexborHTMLParser, LexborNode

_ACTIVE = "script, style, link, meta, base, iframe, object, embed, template, dialog, audio, video, frame, portal, math"
_LIVE = ".js-only, .no-js, a[download], [data-dialog], form[method=post]"
_CONTROLS = "input, button, select, textarea, fieldset, datalist"


def take_out(main: LexborNode) -> None:
    """Everything that runs, sends or waits for a server."""
    _remove(main.css("details:has(form), details:has(a[download])"))
    _remove(main.css(f"{_ACTIVE}, {_LIVE}"))
    for node in main.css("noscript"):
        node.unwrap()
    _remove(node for node in main.css("[hx-trigger=load]") if node.css_first("img") is None)  # for a server to fill
    _settle_forms(main)
    _remove(main.css(_CONTROLS))


def sweep(main: LexborNode) -> None:
    """Frames of what was taken out, and choices that all lead elsewhere; to be called when links are known."""
    frames = main.css("section.card, .actions, form")
    _remove(node for node in frames if not node.text(strip=True) and node.css_first("svg") is None)
    _remove(node for node in main.css("aside, .segments") if node.css_first("[href]") is None)


def _settle_forms(main: LexborNode) -> None:
    """What was chosen stays, because it says what is shown; words about buttons and fields go with them."""
    for select in main.css("form select"):
        chosen = select.css_first("option[selected]")
        if chosen is not None:
            words = escape(chosen.text().strip())
            select.replace_with(LexborHTMLParser(f"<b>{words}</b>").css("b")[0])
    around = [button.parent for button in main.css("form button")]
    _remove(one for one in around if one is not None and one.tag in ("p", "div") and one.css_first("a, table") is None)
    _remove(label for label in main.css("label") if label.css_first(_CONTROLS) is not None)


def _remove(nodes: Iterable[LexborNode]) -> None:
    """Each node once, and none that is within another one: that one would be gone already."""
    found = {node.mem_id: node for node in nodes}
    outermost = [node for node in found.values() if not any(above.mem_id in found for above in _above(node))]
    for node in outermost:
        node.decompose()


def _above(node: LexborNode) -> Iterator[LexborNode]:
    parent = node.parent
    while parent is not None:
        yield parent
        parent = parent.parent
