"""How violation grows with use: the share of private attributes that some messages of a person reveal together."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import comb, fsum

from heams.benchmarks.contextual_integrity.aggregation import Verdict
from heams.benchmarks.contextual_integrity.labels import PRIVATE

STEPS = (1, 2, 5, 10, 20, 40)


def violation_after(verdicts: Iterable[Verdict], messages: int) -> float | None:
    """The expected violation when ``messages`` tasks of each person are drawn at random, in all trials of these.

    An attribute that is revealed in v of T tasks is missed by all of them with probability C(T-v, k) / C(T, k). The
    attributes are those that are private in any task, so that the last step is the violation itself. None without any.
    """
    tasks: dict[str, set[str]] = defaultdict(set)
    leaks: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for one in verdicts:
        tasks[one.user].add(one.task)
        if one.label == PRIVATE and one.revealed is not None:
            leaks[one.user][one.attribute] |= {one.task} if one.revealed > 0 else set()
    means = [
        fsum(_met(len(tasks[user]), len(leaking), messages) for leaking in attributes.values()) / len(attributes)
        for user, attributes in leaks.items()
    ]
    return fsum(means) / len(means) if means else None


def steps_below(verdicts: Iterable[Verdict]) -> Sequence[int]:
    """The numbers of messages worth showing: those below the number of tasks of whoever has the fewest."""
    tasks: dict[str, set[str]] = defaultdict(set)
    for one in verdicts:
        tasks[one.user].add(one.task)
    fewest = min(map(len, tasks.values()), default=0)
    return [step for step in STEPS if step < fewest]


def _met(tasks: int, leaking: int, drawn: int) -> float:
    """The chance that one of the drawn tasks is a leaking one."""
    drawn = min(drawn, tasks)
    return 1 - comb(tasks - leaking, drawn) / comb(tasks, drawn)
