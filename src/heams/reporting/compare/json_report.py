"""A comparison as JSON, for programs: every number in full."""

from collections.abc import Mapping, Sequence
from typing import Any

from heams.reporting.compare.comparison import PairedComparison
from heams.reporting.compare.gates import GateResult
from heams.reporting.compare.matrix import ExperimentComparison, MatrixLine
from heams.reporting.compare.numbers import PairedNumbers
from heams.reporting.compare.pairs import CHANGED, Pair
from heams.reporting.compare.partners import Partners
from heams.reporting.compare.remarks import cautions, damage
from heams.reporting.compare.unlike import Unlike
from heams.reporting.load import ExperimentResults

SCHEMA_VERSION = 1


def json_report(
    partners: Partners, lines: Sequence[MatrixLine], gates: Mapping[int, Sequence[GateResult]], different: int
) -> dict[str, Any]:
    """``gates`` are the results by the place of the line."""
    return {
        "schema_version": SCHEMA_VERSION,
        "comparisons": [
            {**_line(line, different), "gates": [_gate(result) for result in gates.get(place, ())]}
            for place, line in enumerate(lines)
        ],
        "only_in_a": [one.directory.name for one in partners.only_in_a],
        "only_in_b": [one.directory.name for one in partners.only_in_b],
        "failed": any(result.failed for results in gates.values() for result in results),
    }


def _line(line: MatrixLine, different: int) -> dict[str, Any]:
    compared = line.compared
    metrics = dict.fromkeys([compared.main.metric, *(other.metric for other in compared.others)])
    named = [one for one in compared.under.values() if one.metric not in metrics]
    return {
        "a": _experiment(compared.a),
        "b": _experiment(compared.b),
        "adjusted_p": line.adjusted_p,
        "outcome": line.outcome,
        "damaged": damage(compared),
        "metrics": [_comparison(one) for one in (compared.main, *compared.others, *named)],
        "different": _different(compared, different),
    }


def _experiment(results: ExperimentResults) -> dict[str, str]:
    labels = results.labels
    return {
        "name": results.name,
        "directory": str(results.directory),
        "run_id": results.run_id,
        "agent": labels.agent,
        "memory_system": labels.memory_system,
        "benchmark": labels.benchmark,
    }


def _comparison(comparison: PairedComparison) -> dict[str, Any]:
    return {
        "evaluator": comparison.metric.evaluator,
        "metric": comparison.metric.metric,
        "verdict": comparison.verdict,
        "outcome": comparison.outcome,
        **_numbers(comparison),
        "only_in_a": comparison.only_in_a,
        "only_in_b": comparison.only_in_b,
        "left_out": dict(comparison.left_out),
        "compared": [_unlike(one) for one in comparison.components],
        "allowed": [_unlike(one) for one in comparison.allowed],
        "cautions": list(cautions(comparison)),
        "by": comparison.by,
        "groups": [
            {"value": group.value, "outcome": group.outcome, **_numbers(group), "adjusted_p": group.adjusted_p}
            for group in comparison.groups
        ],
    }


def _numbers(numbers: PairedNumbers) -> dict[str, Any]:
    bounds, test, table = numbers.interval, numbers.test, numbers.two_by_two
    return {
        "n": numbers.n,
        "mean_a": numbers.mean_a,
        "mean_b": numbers.mean_b,
        "delta": numbers.delta,
        "interval": None if bounds is None else {"low": bounds.low, "high": bounds.high, "method": bounds.method},
        "no_interval": numbers.no_interval,
        "p": numbers.p,
        "test": None if test is None else test.method,
        "units": None if test is None else test.units,
        "smallest_p": None if test is None else test.smallest_p,
        "mcnemar_if_independent": None if test is None else test.if_independent,
        "clusters": numbers.clusters,
        "two_by_two": None
        if table is None
        else {"both": table.both, "only_a": table.only_a, "only_b": table.only_b, "neither": table.neither},
        "improved": numbers.improved,
        "regressed": numbers.regressed,
        "equal": numbers.equal,
        "higher_is_better": numbers.higher_is_better,
    }


def _unlike(difference: Unlike) -> dict[str, str]:
    return {"name": difference.name, "what": difference.what, "a": difference.a, "b": difference.b}


def _gate(result: GateResult) -> dict[str, Any]:
    return {"fail_if": result.gate, "failed": result.failed, "why": result.why}


def _different(compared: ExperimentComparison, number: int) -> dict[str, list[dict[str, Any]]]:
    pairs = compared.main.pairs
    return {
        cell: [_pair(pair, compared.names) for pair in pairs.most_changed(number, cell)] if number else []
        for cell in CHANGED
    }


def _pair(pair: Pair, names: Mapping[int, str]) -> dict[str, Any]:
    return {
        "sample_id": pair.sample_id,
        "step_index": pair.step_index,
        "sample_name": names.get(pair.position_a),
        "value_a": pair.value_a,
        "value_b": pair.value_b,
        "verdict_a": pair.verdict_a,
        "verdict_b": pair.verdict_b,
    }
