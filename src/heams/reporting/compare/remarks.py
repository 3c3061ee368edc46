"""What a reader has to know of a comparison besides its numbers, in plain sentences."""

from collections.abc import Iterator, Sequence

from heams.reporting.compare.comparison import PairedComparison
from heams.reporting.compare.matrix import ExperimentComparison
from heams.reporting.compare.verdict import p_value
from heams.reporting.figures import count, plural
from heams.reporting.wording import ENOUGH_CLUSTERS, TOO_NARROW, damage_notice

SAME_RUN = "A and B are the same run."
SAME_SETTINGS = "Agent and memory system have the same settings in A and B."
_MOST_SETTINGS = 6
NOT_EQUAL = "That no difference was shown does not mean that there is none."


def side_names(compared: ExperimentComparison) -> tuple[str, str]:
    """How the sides are called: by their folder, and by its whole path where the other one has the same name."""
    a, b = compared.a.directory, compared.b.directory
    if a.name == b.name and a.resolve() != b.resolve():
        return str(a), str(b)
    return a.name, b.name


def what_differs(compared: ExperimentComparison) -> list[str]:
    """What is compared: the settings of the component that is not the same."""
    a, b = compared.a, compared.b
    if a.run_id == b.run_id and a.directory.resolve() == b.directory.resolve():
        return [SAME_RUN]
    components = compared.main.components
    more = len(components) - _MOST_SETTINGS
    rest = [f"And {plural(more, 'more setting')}."] if more > 0 else []
    return [f"{component}." for component in components[:_MOST_SETTINGS]] + rest or [SAME_SETTINGS]


def damage(compared: ExperimentComparison) -> list[str]:
    """Which lines could not be read, and so are in no number."""
    sides = zip("AB", (compared.a, compared.b), strict=True)
    return [f"In {letter}, {damage_notice(one)}." for letter, one in sides if one.damaged]


def counts(comparison: PairedComparison) -> Iterator[str]:
    """Who passed, which way values went, and what is in no pair."""
    table = comparison.two_by_two
    if table is not None:
        yield (
            f"Passed by both {count(table.both)}, by A alone {count(table.only_a)}, by B alone {count(table.only_b)}, "
            f"by neither {count(table.neither)}."
        )
    if comparison.n:
        yield (
            f"From A to B, {count(comparison.improved)} improved, {count(comparison.regressed)} regressed, "
            f"{count(comparison.equal)} stayed the same."
        )
    if comparison.left_out:
        yield f"In no pair: {_reasons(comparison)}."


def left_out_of_others(compared: ExperimentComparison) -> Iterator[str]:
    """What is in no pair under the metrics beside the first."""
    for other in compared.others:
        if other.left_out:
            yield f"In no pair under {other.metric.metric}: {_reasons(other)}."


def _reasons(comparison: PairedComparison) -> str:
    return ", ".join(f"{count(number)} {why}" for why, number in comparison.left_out.items())


def cautions(comparison: PairedComparison) -> Iterator[str]:
    """How the numbers are to be read."""
    if not comparison.higher_is_better:
        yield f"Lower is better: {comparison.metric.metric} passes where its value is low."
    if comparison.test is not None and comparison.equal < comparison.n:
        yield f"Test: {_test(comparison)}."
    if comparison.interval is None and comparison.n and comparison.equal < comparison.n:
        yield f"There is no interval: {comparison.no_interval}."
    if comparison.interval is not None and comparison.clusters is not None and comparison.clusters < ENOUGH_CLUSTERS:
        yield f"The questions share {plural(comparison.clusters, *comparison.noun)}. {TOO_NARROW}"
    if comparison.outcome == "not shown":
        yield NOT_EQUAL
    yield from _allowed(comparison)


def _test(comparison: PairedComparison) -> str:
    test = comparison.test
    if test is None:
        return ""
    if comparison.clusters is None:
        return f"{test.method}{'' if test.method.endswith('test') else ' test'}"
    whole = test.method.replace("of whole clusters", f"test of whole {comparison.noun.several}")
    if test.if_independent is None:
        return whole
    p = p_value(test.if_independent)
    return f"{whole}; were the questions independent, McNemar's exact p would be {p.removeprefix('= ')}"


def _allowed(comparison: PairedComparison) -> Iterator[str]:
    for difference in comparison.allowed:
        yield f"Allowed to differ ({difference.name}): {difference}."
    if comparison.versions[0] != comparison.versions[1]:
        yield f"A was run with heams {comparison.versions[0]}, B with {comparison.versions[1]}."


def remarks_on_all(compared: Sequence[ExperimentComparison]) -> Iterator[str]:
    """What was allowed to differ anywhere, where the components differ, and what could not be read."""
    allowed = dict.fromkeys(difference.name for one in compared for difference in one.main.allowed)
    if allowed:
        yield f"Allowed to differ: {', '.join(allowed)}."
    changed = [one.a.directory.name for one in compared if one.main.components]
    if changed:
        yield f"Agent or memory system have other settings in B: {', '.join(changed)}."
    yield from (f"{one.a.directory.name}: {words}" for one in compared for words in damage(one))
