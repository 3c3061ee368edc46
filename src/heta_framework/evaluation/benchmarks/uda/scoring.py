"""How each subset is scored by default, after UDA's own scripts (``uda/eval/utils`` of its repository).

UDA scores the papers and Wikipedia by token F1 and FinHybrid by numbers within 1 %; TatHybrid by a token F1 that
compares numbers with their scale. FetaQA, where ``feta`` comes from, reports ROUGE-L as well.
"""

from __future__ import annotations

from heta_framework.evaluation.benchmarks.uda.facts import UdaSubset
from heta_framework.evaluation.evaluators import AnswerContains, NumericMatch, RougeL, TokenF1
from heta_framework.evaluation.protocols import BenchmarkEvaluatorProtocol

_WITHIN_ONE_PER_CENT = 0.01
_BUT_FOR_ROUNDING = 0.001  # gold is rounded to two decimals


def default_evaluators(subset: UdaSubset) -> tuple[BenchmarkEvaluatorProtocol, ...]:
    """Whether the answer is contained, and the measures of the subset."""
    if subset == "fin":
        return (AnswerContains(), NumericMatch(rel_tol=_WITHIN_ONE_PER_CENT))
    if subset == "tat":
        return (AnswerContains(), NumericMatch(rel_tol=_BUT_FOR_ROUNDING), TokenF1())
    if subset == "feta":
        return (AnswerContains(), TokenF1(), RougeL())
    return (AnswerContains(), TokenF1())
