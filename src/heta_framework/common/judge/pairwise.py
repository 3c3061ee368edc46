"""Which of two answers is better, asked in both orders, so that the place of an answer decides nothing."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict

from heta_framework.common.judge.judge import Judge
from heta_framework.common.judge.judgement import Judgement, Vote
from heta_framework.common.judge.policy import LabelPolicy
from heta_framework.common.models.language.protocol import LanguageModelProtocol
from heta_framework.common.models.many import in_order

Winner = Literal["a", "b", "tie"]
LABELS = ("first", "second", "tie")
_PLACES = ("first", "second")


class Comparison(BaseModel):
    """``winner`` is None without a verdict. ``consistent`` is the share of votes that said the same in both orders."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    winner: Winner | None
    consistent: float | None
    problem: str = ""
    as_given: Judgement
    swapped: Judgement


class PairwiseJudge:
    """Compares two answers under a policy whose labels are ``first``, ``second`` and ``tie``.

    A vote that names another answer when the two change places is a tie. ``votes`` and ``reminders`` as for ``Judge``.
    """

    def __init__(
        self, policy: LabelPolicy, models: Sequence[LanguageModelProtocol], *, votes: int = 1, reminders: int = 2
    ) -> None:
        found = {label.name for label in policy.labels}
        if found != set(LABELS):
            raise ValueError(f"a pairwise policy has the labels {', '.join(LABELS)}; found {', '.join(sorted(found))}")
        missing = [place for place in _PLACES if place not in policy.gaps]
        if missing:
            raise ValueError(f"the prompt of a pairwise policy must contain {{{missing[0]}}}")
        self._judge = Judge(policy, models, votes=votes, tie="stricter", reminders=reminders)

    async def compare(self, a: str, b: str, material: Mapping[str, str] | None = None) -> Comparison:
        """Which of ``a`` and ``b`` is better; ``material`` fills the other gaps of the prompt."""
        rest = dict(material or {})
        as_given, swapped = await in_order(
            self._judge.ask({**rest, "first": one, "second": other}) for one, other in ((a, b), (b, a))
        )
        pairs = list(zip(as_given.votes, swapped.votes, strict=True))
        found = [_winner(one, other) for one, other in pairs if one.readable and other.readable]
        if not found or 2 * len(found) < len(pairs):
            problem = f"only {len(found)} of {len(pairs)} votes could be read in both orders"
            return Comparison(winner=None, consistent=None, problem=problem, as_given=as_given, swapped=swapped)
        consistent = sum(same for _, same in found) / len(found)
        winner = _most([winner for winner, _ in found])
        return Comparison(winner=winner, consistent=consistent, as_given=as_given, swapped=swapped)


def _winner(as_given: Vote, swapped: Vote) -> tuple[Winner, bool]:
    """Who wins by one vote, and whether it said the same in both orders."""
    names: dict[str | None, Winner] = {"first": "a", "second": "b", "tie": "tie"}
    turned: dict[str | None, Winner] = {"first": "b", "second": "a", "tie": "tie"}
    one, other = names[as_given.label], turned[swapped.label]
    return (one, True) if one == other else ("tie", False)


def _most(winners: Sequence[Winner]) -> Winner:
    counts = Counter(winners)
    most = max(counts.values())
    first = [winner for winner, count in counts.items() if count == most]
    return first[0] if len(first) == 1 else "tie"
