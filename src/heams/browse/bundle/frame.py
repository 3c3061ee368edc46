"""What is around the pages: the head with style, script and policy, the bar on top, the shared icons, the end."""

import base64
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from markupsafe import Markup, escape

from heams.browse.bundle.rewriting import Find, Icons, Page
from heams.browse.rendering import links
from heams.browse.rendering.assets import STATIC
from heams.browse.rendering.environment import environment

_COMMON, _OWN = "heams", "bundle"
_HOME = "s0"


@dataclass(frozen=True, slots=True)
class Inline:
    """A style sheet or a script within the file, and the source that the policy names for it."""

    text: Markup

    @property
    def source(self) -> str:
        """Its hash, as a content security policy writes it."""
        digest = hashlib.sha256(self.text.encode()).digest()
        return f"'sha256-{base64.b64encode(digest).decode()}'"


def begin(navigation: Mapping[str, tuple[str, str]], title: str) -> str:
    """The file up to its first page. ``navigation``: words and key by anchor."""
    style, script = Inline(_style()), Inline(_script())
    policy = (
        f"default-src 'none'; style-src {style.source}; script-src {script.source}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    icon = base64.b64encode((STATIC / "icon.svg").read_bytes()).decode()
    return environment().get_template("_bundle/begin.html").render(
        policy=policy, style=style.text, script=script.text, navigation=navigation, title=title, icon=icon, home=_HOME
    )  # fmt: skip


def section(name: str, page: Page, further: Mapping[str, Page]) -> str:
    """A page within the file, and below it further ones by their anchors.

    All but the first page are read only when they are opened, where there is JavaScript.
    """
    sheets = "".join(f" of-{sheet}" for sheet in page.sheets if sheet != _COMMON)
    below = "".join(
        f'<div class="part" id="{anchor}"><h2 class="part-title">{escape(part.part)}</h2>{part.body}</div>'
        for anchor, part in further.items()
    )
    home = " home" if name == _HOME else ""
    whole = (
        f'<section class="page{home}{sheets}" id="{name}" tabindex="-1" aria-label="{escape(page.title)}">'
        f"{page.body}{below}</section>"
    )
    return f"{whole}\n" if home else f'<noscript id="of-{name}">{whole}</noscript>\n'


def comparisons(pairs: Mapping[str, tuple[tuple[str, str], ...]], find: Find) -> Page:
    """All comparisons of the file, by benchmark."""
    title = "Comparisons"
    shown = {
        benchmark: [(a, b, find(links.compare(a, b))) for a, b in of_benchmark]
        for benchmark, of_benchmark in pairs.items()
    }
    body = environment().get_template("_bundle/comparisons.html").render(title=title, pairs=shown)
    return Page(title, "", body, ())


def end(icons: Icons, left_out: list[str]) -> str:
    """The file after its last page. ``left_out``: what it does not hold, in sentences."""
    return environment().get_template("_bundle/end.html").render(
        icons=[(mark, Markup(drawing)) for drawing, mark in icons.marks.items()],  # noqa: S704 - from our templates
        left_out=left_out,
    )  # fmt: skip


def _style() -> Markup:
    """All style sheets; those of single pages apply to these pages alone."""
    own = [path for path in sorted(STATIC.glob("*.css")) if path.stem not in (_COMMON, _OWN)]
    scoped = [f"@scope (.of-{path.stem}) {{\n{path.read_text('utf-8')}}}\n" for path in own]
    whole = "".join([_read("heams.css"), *scoped, _read("bundle.css")])
    return _harmless(whole, "</style")


def _script() -> Markup:
    return _harmless(_read("heams.js") + _read("bundle.js"), "</script")


def _read(name: str) -> str:
    return (STATIC / name).read_text("utf-8")


def _harmless(text: str, end_tag: str) -> Markup:
    if end_tag in text.lower():
        raise ValueError(f"{end_tag} within a file of ours would end it early")
    return Markup(text)  # noqa: S704 - our own files, which cannot end their element
