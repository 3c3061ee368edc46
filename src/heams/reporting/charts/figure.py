"""A chart as a block of a report: Markdown that shows a picture, and what is drawn in it."""

import re
from collections.abc import Callable, Iterable, Iterator

from heams.reporting.charts.theme import Chart
from heams.reporting.markdown import Markdown, escape

FOLDER = "charts"
_NAME = re.compile(r"[A-Za-z0-9_-]+")


class Figure(Markdown):
    """``![alt](charts/<name>.svg)``. The chart is drawn, and its file written, by whoever writes the report.

    ``name`` is unique in its report, of letters, digits, ``-`` and ``_``. ``alt`` says what is seen.
    """

    __slots__ = ("build", "name")

    name: str
    build: "Callable[[], Chart | None]"

    def __new__(cls, name: str, alt: str, build: "Callable[[], Chart | None]") -> "Figure":
        """A figure whose chart is built only when it is drawn.

        Raises:
            ValueError: ``name`` could be more than the name of a file.
        """
        if not _NAME.fullmatch(name):
            raise ValueError(f"the name of a figure has letters, digits, '-' and '_' only; found {name!r}")
        figure = super().__new__(cls, f"![{escape(alt)}]({FOLDER}/{name}.svg)")
        figure.name = name
        figure.build = build
        return figure


def without_figures(blocks: Iterable[str]) -> Iterator[str]:
    """The blocks that are text."""
    return (block for block in blocks if not isinstance(block, Figure))
