"""What the evaluators share that ask language models."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from heta_framework.common.judge import (
    Judge,
    Judgement,
    JudgePolicy,
    Material,
    Tie,
    built_in_policy,
)
from heta_framework.common.models.language.protocol import LanguageModelProtocol
from heta_framework.evaluation.evaluators.judged.usage import own_usage, usage_data
from heta_framework.evaluation.evaluators.unlabelled import unlabelled
from heta_framework.evaluation.types import BenchmarkCase, EvaluationScore
from heta_framework.evaluation.types.fields import put
from heta_framework.kb.search.types import QueryResponse


@dataclass(frozen=True)
class JudgedEvaluator(ABC):
    """Asks one model or a panel under a policy. See ``docs/guides/judges.md`` for policies, votes and ties.

    A judge that gives no readable verdict, or cannot be reached, is never counted against what it judges: the score is
    left out of the mean, with the reason. The metadata hold the judge's ``reason``, the ``votes`` with their raw
    replies, what the calls cost (``usage``), and how many replies could not be read (``parse_failures``).

    Its text (``repr``) names the models and the policy's hash, so that a changed judge is seen to be another one.

    Args:
        models: one language model or several, each of which votes.
        policy: the name of a built-in policy, or a policy.
        votes: how often each model is asked.
        tie: what equally many votes for two labels mean: ``unscored``, or the ``stricter`` label.
        reminders: how often a reply that cannot be read is asked for again.
        name: of the score.

    Raises:
        ValueError: there is no model, no such policy, or a policy that shows something an evaluation does not have.
    """

    required_top_k: ClassVar[int] = 0
    counts_documents: ClassVar[bool] = False
    shows: ClassVar[tuple[str, ...]]
    """The gaps that a policy may have."""

    models: LanguageModelProtocol | Sequence[LanguageModelProtocol] = field(repr=False)
    policy: str | JudgePolicy = field(repr=False)
    votes: int = 1
    tie: Tie = "unscored"
    reminders: int = 2
    name: str = "judged"
    judged_by: tuple[str, ...] = field(init=False, compare=False)
    policy_hash: str = field(init=False, compare=False)
    _judge: Judge = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        policy = built_in_policy(self.policy) if isinstance(self.policy, str) else self.policy
        unknown = [gap for gap in policy.gaps if gap not in self.shows]
        if unknown:
            raise ValueError(
                f"the policy {policy.name!r} shows {{{unknown[0]}}}; {type(self).__name__} can show: "
                f"{', '.join(self.shows)}"
            )
        models = tuple(self.models) if isinstance(self.models, Sequence) else (self.models,)
        judge = Judge(policy, models, votes=self.votes, tie=self.tie, reminders=self.reminders)
        put(self, _judge=judge, judged_by=judge.model_names, policy_hash=judge.policy_hash)

    @abstractmethod
    def is_labelled(self, case: BenchmarkCase) -> bool:
        """Whether the case has what the judge is shown of it."""

    @abstractmethod
    async def evaluate(self, *, case: BenchmarkCase, response: QueryResponse) -> EvaluationScore:
        """Ask the judge about the response."""

    async def ask(self, material: Material) -> EvaluationScore:
        """The judge's verdict as a score.

        Raises:
            CostLimitReached, ReplayMiss, ModelSetupError: no call can be made.
        """
        with own_usage() as scope:
            judgement = await self._judge.ask(material)
        metadata = {**_told(judgement), "usage": usage_data(scope)}
        if judgement.value is None:
            return unlabelled(self.name, judgement.problem, metadata=metadata)
        return EvaluationScore(self.name, judgement.value, self.passed(judgement), metadata)

    def passed(self, judgement: Judgement) -> bool | None:
        """Whether a verdict is good enough; None where the policy has no such line."""
        return judgement.passed


def _told(judgement: Judgement) -> dict[str, Any]:
    """What a reader needs to check a verdict; texts of the material are not repeated."""
    kept = {"policy", "policy_version", "policy_hash", "prompt_hash", "models", "label", "agreement"}
    told = judgement.model_dump(mode="json", include=kept, exclude_none=True)
    return {
        "reason": judgement.reason,
        "judge": told,
        "votes": [vote.model_dump(mode="json", exclude_defaults=True) for vote in judgement.votes],
        "parse_failures": judgement.parse_failures,
        "to_be_repeated": judgement.to_be_repeated,
    }
