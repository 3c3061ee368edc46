"""From votes to one verdict: the majority of labels, the middle of numbers, the majority about each entry."""

from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import fmean, median
from typing import Any, Literal

from heta_framework.common.judge.judgement import Vote
from heta_framework.common.judge.policy import ClaimsPolicy, JudgePolicy, LabelPolicy, ScalePolicy

Tie = Literal["unscored", "stricter"]
"""What a tie between labels means: no verdict, or the label that passes less."""


def aggregate(policy: JudgePolicy, votes: Sequence[Vote], tie: Tie, entries: int) -> dict[str, Any]:
    """The fields of a ``Judgement`` that the votes decide. ``entries`` is how many entries there are to choose from.

    At least half of the votes must be readable.
    """
    readable = [vote for vote in votes if vote.readable]
    if not readable or 2 * len(readable) < len(votes):
        return _unscored(_without_quorum(votes, len(readable)))
    if isinstance(policy, LabelPolicy):
        return _majority(policy, readable, tie)
    if isinstance(policy, ScalePolicy):
        return _middle(policy, readable)
    if isinstance(policy, ClaimsPolicy):
        return _of_claims(readable, entries)
    chosen = _chosen(readable)
    return _scored(
        policy.value_of(len(chosen), entries),
        passed=not chosen,
        chosen=chosen,
        agreement=_share(vote.chosen == chosen for vote in readable),
    )


def _majority(policy: LabelPolicy, votes: Sequence[Vote], tie: Tie) -> dict[str, Any]:
    counts = Counter(vote.label for vote in votes if vote.label is not None)
    most = max(counts.values())
    first = [label for label, count in counts.items() if count == most]
    if len(first) > 1 and tie == "unscored":
        return _unscored(f"the votes are tied: {', '.join(f'{counts[label]} {label}' for label in sorted(first))}")
    label = policy.label(policy.stricter(first))
    return _scored(
        label.value, label=label.name, passed=label.passes, agreement=_share(vote.label == label.name for vote in votes)
    )


def _middle(policy: ScalePolicy, votes: Sequence[Vote]) -> dict[str, Any]:
    values = [vote.value for vote in votes if vote.value is not None]
    value = median(values) if policy.aggregate == "median" else fmean(values)
    passed = None if policy.passes_from is None else value >= policy.passes_from
    return _scored(value, passed=passed, agreement=_share(each == value for each in values))


def _of_claims(votes: Sequence[Vote], entries: int) -> dict[str, Any]:
    """Claims are worded anew by every vote, so their shares are averaged; entries are decided one by one."""
    omitted = _chosen(votes)
    coverage = 1 - len(omitted) / entries if entries else None
    shares = [vote.value for vote in votes if vote.value is not None]
    agreement = _share(vote.chosen == omitted for vote in votes)
    if not shares:
        return _unscored("the answer makes no claim") | {"coverage": coverage, "chosen": omitted}
    value = fmean(shares)
    passed = value == 1 and not omitted
    return _scored(value, passed=passed, chosen=omitted, agreement=agreement) | {"coverage": coverage}


def _chosen(votes: Sequence[Vote]) -> tuple[int, ...]:
    """Entries that at least half of the votes listed: in a tie an entry counts, which is the stricter reading."""
    counts = Counter(place for vote in votes for place in vote.chosen)
    return tuple(sorted(place for place, count in counts.items() if 2 * count >= len(votes)))


def _without_quorum(votes: Sequence[Vote], readable: int) -> str:
    problems = Counter(vote.failures[-1] for vote in votes if not vote.readable and vote.failures)
    worst = f": {problems.most_common(1)[0][0]}" if problems else ""
    if len(votes) == 1:
        return f"the judge gave no readable verdict{worst}"
    return f"only {readable} of {len(votes)} votes could be read{worst}"


def _scored(value: float, **fields: Any) -> dict[str, Any]:
    return {"outcome": "scored", "value": value, **fields}


def _unscored(problem: str) -> dict[str, Any]:
    return {"outcome": "unscored", "problem": problem}


def _share(votes: Iterable[bool]) -> float:
    return fmean(votes)
