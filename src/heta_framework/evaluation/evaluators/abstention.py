"""`Abstention`: does the system decline where it should, and only there?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

from heta_framework.evaluation.evaluators.answerable import is_answerable
from heta_framework.evaluation.evaluators.unlabelled import unlabelled
from heta_framework.evaluation.types import BenchmarkCase, EvaluationScore
from heta_framework.evaluation.types.fields import chosen
from heta_framework.kb.search.types import QueryResponse

AbstentionCases = Literal["unanswerable", "answerable", "all"]
Silence = Literal["unscored", "declines"]


@dataclass(frozen=True)
class Abstention:
    """Whether the decision to answer or to decline was right.

    Which cases cannot be answered is said by their labels: see `heta_framework.evaluation.evaluators.answerable`. What
    declines is decided by a phrase rule for English: see `heta_framework.common.text.refusal`.

    Args:
        cases: which cases count. ``unanswerable``: those that cannot be answered, right when declined. ``answerable``:
            those that can, right when answered: needless refusals show here. ``all``: both. Cases of another kind, and
            without a label, are unlabelled.
        silence: what a response without an answer is: ``unscored`` (the mode may simply not answer in words), or it
            ``declines``.

    The score is named ``abstention``, ``abstention_answerable`` or ``abstention_all``.

    Raises:
        ValueError: one of them is something else.
    """

    required_top_k: ClassVar[int] = 0
    counts_documents: ClassVar[bool] = False

    cases: AbstentionCases = "unanswerable"
    silence: Silence = "unscored"

    def __post_init__(self) -> None:
        chosen("cases", self.cases, get_args(AbstentionCases))
        chosen("silence", self.silence, get_args(Silence))

    @property
    def name(self) -> str:
        """``abstention``, with the kind of cases unless they are the unanswerable ones."""
        return "abstention" if self.cases == "unanswerable" else f"abstention_{self.cases}"

    def is_labelled(self, case: BenchmarkCase) -> bool:
        """Whether the case says that it is of the kind that counts."""
        answerable = is_answerable(case)
        if answerable is None or self.cases == "all":
            return answerable is not None
        return answerable is (self.cases == "answerable")

    async def evaluate(self, *, case: BenchmarkCase, response: QueryResponse) -> EvaluationScore:
        """True where an unanswerable case was declined, or an answerable one answered."""
        if not self.is_labelled(case):
            return unlabelled(self.name, self._why_unlabelled(case), value=False)
        if response.answer is None and self.silence == "unscored":
            return unlabelled(self.name, "the response has no answer", value=False)
        declined, answerable = _declines(response.answer), bool(is_answerable(case))
        right = declined is not answerable
        return EvaluationScore(self.name, right, right, {"declined": declined, "answerable": answerable})

    def _why_unlabelled(self, case: BenchmarkCase) -> str:
        if is_answerable(case) is None:
            return "case does not say whether it can be answered"
        return f"case is not {self.cases}"


def _declines(answer: str | None) -> bool:
    if answer is None:
        return True
    from heta_framework.common.text.refusal import refuses

    return refuses(answer)
