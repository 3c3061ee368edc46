"""What a judge or a panel of judges found, with everything that a reader needs to check it."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

from heta_framework.common.judge.reading import Claim


class _Result(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Vote(_Result):
    """One vote of one model. ``value`` and ``label`` are None when no reply could be read.

    ``chosen`` are places of entries, counted from 0. ``raw`` holds the replies in order, as they came; ``failures`` say
    what was wrong with those that could not be read, or why there was none. ``reached`` is False where the model could
    not be asked now, but perhaps later.
    """

    model: str
    number: int
    readable: bool
    value: float | None = None
    label: str | None = None
    chosen: tuple[int, ...] = ()
    claims: tuple[Claim, ...] = ()
    reason: str = ""
    raw: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()
    reached: bool = True


class Judgement(_Result):
    """The verdict over all votes, or none (``outcome`` ``unscored``, with the ``problem``): never wrong by default.

    ``value`` and ``passed`` are None without a verdict, and ``passed`` also under policies that know no passing.
    ``agreement`` is the share of readable votes that say the same as the verdict (1 for a single vote).
    ``coverage`` is the share of entries that were not left out, for policies about claims.
    """

    policy: str
    policy_version: int
    policy_hash: str
    prompt_hash: str
    models: tuple[str, ...]
    outcome: Literal["scored", "unscored"]
    value: float | None = None
    label: str | None = None
    passed: bool | None = None
    chosen: tuple[int, ...] = ()
    coverage: float | None = None
    agreement: float | None = None
    problem: str = ""
    votes: tuple[Vote, ...] = ()

    @property
    def reason(self) -> str:
        """The reason of the first vote that says the same as the verdict; the problem where there is none."""
        if self.outcome == "unscored":
            return self.problem
        alike = [vote for vote in self.votes if vote.readable and self._says_the_same(vote)]
        readable = [vote for vote in self.votes if vote.readable]
        return next((vote.reason for vote in alike or readable if vote.reason), "")

    @property
    def parse_failures(self) -> int:
        """How many replies could not be read."""
        return sum(len(vote.raw) - vote.readable for vote in self.votes)

    @property
    def replies(self) -> int:
        """How many replies came."""
        return sum(len(vote.raw) for vote in self.votes)

    @property
    def to_be_repeated(self) -> bool:
        """Whether there is no verdict and models that could not be reached may be why."""
        return self.outcome == "unscored" and not all(vote.reached for vote in self.votes)

    def _says_the_same(self, vote: Vote) -> bool:
        return vote.label == self.label and (self.label is not None or vote.value == self.value)
