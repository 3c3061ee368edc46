"""Every attempt at every repeat of a sample, and which of them count."""

from dataclasses import dataclass

from heams.reporting.tables import Tables

_ATTEMPTS = """
    SELECT attempts.rowid, repeat, attempt, status, timings.total, error.phase, error.type, error.message,
           attempts.rowid IN (SELECT position FROM finals)
    FROM attempts JOIN chosen USING (run_id) WHERE sample_id = $sample_id ORDER BY repeat, attempt
"""
_LIKE = """
    SELECT sample_id FROM (SELECT DISTINCT sample_id FROM scenarios)
    ORDER BY jaro_winkler_similarity(lower(sample_id), lower($wanted)) DESC, sample_id LIMIT $most
"""
_COMPARED = 200
"""Characters of an id that is looked for: addresses can hold much longer ones."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt. ``position`` identifies it in the tables; ``final`` where it is the one that counts.

    ``message`` is cut to what the tables keep. ``phase``, ``type`` and ``message`` are None where nothing failed.
    """

    position: int
    repeat: int
    attempt: int
    status: str
    seconds: float | None
    phase: str | None
    type: str | None
    message: str | None
    final: bool


def attempts_at(tables: Tables, sample_id: str) -> list[Attempt]:
    """All attempts at a sample by repeat and number; none where there is no such sample."""
    return [Attempt(*row) for row in tables.rows(_ATTEMPTS, {"sample_id": sample_id})]


def similar_ids(tables: Tables, wanted: str, most: int = 3) -> list[str]:
    """The ids that look most like one that does not exist."""
    return [found for (found,) in tables.rows(_LIKE, {"wanted": wanted[:_COMPARED], "most": most})]
