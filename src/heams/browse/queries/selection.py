"""The records that a question is about: those of one metric to which a filter applies, as the FROM of a statement."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from heams.browse.filters.edits import without_field
from heams.browse.filters.expressions import Source
from heams.browse.filters.sql import condition_of
from heams.browse.filters.syntax import EVERYTHING, FieldRef, Filter

Label = Literal["pass", "fail"]


class Metric(NamedTuple):
    """A metric of an evaluator; URLs write it ``evaluator/metric``."""

    evaluator: str
    name: str

    def __str__(self) -> str:
        return f"{self.evaluator}/{self.name}"

    @classmethod
    def parse(cls, text: str) -> "Metric | None":
        """The metric that ``text`` writes; None where there is no slash."""
        evaluator, slash, name = text.partition("/")
        return cls(evaluator, name) if slash else None


class LabelKey(NamedTuple):
    """Which step of which played sample a person labelled: the first verdict on it, where a metric has several."""

    sample_id: str
    repeat: int
    step_index: int | None


@dataclass(frozen=True, slots=True)
class Selection:
    """The records of ``metric`` (of every metric where it is None) to which ``filter`` applies.

    ``labels`` are what people decided under this metric.
    """

    metric: Metric | None
    filter: Filter = EVERYTHING
    labels: Mapping[LabelKey, Label] = field(default_factory=dict)

    def ignoring(self, ref: FieldRef) -> "Selection":
        """The selection without the filter's own terms on a field."""
        return replace(self, filter=without_field(self.filter, ref))


@dataclass(frozen=True, slots=True)
class Relation:
    """What stands after FROM: ``r`` (records) and the tables that are needed beside it, with their parameters."""

    sql: str
    parameters: Mapping[str, object]


_SCENARIOS = "JOIN scenarios AS s ON s.position = r.position"
_LABELS = """LEFT JOIN (
    SELECT unnest(CAST($labelled_samples AS VARCHAR[])) AS sample_id,
           unnest(CAST($labelled_repeats AS BIGINT[])) AS repeat,
           unnest(CAST($labelled_steps AS BIGINT[])) AS step_index,
           unnest(CAST($labels AS VARCHAR[])) AS label
) AS l ON l.sample_id = r.sample_id AND l.repeat = r.repeat AND l.step_index IS NOT DISTINCT FROM r.step_index
    AND r.ordinal = 1"""
_OF_METRIC = "r.evaluator = $evaluator AND r.metric = $metric"


def relation(selection: Selection, needs: Collection[Source] = ()) -> Relation:
    """The selected records, joined with the tables that the filter and the caller need."""
    condition = condition_of(selection.filter)
    sources = condition.sources.union(needs)
    joins, parameters = _joined(selection, sources)
    parameters |= condition.parameters
    tests = [condition.sql]
    if selection.metric is not None:
        tests.insert(0, _OF_METRIC)
        parameters |= {"evaluator": selection.metric.evaluator, "metric": selection.metric.name}
    return Relation(f"{joins} WHERE {' AND '.join(tests)}", parameters)


def _joined(selection: Selection, sources: Collection[Source]) -> tuple[str, dict[str, object]]:
    """All records with the tables of ``sources`` beside them, and the parameters of that."""
    tables, parameters = ["records AS r"], dict[str, object]()
    if "scenarios" in sources:
        tables.append(_SCENARIOS)
    if "labels" in sources:
        tables.append(_LABELS)
        parameters = {
            "labelled_samples": [key.sample_id for key in selection.labels],
            "labelled_repeats": [key.repeat for key in selection.labels],
            "labelled_steps": [key.step_index for key in selection.labels],
            "labels": list(selection.labels.values()),
        }
    return " ".join(tables), parameters
