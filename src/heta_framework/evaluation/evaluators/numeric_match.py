"""`NumericMatch`: is the answer's number the expected one, within a tolerance?"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from numbers import Real
from typing import ClassVar, Literal

from heta_framework.evaluation.evaluators.unlabelled import unlabelled
from heta_framework.evaluation.types import BenchmarkCase, EvaluationScore
from heta_framework.evaluation.types.fields import put
from heta_framework.kb.search.types import QueryResponse


@dataclass(frozen=True)
class NumericMatch:
    """Whether the number of the answer lies within a tolerance of an expected one.

    Expected is ``expected.value`` where it is a finite number, and each of ``expected.answers`` that holds exactly one.
    A case without any is unlabelled. What a number is ("1,200", "1.2 million", "-5 %", "3/4", "twelve"), which one of
    several is the answer, and when a percentage equals a share is said in `heta_framework.common.text.quantities` and
    `heta_framework.common.text.numeric`.

    Args:
        rel_tol: allowed distance as a share of the expected number, at least 0; 0.01 is one per cent.
        abs_tol: allowed distance in the unit of the expected number, at least 0; the wider of the two counts.
        which: the answer's number, where no "answer is", "=" or the like marks it: ``last``, ``first``, or ``only``
            (no answer that leaves a choice is right).
        scales: factors by which the answer may be off, either way: ``(1e3, 1e6)`` for tables in thousands or millions.
        name: of the score.

    Raises:
        ValueError: a tolerance is negative, a scale is not above 0, or ``which`` is unknown.
    """

    required_top_k: ClassVar[int] = 0
    counts_documents: ClassVar[bool] = False

    rel_tol: float = 1e-9
    abs_tol: float = 0.0
    which: Literal["last", "first", "only"] = "last"
    scales: tuple[float, ...] = ()
    name: str = "numeric_match"

    def __post_init__(self) -> None:
        from heta_framework.common.text.numeric import check_settings

        put(self, scales=tuple(self.scales))
        check_settings(self.rel_tol, self.abs_tol, self.which, self.scales)

    def is_labelled(self, case: BenchmarkCase) -> bool:
        """Whether the case expects a number."""
        return bool(_expected_numbers(case))

    async def evaluate(self, *, case: BenchmarkCase, response: QueryResponse) -> EvaluationScore:
        """True where the answer's number fits an expected one."""
        from heta_framework.common.text.numeric import numeric

        expected = _expected_numbers(case)
        if not expected:
            return unlabelled(self.name, "case expects no number", value=False)
        answer = response.answer or ""
        verdicts = [numeric(answer, one, self.rel_tol, self.abs_tol, self.which, self.scales) for one in expected]
        best = max(verdicts, key=lambda one: one.value)
        matched = [one for one, verdict in zip(expected, verdicts, strict=True) if verdict.value]
        metadata = {"matched_answers": matched, "expected": expected, "reason": best.reason}
        return EvaluationScore(self.name, bool(matched), bool(matched), metadata)


def _expected_numbers(case: BenchmarkCase) -> list[str]:
    """The expected numbers as they are written."""
    from heta_framework.common.text.numeric import holds_one_number

    written = [_written(case.expected.value), *case.expected.answers]
    return [one for one in written if one is not None and holds_one_number(one)]


def _written(value: object) -> str | None:
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or not isinstance(value, Real | Decimal):
        return None
    try:
        return repr(float(value))
    except OverflowError:  # a whole number beyond what a float can hold
        return None
