"""The keys that every page knows; a page adds its own in the block ``keys``."""

COMMON_KEYS = (
    (("j", "k"), "next and previous row, or sample"),
    (("J", "K"), "next and previous one that failed"),
    (("/",), "search, or filter"),
    (("g r",), "all runs"),
    (("g m",), "matrix"),
    (("g c",), "compare"),
    (("g j",), "judge"),
    (("?",), "this help"),
    (("Esc",), "leave a field, close this, or go back"),
)
"""Keys, and what they do."""
