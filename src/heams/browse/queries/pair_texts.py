"""What the tables of one side say about some of its verdicts: the texts that a comparison does not keep."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from heams.reporting.compare import MetricKey
from heams.reporting.tables import Tables

Place = tuple[int, int, int]
"""Position of the played sample, step (-1 for the whole scenario), and number among alike verdicts of the step."""
_TEXTS = """
    SELECT position, coalesce(step_index, -1), ordinal, sample_id, sample_name, repeat, verdict, left(expected, $limit),
           left(observed, $limit)
    FROM records
    WHERE position IN (SELECT unnest(CAST($positions AS BIGINT[]))) AND evaluator = $evaluator AND metric = $metric
"""
_POSITIONS = "SELECT position FROM scenarios WHERE sample_id = $sample_id"


@dataclass(frozen=True, slots=True)
class VerdictTexts:
    """One verdict; ``expected`` and ``observed`` are cut, and None where the evaluator gave none."""

    sample_id: str
    sample_name: str
    repeat: int
    verdict: str
    expected: str | None
    observed: str | None


def verdict_texts(tables: Tables, key: MetricKey, positions: Sequence[int], limit: int) -> Mapping[Place, VerdictTexts]:
    """The verdicts of one metric at ``positions``, with ``limit`` characters of each text."""
    wanted = {"positions": list(positions), "limit": limit, **key._asdict()}
    return {
        (position, step, ordinal): VerdictTexts(*texts)
        for position, step, ordinal, *texts in tables.rows(_TEXTS, wanted)
    }


def positions_of(tables: Tables, sample_id: str) -> list[int]:
    """Where a sample was played; nowhere, if there is no such sample."""
    return [position for (position,) in tables.rows(_POSITIONS, {"sample_id": sample_id})]
