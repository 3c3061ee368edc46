"""`AnswerExactMatch`: is the answer one of the expected answers, and nothing else?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from heta_framework.evaluation.evaluators.answer_evaluator import AnswerMatchEvaluator
from heta_framework.evaluation.types.fields import chosen

ExactMatchRules = Literal["plain", "normalised", "squad"]


@dataclass(frozen=True)
class AnswerExactMatch(AnswerMatchEvaluator):
    """Whether the normalised answer equals a normalised expected answer.

    ``rules`` say what does not count:

    - ``plain``: case, runs of white space, and the spelling of characters (full-width letters, curly quotes, dashes,
      composed accents). Punctuation and articles count: "Paris." is not "Paris", "the A" is not "A".
    - ``normalised``: punctuation and articles as well, but never a sign, a decimal point or a "%": "3.14" is not "314"
      (see `heta_framework.common.text.normalise`).
    - ``squad``: SQuAD's rules, to set numbers beside published ones (see `heta_framework.common.text.squad`).

    The score is named ``answer_exact_match``; other rules than ``plain`` are added to the name.

    Raises:
        ValueError: ``rules`` are unknown.
    """

    rules: ExactMatchRules = "plain"

    def __post_init__(self) -> None:
        chosen("rules", self.rules, get_args(ExactMatchRules))

    @property
    def name(self) -> str:
        """``answer_exact_match``, ``answer_exact_match_normalised`` or ``answer_exact_match_squad``."""
        return "answer_exact_match" if self.rules == "plain" else f"answer_exact_match_{self.rules}"

    def matching(self, answer: str, expected: Sequence[str]) -> list[str]:
        """The expected answers that the answer is."""
        same = _SAME[self.rules]
        return [one for one in expected if same(answer, one)]


def _plain(observed: str, expected: str) -> bool:
    from heta_framework.common.text.characters import unify

    return unify(observed).split() == unify(expected).split()


def _normalised(observed: str, expected: str) -> bool:
    from heta_framework.common.text.matching import normalised_exact

    return normalised_exact(observed, expected).value == 1.0


def _squad(observed: str, expected: str) -> bool:
    from heta_framework.common.text.squad import squad_exact

    return squad_exact(observed, expected)


_SAME: Mapping[str, Callable[[str, str], bool]] = {"plain": _plain, "normalised": _normalised, "squad": _squad}
