"""Colours of charts: close to Okabe and Ito's, which people with any colour vision tell apart.

A picture does not know on which ground it is shown: every colour has a contrast of at least 3 : 1 with white and with
near black, and text at least 4 : 1. ``static/charts.css`` replaces them by those of the page's theme.
Source: M. Okabe and K. Ito, "Color Universal Design" (2008), changed where one was too light or too dark.
"""

from collections.abc import Mapping

INK = "#7a7a7a"
"""Text, axes, and whatever is no data."""
BLUE = "#1a7fc1"
VERMILION = "#d55e00"
GREEN = "#009e73"
PURPLE = "#b45f93"
AMBER = "#b8860b"
TEAL = "#2a8fa8"
VIOLET = "#8067c9"
SILVER = "#8c8c8c"
WHITE = "#ffffff"
"""Only on strong colour."""
SERIES = (BLUE, VERMILION, GREEN, PURPLE, AMBER, TEAL)
"""Colours of lines, in the order in which they are given out."""

VERDICTS: Mapping[str, str] = {
    "pass": GREEN,
    "partial": AMBER,
    "fail": VERMILION,
    "unscored": VIOLET,
    "error": PURPLE,
    "unsupported": TEAL,
    "skipped": SILVER,
}
"""The colour of each verdict, in the order in which verdicts are listed."""
