"""The verdicts of one played sample as the tables have them; texts and audits are in its line."""

from collections.abc import Sequence
from dataclasses import dataclass

from heams.reporting.tables import Tables

_OF_POSITIONS = """
    SELECT position, place, ordinal, step_index, evaluator, metric, verdict, value, criterion FROM records
    WHERE list_contains(CAST($positions AS BIGINT[]), position) ORDER BY position, place
"""
_OF_QUESTION = """
    SELECT position, place, ordinal, step_index, evaluator, metric, verdict, value, criterion FROM records
    WHERE sample_id = $sample_id AND repeat = $repeat AND step_index IS NOT DISTINCT FROM $step
      AND evaluator = $evaluator AND metric = $metric
    ORDER BY place
"""


@dataclass(frozen=True, slots=True)
class SampleVerdict:
    """``place`` (from 1) is that among the records of the played sample, ``ordinal`` that among alike ones."""

    position: int
    place: int
    ordinal: int
    step: int | None
    evaluator: str
    metric: str
    verdict: str
    value: float | None
    criterion: str | None


def verdicts_of(tables: Tables, positions: Sequence[int]) -> list[SampleVerdict]:
    """All verdicts of played samples, in the order in which they were given."""
    return [SampleVerdict(*row) for row in tables.rows(_OF_POSITIONS, {"positions": list(positions)})]


def same_verdict(tables: Tables, sample_id: str, repeat: int, like: SampleVerdict) -> SampleVerdict | None:
    """What another experiment says about the question of a verdict, by the same evaluator under the same metric."""
    asked = {
        "sample_id": sample_id,
        "repeat": repeat,
        "step": like.step,
        "evaluator": like.evaluator,
        "metric": like.metric,
    }
    found = [SampleVerdict(*row) for row in tables.rows(_OF_QUESTION, asked)]
    return next((one for one in found if one.ordinal == like.ordinal), None)
