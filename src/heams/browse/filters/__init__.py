"""The filter language of `heams browse`: text to typed filter to SQL and back, edits for facets, completion."""

from heams.browse.filters.completion import Completion, KnownValues, ValueCount, complete
from heams.browse.filters.edits import with_range, with_term, without, without_value
from heams.browse.filters.errors import FilterError
from heams.browse.filters.fields import FIELDS, Field
from heams.browse.filters.parsing import parse
from heams.browse.filters.sql import Condition, condition_of
from heams.browse.filters.syntax import EVERYTHING, Filter
from heams.browse.filters.text import to_text

__all__ = [
    "EVERYTHING",
    "FIELDS",
    "Completion",
    "Condition",
    "Field",
    "Filter",
    "FilterError",
    "KnownValues",
    "ValueCount",
    "complete",
    "condition_of",
    "parse",
    "to_text",
    "with_range",
    "with_term",
    "without",
    "without_value",
]
