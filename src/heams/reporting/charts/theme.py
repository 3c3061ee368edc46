"""What all charts look like: no ground, quiet axes, a title at the left, colours that a page's style sheet replaces."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from heams.reporting.charts.palette import INK, SERIES
from heams.reporting.charts.text import short

if TYPE_CHECKING:
    import altair as alt

Chart: TypeAlias = "alt.Chart | alt.LayerChart | alt.FacetChart"
Drawn = TypeVar("Drawn", bound="alt.Chart | alt.LayerChart | alt.FacetChart")

FONT = "Arial, Liberation Sans, Helvetica, sans-serif"
"""Liberation Sans comes with the renderer and is as wide as Arial: text takes the same room on every machine."""
_TITLE_LIMIT = 100
_LABEL, _SMALL = 11, 10
_CONFIG: dict[str, Any] = {
    "background": "transparent",
    "font": FONT,
    "view": {"stroke": None},
    "axis": {
        "labelColor": INK,
        "labelFontSize": _LABEL,
        "titleColor": INK,
        "titleFontSize": _LABEL,
        "titleFontWeight": "normal",
        "titlePadding": 8,
        "gridColor": INK,
        "gridOpacity": 0.22,
        "domainColor": INK,
        "domainOpacity": 0.5,
        "tickColor": INK,
        "tickOpacity": 0.5,
        "tickSize": 4,
        "labelPadding": 7,
        "labelLimit": 0,
        "labelOverlap": False,
        "labelFlush": False,
        "titleLimit": 0,
    },
    "header": {"labelColor": INK, "labelFontSize": _LABEL, "labelFontWeight": "bold", "labelAnchor": "start"},
    "legend": {
        "labelColor": INK,
        "labelFontSize": _LABEL,
        "titleColor": INK,
        "titleFontSize": _LABEL,
        "titleFontWeight": "normal",
        "symbolStrokeWidth": 2,
        "labelLimit": 220,
    },
    "title": {
        "anchor": "start",
        "frame": "bounds",
        "color": INK,
        "fontSize": 13,
        "fontWeight": "bold",
        "subtitleColor": INK,
        "subtitleFontSize": _LABEL,
        "subtitlePadding": 4,
        "offset": 12,
    },
    "text": {"color": INK, "fontSize": _SMALL},
    "range": {"category": list(SERIES)},
}


def finished(chart: "Drawn", title: str, *, subtitle: str = "", description: str = "") -> "Drawn":
    """The chart with a title, the words for those who cannot see it, and the common look.

    It is changed in place: Altair's own methods copy a chart with all its data each time.
    """
    words: dict[str, Any] = {"text": short(title, _TITLE_LIMIT)}
    if subtitle:
        words["subtitle"] = subtitle
    chart.title, chart.description, chart.config = words, description or title, _CONFIG
    return chart


def inline(rows: Sequence[Mapping[str, object]]) -> "alt.InlineData":
    """Rows as the data of a chart."""
    import altair as alt

    return alt.InlineData(values=[dict(row) for row in rows])


def step_for(rows: int) -> int:
    """Pixels of a row: airy for a few, dense for many."""
    return 26 if rows <= 10 else 20 if rows <= 24 else 16
