"""The head of a comparison: verdict, numbers, who was right, groups, and what has to be known of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from heams.browse.comparing import Condensed
from heams.browse.views.compare.asked import WITHOUT
from heams.browse.views.compare.delta_bars import DeltaBar, delta_bar, reach_of
from heams.criteria import CRITERION
from heams.reporting.compare import PairedComparison, PairedGroup, PairedNumbers, Unlike
from heams.reporting.compare.remarks import cautions
from heams.reporting.compare.verdict import Outcome, amount, p_value
from heams.reporting.figures import NONE, plural

TONES: Mapping[Outcome, str] = {"better": "pass", "worse": "fail", "too few": "unscored"}
"""The verdict class of an outcome; others have none."""
OUTCOMES: Mapping[Outcome, str] = {
    "better": "B better",
    "worse": "B worse",
    "not shown": "no difference shown",
    "too few": "too few to tell",
    "alike": "the same everywhere",
    "no pairs": "no pairs",
}


@dataclass(frozen=True, slots=True)
class Line:
    """Numbers of all pairs or of a group, as they are shown. ``p`` is adjusted where there are several groups."""

    numbers: PairedNumbers
    delta: str
    interval: str
    p: str
    outcome: str
    tone: str
    bar: DeltaBar | None


@dataclass(frozen=True, slots=True)
class GroupLine:
    """The pairs with one value of a tag; ``group`` is the value in addresses."""

    name: str
    group: str
    line: Line


@dataclass(frozen=True, slots=True)
class Summary:
    """``verdict`` is a sentence, ``ends`` those of the line of ``line``.

    ``allowed`` are differences that were let pass, by the name that allows them.
    """

    comparison: PairedComparison
    verdict: str
    line: Line
    ends: tuple[str, str]
    test: str
    basis: str
    groups: tuple[GroupLine, ...]
    cautions: tuple[str, ...]
    allowed: Mapping[str, tuple[Unlike, ...]]


def summary(found: Condensed, criterion_names: Mapping[str, str]) -> Summary:
    """The head of a comparison."""
    comparison = found.comparison
    words = comparison.verdict
    own = reach_of([comparison], in_points=comparison.in_points)
    reach = reach_of(comparison.groups, in_points=comparison.in_points)
    return Summary(
        comparison=comparison,
        verdict=words[:1].upper() + words[1:],
        line=_line(
            comparison,
            comparison,
            comparison.p,
            comparison.outcome,
            own,
        ),
        ends=(_bare(-own, comparison.in_points), _bare(own, comparison.in_points)),
        test=_test(comparison),
        basis=_basis(comparison),
        groups=tuple(
            GroupLine(
                _called(comparison, group, criterion_names),
                group.value if group.value is not None else WITHOUT,
                _line(comparison, group, group.adjusted_p, group.outcome, reach),
            )
            for group in comparison.groups
        ),
        cautions=tuple(cautions(replace(comparison, allowed=()))),
        allowed=by_name(comparison.allowed),
    )


def by_name(differences: Sequence[Unlike]) -> Mapping[str, tuple[Unlike, ...]]:
    """Differences under the names that allow them."""
    found: dict[str, list[Unlike]] = {}
    for difference in differences:
        found.setdefault(difference.name, []).append(difference)
    return {name: tuple(members) for name, members in found.items()}


def signed(delta: float | None, *, in_points: bool) -> str:
    """A difference with its sign: ``+4.2 points``, ``-0.031``."""
    if delta is None:
        return NONE
    sign = "+" if delta > 0 else "−" if delta < 0 else ""
    return f"{sign}{amount(abs(delta), in_points)}"


def _line(
    comparison: PairedComparison, numbers: PairedNumbers, p: float | None, outcome: Outcome, reach: float
) -> Line:
    bounds, points = numbers.interval, comparison.in_points
    ends = "" if bounds is None else " to ".join(_bare(end, points) for end in (bounds.low, bounds.high))
    return Line(
        numbers=numbers,
        delta=signed(numbers.delta, in_points=points),
        interval=ends,
        p=NONE if p is None else p_value(p),
        outcome=OUTCOMES[outcome],
        tone=TONES.get(outcome, ""),
        bar=None if numbers.delta is None else delta_bar(numbers.delta, bounds, reach),
    )


def _bare(value: float, points: bool) -> str:
    return signed(value, in_points=points).removesuffix(" points")


def _test(comparison: PairedComparison) -> str:
    """The method of the test; what it keeps whole is called as everywhere else on the page."""
    if comparison.test is None:
        return NONE
    return comparison.test.method.replace("of whole clusters", f"of whole {comparison.noun.several}")


def _basis(comparison: PairedComparison) -> str:
    pairs = plural(comparison.n, "pair")
    if comparison.clusters is None:
        return pairs
    return f"{pairs} from {plural(comparison.clusters, *comparison.noun)}"


def _called(comparison: PairedComparison, group: PairedGroup, criterion_names: Mapping[str, str]) -> str:
    if group.value is None:
        return WITHOUT
    return criterion_names.get(group.value, group.value) if comparison.by == CRITERION else group.value
