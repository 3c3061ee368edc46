"""Compares experiments for pages: in another process where that takes memory, once for all who ask."""

from heams.browse.comparing.computing import Wish, compare_now
from heams.browse.comparing.condensed import Condensed
from heams.browse.comparing.kept import Comparisons, StillComparing
from heams.browse.comparing.marks import Contest, Marks, Standings

__all__ = ["Comparisons", "Condensed", "Contest", "Marks", "Standings", "StillComparing", "Wish", "compare_now"]
