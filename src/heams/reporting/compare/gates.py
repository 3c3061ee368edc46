"""Gates: whether a condition on a comparison is met, with the numbers that say so.

What cannot be decided (no interval, no pairs) is never passed over: the gate fails, and says why.
"""

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from heams.reporting.compare.comparison import PairedComparison
from heams.reporting.compare.gate_language import Check, Condition, Either, metrics_of
from heams.reporting.compare.matrix import MatrixLine
from heams.reporting.errors import ResultsError

_COMPARE: Mapping[str, Callable[[float, float], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class GateResult:
    """``failed`` says whether the run is to be refused, ``why`` in which numbers that shows."""

    gate: str
    failed: bool
    why: str


@dataclass(frozen=True, slots=True)
class _Finding:
    """``met`` is None where it cannot be told."""

    met: bool | None
    words: str


def gate_results(lines: Sequence[MatrixLine], gates: Mapping[str, Condition]) -> dict[int, list[GateResult]]:
    """Try every gate on each comparison that has the metrics it names; the results by the place of the comparison.

    Raises:
        ResultsError: no comparison has the metrics that a gate names.
    """
    results: dict[int, list[GateResult]] = {place: [] for place in range(len(lines))}
    for gate, condition in gates.items():
        places = [place for place, line in enumerate(lines) if metrics_of(condition) <= line.compared.under.keys()]
        if not places:
            named = ", ".join(sorted(metrics_of(condition)))
            raise ResultsError(f"{gate!r} names a metric that is not on both sides; it names {named}")
        for place in places:
            results[place].append(gate_result(gate, condition, lines[place].compared.under))
    return results


def gate_result(gate: str, condition: Condition, under: Mapping[str | None, PairedComparison]) -> GateResult:
    """Try a gate; ``under`` has the comparison under each metric that it names, and under None the main one."""
    found = _found(condition, under)
    return GateResult(gate, found.met is not False, found.words)


def _found(condition: Condition, under: Mapping[str | None, PairedComparison]) -> _Finding:
    if isinstance(condition, Check):
        return _checked(condition, under[condition.metric])
    findings = [_found(part, under) for part in condition.parts]
    return _any(findings) if isinstance(condition, Either) else _all(findings)


def _any(findings: Sequence[_Finding]) -> _Finding:
    return _decided(findings, True)


def _all(findings: Sequence[_Finding]) -> _Finding:
    return _decided(findings, False)


def _decided(findings: Sequence[_Finding], deciding: bool) -> _Finding:
    """One finding that decides is enough; without it, one that cannot be told leaves all untold (Kleene's logic)."""
    for met in (deciding, None):
        some = [finding for finding in findings if finding.met is met]
        if some:
            return _Finding(met, "; ".join(finding.words for finding in some))
    return _Finding(not deciding, "; ".join(finding.words for finding in findings))


def _checked(check: Check, comparison: PairedComparison) -> _Finding:
    value, why = _value(check.number, comparison)
    name = f"{check.metric}.{check.number}" if check.metric else check.number
    if value is None:
        return _Finding(None, f"{name} cannot be told: {why}")
    met = _COMPARE[check.operator](value, check.limit)
    beyond = (
        f", {_plain(abs(value - check.limit))} beyond {_plain(check.limit)}" if met and value != check.limit else ""
    )
    return _Finding(met, f"{name} is {_plain(value)}{beyond}")


def _value(number: str, comparison: PairedComparison) -> tuple[float | None, str]:
    if number in ("lower", "upper"):
        bounds = comparison.interval
        why = f"there is no interval, because {comparison.no_interval}"
        return (None, why) if bounds is None else (bounds.low if number == "lower" else bounds.high, "")
    value: float | None = getattr(comparison, number)
    return value, "there are no pairs"


def _plain(value: float) -> str:
    return str(int(value)) if value == int(value) else f"{value:.4g}"
