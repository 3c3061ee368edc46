"""Markdown that shows text exactly as it is: nothing a model wrote can become markup, a link, HTML or a table border.

Text is plain unless it is a ``Markdown``; tables and headings escape what is plain. Written for CommonMark with tables.
"""

import re
from collections.abc import Iterable, Sequence
from urllib.parse import quote

_MARKUP = re.compile(r"[\\`*\[\]~$]|(?<!\S)#|(?<!\w)_+|_+(?!\w)")
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "|": "&#124;"})
_BARE_LINK = re.compile(r"(:)(?=//)|(?i:(?<=www)(\.))")
_INVISIBLE = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")
EMPTY = "—"


class Markdown(str):
    """Text that is Markdown already. Only for what was built from escaped parts."""

    __slots__ = ()


def escape(text: str) -> Markdown:
    """``text`` as one line of Markdown that reads the same.

    White space is squeezed, and characters that are invisible or change the direction of reading become U+FFFD.
    """
    if isinstance(text, Markdown):
        return text
    line = _INVISIBLE.sub("\ufffd", " ".join(text.split()))
    line = _MARKUP.sub(_with_backslashes, line).translate(_ENTITIES)
    return Markdown(_BARE_LINK.sub(lambda found: "&#58;" if found[1] else "&#46;", line))


def _with_backslashes(found: re.Match[str]) -> str:
    return "".join(f"\\{character}" for character in found[0])


def clipped(text: str | None, limit: int = 240) -> Markdown:
    """The beginning of ``text``, escaped; a dash for None, and words for an empty text."""
    if text is None:
        return Markdown(EMPTY)
    line = " ".join(text.split())
    if not line:
        return Markdown("*(empty)*")
    return escape(line if len(line) <= limit else f"{line[:limit].rstrip()} …")


def heading(level: int, text: str) -> Markdown:
    """A heading of ``level`` 1 to 6."""
    return Markdown(f"{'#' * level} {escape(text)}")


def bold(text: str) -> Markdown:
    """Strong text."""
    return Markdown(f"**{escape(text)}**")


def link(text: str, target: str) -> Markdown:
    """A link to a file beside the report."""
    return Markdown(f"[{escape(text)}]({quote(target)})")


def fenced(text: str, language: str = "") -> Markdown:
    """``text`` as a block of code, whatever fences it holds itself."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    lines = (_INVISIBLE.sub("\ufffd", line) for line in text.rstrip("\n").split("\n"))
    return Markdown("\n".join([f"{fence}{language}", *lines, fence]))


def bullets(items: Iterable[str]) -> Markdown:
    """A list."""
    return Markdown("\n".join(f"- {escape(item)}" for item in items))


def joined(parts: Iterable[str], separator: str = ", ") -> Markdown:
    """Parts in one line, each escaped unless it is Markdown."""
    return Markdown(separator.join(escape(part) for part in parts))


def document(blocks: Iterable[str]) -> str:
    """Blocks as a whole document; empty ones are left out."""
    return "\n\n".join(block for block in blocks if block) + "\n"


class Table:
    """A table. Columns whose name begins with ``>`` are aligned to the right. Cells that are empty become a dash."""

    def __init__(self, *columns: str) -> None:
        self._columns = [column.removeprefix(">") for column in columns]
        self._rules = ["---:" if column.startswith(">") else "---" for column in columns]
        self._rows: list[list[Markdown]] = []

    def add(self, *cells: str) -> None:
        """Add a row with one cell for each column."""
        if len(cells) != len(self._columns):
            raise ValueError(f"found {len(cells)} cells for {len(self._columns)} columns")
        self._rows.append([escape(cell) for cell in cells])

    def __bool__(self) -> bool:
        return bool(self._rows)

    def __str__(self) -> str:
        head = [escape(column) for column in self._columns]
        rows: list[Sequence[str]] = [head, self._rules, *self._rows]
        return "\n".join(f"| {' | '.join(cell or EMPTY for cell in row)} |" for row in rows)
