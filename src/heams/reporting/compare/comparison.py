"""The comparison of two experiments: B beside A, question by question."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property

from heams.reporting.compare.differences import components_apart, differences
from heams.reporting.compare.groups import PairedGroup, check_tag, paired_groups
from heams.reporting.compare.metric_choice import MetricKey, headline_metrics
from heams.reporting.compare.numbers import PairedNumbers, paired_numbers
from heams.reporting.compare.pairing import Paired, paired
from heams.reporting.compare.pairs import Pairs
from heams.reporting.compare.side import Side
from heams.reporting.compare.unlike import Unlike, check_allowances, refuse_unlike
from heams.reporting.compare.verdict import Outcome, outcome_of, verdict
from heams.reporting.errors import ResultsError
from heams.reporting.likeness import heams_version
from heams.reporting.part_names import Noun, shared

SCENARIOS = Noun("scenario", "scenarios")


@dataclass(frozen=True, kw_only=True)
class PairedComparison(PairedNumbers):
    """B beside A under one metric. See ``PairedNumbers`` for the numbers.

    ``only_in_a`` and ``only_in_b`` count verdicts whose sample or step the other side lacks. ``left_out`` counts by
    reason all that is in no pair. ``components`` are the settings that are compared, ``allowed`` everything else that
    differs and was allowed. ``by`` is the tag of ``groups``, whose p values are adjusted for being several (Holm).
    """

    metric: MetricKey
    pairs: Pairs
    only_in_a: int
    only_in_b: int
    left_out: Mapping[str, int]
    components: tuple[Unlike, ...]
    allowed: tuple[Unlike, ...]
    versions: tuple[str, str]
    noun: Noun
    by: str | None = None
    groups: tuple[PairedGroup, ...] = ()

    @cached_property
    def in_points(self) -> bool:
        """Whether all values lie between 0 and 1, so that differences can be told in points of 100."""
        columns = (self.pairs.columns["value_a"], self.pairs.columns["value_b"])
        return all(len(column) == 0 or (column.min() >= 0 and column.max() <= 1) for column in columns)

    @property
    def outcome(self) -> Outcome:
        """What the test came to."""
        return outcome_of(self)

    @property
    def verdict(self) -> str:
        """What the comparison comes to, in words."""
        return verdict(self, self.noun, in_points=self.in_points)


def compare(
    a: Side,
    b: Side,
    metric: tuple[str, str] | None = None,
    by: str | None = None,
    allow: Collection[str] = (),
) -> PairedComparison:
    """Compare B with A by one metric (evaluator and metric), the first headline metric by default.

    ``by`` is ``criterion`` or a tag, by whose values the numbers are given again. ``allow`` names what may differ
    besides the component that is compared.

    Raises:
        UnlikeExperiments: something else differs, and is not allowed.
        ResultsError: there is no such metric or tag on both sides, or no sample in common.
    """
    check_allowances(allow)
    key = headline_metrics(a, b)[0] if metric is None else MetricKey(*metric)
    components = components_apart(a, b)
    unlike = differences(a, b, key, components)
    refuse_unlike(unlike, allow)
    if by is not None:
        check_tag(a, b, by)
    found = paired(a, b, key, by)
    _check_common(a, b, key, found)
    numbers = paired_numbers(found.pairs)
    return PairedComparison(
        **{field.name: getattr(numbers, field.name) for field in fields(PairedNumbers)},
        metric=key,
        pairs=found.pairs,
        only_in_a=found.only_in_a,
        only_in_b=found.only_in_b,
        left_out=found.left_out,
        components=tuple(components),
        allowed=tuple(difference for difference in unlike if difference not in components),
        versions=(heams_version(a.config), heams_version(b.config)),
        noun=_noun(a, found.pairs),
        by=by,
        groups=paired_groups(found.pairs) if by is not None else (),
    )


def _check_common(a: Side, b: Side, key: MetricKey, found: Paired) -> None:
    """Raise unless a verdict of one side has its counterpart on the other, whatever became of it."""
    if len(found.pairs) == 0 and found.only_in_a + found.only_in_b >= sum(found.left_out.values()):
        samples = (_samples(side) for side in (a, b))
        shown = "; ".join(f"{letter} has {names}" for letter, names in zip("AB", samples, strict=True))
        raise ResultsError(f"no sample with a verdict of {key} is in both experiments: {shown}")


def _samples(side: Side) -> str:
    rows: Sequence[tuple[str]] = side.tables.rows("SELECT DISTINCT sample_id FROM scenarios ORDER BY ALL LIMIT 4")
    names = [repr(sample) for (sample,) in rows]
    return f"{', '.join(names[:3])}{', ...' if len(names) > 3 else ''}" if names else "no sample"


def _noun(side: Side, pairs: Pairs) -> Noun:
    """What pairs share: a history, or with steps of one scenario that scenario."""
    histories = any(cluster.startswith("history ") for cluster in pairs.columns["cluster"])
    return shared(side.config) if histories else SCENARIOS
