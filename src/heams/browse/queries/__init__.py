"""Questions to the tables of an experiment, one a file; the answers are frozen objects."""

from heams.browse.queries.columns import COLUMNS, Column, chosen_columns, columns_text, tag_columns
from heams.browse.queries.export import CONTENT_TYPES, Layout, export_rows
from heams.browse.queries.facets import Facet, FacetValue, facets
from heams.browse.queries.histogram import Bin, Histogram, histogram
from heams.browse.queries.known import known_values, tag_names
from heams.browse.queries.page import SamplePage, sample_page
from heams.browse.queries.rows import SampleRow
from heams.browse.queries.selection import Label, LabelKey, Metric, Selection
from heams.browse.queries.sorting import SortError, SortKey, parse_sort, sort_text

__all__ = [
    "COLUMNS",
    "CONTENT_TYPES",
    "Bin",
    "Column",
    "Facet",
    "FacetValue",
    "Histogram",
    "Label",
    "LabelKey",
    "Layout",
    "Metric",
    "SamplePage",
    "SampleRow",
    "Selection",
    "SortError",
    "SortKey",
    "chosen_columns",
    "columns_text",
    "export_rows",
    "facets",
    "histogram",
    "known_values",
    "parse_sort",
    "sample_page",
    "sort_text",
    "tag_columns",
    "tag_names",
]
