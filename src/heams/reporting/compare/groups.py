"""The same numbers within each value of a tag."""

from dataclasses import dataclass, fields

from heams.criteria import CRITERION
from heams.reporting.compare.numbers import PairedNumbers, paired_numbers
from heams.reporting.compare.pairs import Pairs
from heams.reporting.compare.side import Side
from heams.reporting.compare.verdict import Outcome, outcome_of
from heams.reporting.errors import ResultsError
from heams.reporting.figures import count
from heta_framework.common.config import nearest
from heta_framework.common.statistics import holm

MOST_GROUPS = 200
_TAGS = "SELECT DISTINCT unnest(map_keys(tags)) AS tag FROM tag_sets ORDER BY tag"


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedGroup(PairedNumbers):
    """The pairs with one value of a tag, None for those without it; ``adjusted_p`` knows how many groups there are."""

    value: str | None
    adjusted_p: float | None

    @property
    def outcome(self) -> Outcome:
        """What the test came to, by the adjusted p."""
        return outcome_of(self, self.adjusted_p)


def check_tag(a: Side, b: Side, tag: str) -> None:
    """Raise unless records of either side have the tag.

    Raises:
        ResultsError: they have not.
    """
    known = sorted({CRITERION} | {name for side in (a, b) for (name,) in side.tables.rows(_TAGS)})
    if tag not in known:
        near = nearest(tag, known)
        hint = f"; did you mean {near!r}?" if near else "."
        raise ResultsError(f"no record has a tag {tag!r}{hint} There are: {', '.join(known)}")


def paired_groups(pairs: Pairs) -> tuple[PairedGroup, ...]:
    """The groups by value, those without the tag last.

    Raises:
        ResultsError: there are so many values that they name questions instead of grouping them.
    """
    values = sorted(set(pairs.columns["tag"].tolist()), key=lambda value: (value is None, value or ""))
    if len(values) > MOST_GROUPS:
        raise ResultsError(f"the tag has {count(len(values))} values, and {MOST_GROUPS} at most make groups")
    found = [paired_numbers(pairs.with_tag(value)) for value in values]
    adjusted = adjusted_by_holm([numbers.p for numbers in found])
    return tuple(
        PairedGroup(
            **{field.name: getattr(numbers, field.name) for field in fields(PairedNumbers)}, value=value, adjusted_p=p
        )
        for value, numbers, p in zip(values, found, adjusted, strict=True)
    )


def adjusted_by_holm(values: list[float | None]) -> list[float | None]:
    """Adjusted p values; where there was no test there is none, and it counts for nothing."""
    known = iter(holm([value for value in values if value is not None]))
    return [None if value is None else next(known) for value in values]
