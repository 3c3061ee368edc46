"""`TokenF1`: how many words the answer shares with an expected answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from heta_framework.common.text.overlap import Overlap
from heta_framework.evaluation.evaluators.answer_evaluator import AnswerOverlapEvaluator
from heta_framework.evaluation.types.fields import chosen

TokenF1Rules = Literal["squad", "normalised"]


@dataclass(frozen=True)
class TokenF1(AnswerOverlapEvaluator):
    """Harmonic mean of the precision and recall of an answer's words, in [0, 1]; the best over the expected answers.

    ``rules`` say what a word is:

    - ``squad``: SQuAD's rules (Rajpurkar et al. 2016, arXiv 1606.05250), word by word as in its script: lower case,
      without ASCII punctuation and the articles a, an, the.
    - ``normalised``: this project's rules, which keep numbers whole and cut scripts without spaces into characters (see
      `heta_framework.common.text.normalise`).

    Raises:
        ValueError: ``rules`` are unknown.
    """

    rules: TokenF1Rules = "squad"

    def __post_init__(self) -> None:
        chosen("rules", self.rules, get_args(TokenF1Rules))

    @property
    def name(self) -> str:
        """``token_f1`` or ``token_f1_normalised``."""
        return "token_f1" if self.rules == "squad" else "token_f1_normalised"

    def overlap(self, answer: str, expected: str) -> Overlap:
        """Precision, recall and F1."""
        from heta_framework.common.text.normalise import tokens
        from heta_framework.common.text.overlap import overlap
        from heta_framework.common.text.squad import squad_overlap

        if self.rules == "squad":
            return squad_overlap(answer, expected)
        return overlap(tokens(answer), tokens(expected))
