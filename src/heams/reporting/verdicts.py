"""How a record is called at a glance: passed, in part, failed, or why it has no value."""

VERDICTS = ("pass", "partial", "fail", "unscored", "error", "unsupported", "skipped")
"""All of them, in the order in which they are listed."""
FAILED = ("fail", "error", "unsupported")
"""Those that count as 0."""

VERDICT = """CASE
    WHEN outcome <> 'scored' THEN outcome
    WHEN passed THEN 'pass'
    WHEN NOT passed THEN 'fail'
    WHEN value >= 1 THEN 'pass'
    WHEN value <= 0 THEN 'fail'
    ELSE 'partial'
END"""
"""An SQL expression over ``outcome``, ``passed`` and ``value``: what an evaluator said outranks the value."""
