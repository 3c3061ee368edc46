"""What went wrong, by kind, with an example of each."""

from dataclasses import dataclass

from heams.reporting.tables import Tables


@dataclass(frozen=True, slots=True)
class ErrorKind:
    """Scenarios that ended in the same type of error in the same phase."""

    type: str
    phase: str
    count: int
    sample_id: str
    message: str


@dataclass(frozen=True, slots=True)
class Unjudged:
    """Verdicts without a value, for one reason."""

    outcome: str
    metric: str
    reason: str
    count: int
    sample_id: str


_ERRORS = """
    SELECT coalesce(error.type, 'unknown') AS type,
           coalesce(regexp_replace(error.phase, '^step .*', 'step'), '') AS phase, count(*),
           arg_min(sample_id, position), arg_min(coalesce(error.message, ''), position)
    FROM scenarios WHERE status = 'error'
    GROUP BY type, phase ORDER BY count(*) DESC, type, phase
"""
_UNJUDGED = """
    SELECT outcome, metric, coalesce(reason, '') AS reason, count(*), arg_min(sample_id, position)
    FROM records WHERE outcome != 'scored' AND position NOT IN (SELECT position FROM scenarios WHERE status = 'error')
    GROUP BY ALL ORDER BY count(*) DESC, outcome, metric, reason
"""


def error_kinds(tables: Tables) -> list[ErrorKind]:
    """Errors of scenarios, the most frequent kind first."""
    return [ErrorKind(*row) for row in tables.rows(_ERRORS)]


def unjudged(tables: Tables) -> list[Unjudged]:
    """Verdicts without a value in scenarios that were played to their end, the most frequent reason first."""
    return [Unjudged(*row) for row in tables.rows(_UNJUDGED)]
