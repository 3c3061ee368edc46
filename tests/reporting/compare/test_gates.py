"""The language of gates, and what a gate does where it cannot be decided."""

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heams.reporting.compare.gate_language import GateSyntaxError, metrics_of, parse_gate
from heams.reporting.compare.gates import gate_result
from heta_framework.common.statistics import Interval


def _tried(gate: str, **numbers: Any) -> tuple[bool, str]:
    known = {"delta": -0.05, "p": 0.01, "mean_a": 0.5, "mean_b": 0.45, "improved": 1, "regressed": 6, "n": 100}
    comparison: Any = SimpleNamespace(
        **known | {"interval": Interval(-0.08, -0.02, "t"), "no_interval": None} | numbers
    )
    result = gate_result(gate, parse_gate(gate), {None: comparison, "f1": comparison, "a/recall@10": comparison})
    return result.failed, result.why


@pytest.mark.parametrize(
    ("gate", "failed"),
    [
        ("delta < -0.02", True),
        ("-0.02 > delta", True),
        ("-0.02 >= delta and 0.05 <= p", False),
        ("delta >= 0", False),
        ("lower < -0.05 and upper < 0", True),
        ("n < 10 or delta < 0 and p < 0.001", False),
        ("(n < 10 or delta < 0) and p < 0.05", True),
        ("n < 10 or (delta < 0 AND (p <= 1e-2))", True),
        ("regressed > 5 and regressed != 6", False),
        ("mean_a == .5 and mean_b != .5", True),
        ("f1.delta<-0.02", True),
        ("a/recall@10.improved > 1", False),
    ],
)
def test_conditions_mean_what_they_say(gate: str, failed: bool) -> None:
    assert _tried(gate)[0] is failed


def test_a_gate_says_by_how_much_it_failed() -> None:
    assert _tried("delta < -0.02 and n >= 100") == (True, "delta is -0.05, 0.03 beyond -0.02; n is 100")
    assert _tried("delta < -0.1 and n >= 100") == (False, "delta is -0.05")


def test_what_cannot_be_told_fails() -> None:
    missing = {"interval": None, "no_interval": "all pairs share one history"}
    failed, why = _tried("upper < 0", **missing)
    assert failed
    assert why == "upper cannot be told: there is no interval, because all pairs share one history"
    assert _tried("delta < 0", delta=None)[0]


def test_what_is_decided_otherwise_need_not_be_told() -> None:
    missing = {"interval": None, "no_interval": "all pairs share one history"}
    assert _tried("delta < -0.2 and upper < 0", **missing)[0] is False
    assert _tried("delta < 0 or upper < 0", **missing) == (True, "delta is -0.05, 0.05 beyond 0")
    assert _tried("delta < 0 and upper < 0", **missing)[0] is True


@pytest.mark.parametrize(
    ("gate", "at", "why"),
    [
        ("", 1, "expected the name of a number"),
        ("delt < 0", 1, "no number is called 'delt'; did you mean 'delta'?"),
        ("delta < < 0", 9, "expected a number"),
        ("delta < 0 upper < 0", 11, "expected 'and', 'or' or the end"),
        ("(delta < 0", 11, "expected ')'"),
        ("delta < 0 and", 14, "expected the name of a number"),
        ("delta = 0", 7, "expected a number, a name, a comparison or a bracket"),
        ("delta < 2x", 9, "expected a number, a name"),
        ("__import__('os')", 12, "expected a number, a name, a comparison or a bracket"),
        ("0 < 1", 5, "expected the name of a number"),
        ("delta > -1e400", 9, "this number is too large"),
    ],
)
def test_errors_point_at_the_place(gate: str, at: int, why: str) -> None:
    with pytest.raises(GateSyntaxError) as refused:
        parse_gate(gate)
    first, shown, mark = str(refused.value).split("\n")
    assert f"at character {at}: {why}" in first
    assert shown == f"  {gate}"
    assert mark.index("^") == at + 1


@given(st.text(alphabet="delta p_n<>=!().0123456789-+eE and or\n\t'\"é", max_size=40))
def test_any_text_is_a_condition_or_refused(text: str) -> None:
    try:
        condition = parse_gate(text)
    except GateSyntaxError:
        return
    assert isinstance(metrics_of(condition), set)


def test_brackets_beyond_reason_are_refused() -> None:
    with pytest.raises(GateSyntaxError, match="brackets are more than 50 deep"):
        parse_gate("(" * 5000 + "n > 1" + ")" * 5000)
    assert metrics_of(parse_gate("f1.delta < 0 or (a/b.p < 1 and n > 1)")) == {"f1", "a/b"}
