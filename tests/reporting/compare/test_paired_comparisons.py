"""What a comparison finds: pairs, difference, interval, the test that suits them, groups, and words."""

from collections.abc import Callable
from typing import Any

import pytest
from scipy.stats import binomtest

from heams.reporting.compare import MetricKey, PairedComparison
from heams.reporting.compare.matrix import ExperimentComparison
from heams.reporting.compare.remarks import left_out_of_others
from heams.reporting.errors import ResultsError
from heams.reporting.load import load_results
from heta_framework.common.statistics import clustered_interval, holm, mean_interval

Answered = Callable[..., tuple[Any, Any]]
Comparing = Callable[..., PairedComparison]


def test_yes_and_no_of_independent_questions_are_tested_by_mcnemar(answered: Answered, comparing: Comparing) -> None:
    values = {f"q{n}": (0, 1) for n in range(9)} | {"lost": (1, 0)} | {f"same{n}": (1, 1) for n in range(5)}
    found = comparing(*answered(values, yes_or_no=True))
    assert found.test is not None
    assert found.test.method == "McNemar's exact test"
    assert found.p == pytest.approx(binomtest(1, 10).pvalue, abs=1e-12)
    table = found.two_by_two
    assert table is not None
    assert (table.both, table.only_a, table.only_b, table.neither) == (5, 1, 9, 0)
    assert (found.n, found.clusters, found.improved, found.regressed, found.equal) == (15, None, 9, 1, 5)
    assert found.delta == pytest.approx(8 / 15)
    assert found.interval == mean_interval([1] * 9 + [-1] + [0] * 5)
    assert found.outcome == "better"
    assert found.verdict.startswith("B is better by 53.3 points (95 % interval ")
    assert found.verdict.endswith("p = 0.021, 15 pairs).")


def test_graded_values_of_independent_questions_are_tested_by_flipping_signs(
    answered: Answered, comparing: Comparing
) -> None:
    found = comparing(*answered({f"q{n}": (0.9, 0.1 * n) for n in range(7)}))
    assert found.test is not None
    assert found.test.method == "exact permutation"
    assert found.p == 2 / 2**7
    assert found.two_by_two is None
    assert found.outcome == "worse"
    assert found.verdict.startswith("B is worse by 60.0 points (95 % interval ")


def test_questions_that_share_histories_count_as_whole_histories(answered: Answered, comparing: Comparing) -> None:
    values = {f"h{h}q{n}": (0, 1 if n else 0) for h in range(3) for n in range(9)}
    histories = {name: name[:2] for name in values}
    found = comparing(*answered(values, histories, yes_or_no=True))
    assert found.test is not None
    assert (found.p, found.clusters, found.test.units) == (0.25, 3, 3)
    assert found.test.method == "exact permutation of whole clusters"
    assert found.test.if_independent == pytest.approx(2 / 2**24)
    assert found.outcome == "too few"
    assert found.verdict.startswith("too few histories to tell: with 3 histories the smallest possible p is 0.25 ")


def test_the_interval_is_that_of_whole_histories(answered: Answered, comparing: Comparing) -> None:
    values = {f"h{h}q{n}": (0.5, 0.5 + h * n / 100) for h in range(6) for n in range(4)}
    found = comparing(*answered(values, {name: name[:2] for name in values}))
    changes = [b - a for a, b in values.values()]
    expected = clustered_interval(changes, [name[:2] for name in values])
    assert found.interval is not None
    assert expected is not None
    assert (found.interval.low, found.interval.high) == pytest.approx((expected.low, expected.high))
    assert found.noun.several == "histories"


def test_steps_of_one_scenario_stand_together(two: Answered, comparing: Comparing, record: Any) -> None:
    sides = two()
    for saved, value in zip(sides, (0, 1), strict=True):
        for sample in ("s1", "s2"):
            saved.add(sample, *(record(value, passed=value == 1, step_index=step) for step in (None, 0, 1)))
    found = comparing(*sides)
    assert (found.n, found.clusters, found.noun.several) == (6, 2, "scenarios")
    assert [pair.step_index for pair in found.pairs][:3] == [None, 0, 1]


def test_repeats_are_averaged_before_pairs_are_made(two: Answered, comparing: Comparing, record: Any) -> None:
    a, b = two()
    for repeat, (in_a, in_b) in enumerate([(0, 1), (0, 1), (1, 0)]):
        a.add("q", record(in_a, passed=in_a == 1), repeat=repeat)
        b.add("q", record(in_b, passed=in_b == 1), repeat=repeat)
    found = comparing(a, b)
    (pair,) = found.pairs
    assert [pair.value_a, pair.value_b] == pytest.approx([1 / 3, 2 / 3])
    table = found.two_by_two
    assert table is not None
    assert table.only_b == 1
    assert found.test is not None
    assert found.test.method == "exact permutation"


def test_errors_count_as_zero_and_what_is_left_out_is_counted(two: Answered, comparing: Comparing, record: Any) -> None:
    a, b = two()
    for sample, in_a, in_b in [
        ("wrong", record(outcome="error"), record(1)),
        ("cannot", record(1), record(outcome="unsupported")),
        ("unread", record(outcome="unscored"), record(1)),
        ("left", record(outcome="skipped"), record(outcome="skipped")),
        ("mixed", record(outcome="skipped"), record(outcome="unscored")),
    ]:
        a.add(sample, in_a)
        b.add(sample, in_b)
    a.add("lost", record(1))
    b.add("lost", status="error", error={"phase": "answer", "type": "ValueError", "message": "no"})
    b.add("new", record(1))
    found = comparing(a, b)
    assert (found.n, found.mean_a, found.mean_b) == (2, 0.5, 0.5)
    assert [(pair.verdict_a, pair.verdict_b) for pair in found.pairs] == [("error", "pass"), ("pass", "unsupported")]
    assert found.left_out == {
        "failed in B without a verdict": 1,
        "only in B": 1,
        "skipped in A and unscored in B": 1,
        "skipped in both": 1,
        "unscored in A": 1,
    }
    assert (found.only_in_a, found.only_in_b) == (1, 1)


def test_what_is_left_out_is_told_of_every_metric(two: Answered, comparing: Comparing, record: Any) -> None:
    sides = a, b = two()
    for sample, outcome in (("q1", "scored"), ("q2", "skipped"), ("q3", "skipped")):
        a.add(sample, record(1), record(1, metric="use"))
        b.add(sample, record(1), record(1 if outcome == "scored" else None, metric="use", outcome=outcome))
    main, use = comparing(*sides), comparing(*sides, metric=("judge", "use"))
    loaded_a, loaded_b = (load_results(side.directory).experiments[0] for side in sides)
    compared = ExperimentComparison(loaded_a, loaded_b, main, (use,), {None: main}, {})
    assert list(left_out_of_others(compared)) == ["In no pair under use: 2 skipped in B."]


def test_lower_is_better_where_passing_says_so(two: Answered, comparing: Comparing, record: Any) -> None:
    sides = two()
    for number in range(12):
        for saved, leaked in zip(sides, (1, int(number == 0)), strict=True):
            saved.add(f"q{number}", record(leaked, passed=not leaked))
    found = comparing(*sides)
    assert not found.higher_is_better
    assert found.delta is not None
    assert found.delta < 0
    assert (found.outcome, found.improved) == ("better", 11)
    assert found.verdict.startswith("B is better by 91.7 points")
    assert found.test is not None
    assert found.test.method == "McNemar's exact test"
    assert {pair.sample_id for pair in found.pairs.where("regressed")} == set()


def test_the_same_values_are_called_alike_and_have_no_interval(answered: Answered, comparing: Comparing) -> None:
    a, b = answered({f"q{n}": (n / 10, n / 10) for n in range(8)})
    found = comparing(a, b)
    assert (found.delta, found.p, found.interval) == (0, 1, None)
    assert found.no_interval == "all pairs have the same value on both sides"
    assert found.outcome == "alike"
    assert found.verdict == "no difference was seen: A and B have the same value in all 8 pairs."


def test_a_single_history_has_no_interval_and_says_why(answered: Answered, comparing: Comparing) -> None:
    values = {f"q{n}": (0, n / 10) for n in range(9)}
    found = comparing(*answered(values, dict.fromkeys(values, "one")))
    assert found.interval is None
    assert found.no_interval is not None
    assert "one history" in found.no_interval
    assert found.verdict.startswith("too few histories to tell: with 1 history the smallest possible p is 1 ")


def test_no_difference_shown_is_never_called_equality(answered: Answered, comparing: Comparing) -> None:
    values = {f"q{n}": (0, 0) for n in range(20)} | {"x": (0, 1), "y": (1, 0), "z": (0, 1)}
    found = comparing(*answered(values, yes_or_no=True))
    assert found.verdict.startswith("no difference was shown: B is higher by 4.3 points, which may be chance (")
    assert found.verdict.endswith("p = 1, 23 pairs); only 3 pairs differ at all.")


def test_values_beyond_shares_are_told_in_their_own_unit(answered: Answered, comparing: Comparing) -> None:
    found = comparing(*answered({f"q{n}": (1 + n, 3.5 + n) for n in range(8)}))
    assert found.verdict.startswith("B is better by 2.500 (p = 0.008, 8 pairs)")


def test_groups_have_the_same_numbers_and_adjusted_p(answered: Answered, comparing: Comparing) -> None:
    values: dict[str, tuple[float, float]] = {f"easy{n}": (0, 1) for n in range(8)}
    values |= {f"hard{n}": (0, 1 if n else 0) for n in range(7)} | {"plain": (1, 1)}
    tags = {name: {"level": name[:4]} for name in values if name != "plain"}
    found = comparing(*answered(values, yes_or_no=True, tags=tags), by="level")
    assert [(group.value, group.n, group.outcome) for group in found.groups] == [
        ("easy", 8, "better"),
        ("hard", 7, "not shown"),
        (None, 1, "alike"),
    ]
    raw = [group.p for group in found.groups]
    assert raw == [2 / 2**8, 2 / 2**6, 1]
    assert [group.adjusted_p for group in found.groups] == holm([p for p in raw if p is not None])


def test_the_most_changed_come_first(answered: Answered, comparing: Comparing) -> None:
    found = comparing(*answered({"a": (0, 0.2), "b": (0, 0.9), "c": (1, 0.5), "d": (0.3, 0.3)}))
    assert [pair.sample_id for pair in found.pairs.most_changed(5, "improved")] == ["b", "a"]
    assert [pair.sample_id for pair in found.pairs.most_changed(1, "regressed")] == ["c"]
    assert [pair.sample_id for pair in found.pairs[1:3]] == ["b", "c"]
    assert found.pairs[0].change == pytest.approx(0.2)


def test_without_any_value_there_is_nothing_to_compare(answered: Answered, comparing: Comparing) -> None:
    found = comparing(*answered({"q": (None, 1)}))
    assert (found.n, found.delta, found.p, found.test) == (0, None, None, None)
    assert found.verdict == "nothing to compare: no question has a value on both sides."


def test_the_first_headline_metric_with_values_is_chosen(two: Answered, comparing: Comparing, record: Any) -> None:
    sides = two()
    for saved in sides:
        saved.add("q", record(outcome="unscored", metric="recall"), record(1, metric="exact"))
    assert comparing(*sides).metric == MetricKey("judge", "exact")
    assert comparing(*sides, metric=("judge", "recall")).n == 0


def test_unknown_names_are_answered_with_known_ones(answered: Answered, comparing: Comparing) -> None:
    sides = answered({"q": (0, 1)}, tags={"q": {"level": "easy"}})
    with pytest.raises(ResultsError, match=r"no record has a tag 'levl'; did you mean 'level'. There are: criterion, "):
        comparing(*sides, by="levl")
    with pytest.raises(ResultsError, match="nothing that may differ is called 'dat'; did you mean 'data'"):
        comparing(*sides, allow=["dat"])


def test_experiments_without_a_sample_in_common_are_refused(two: Answered, comparing: Comparing, record: Any) -> None:
    a, b = two()
    a.add("one", record(1))
    b.add("two", record(1))
    with pytest.raises(
        ResultsError, match=r"no sample with a verdict of judge/f1 is in both.*A has 'one'; B has 'two'"
    ):
        comparing(a, b)


def test_experiments_without_a_metric_in_common_are_refused(two: Answered, comparing: Comparing, record: Any) -> None:
    a, b = two()
    a.add("q", record(1, metric="f1"))
    b.add("q", record(1, metric="exact"))
    with pytest.raises(ResultsError, match=r"no metric in common: A \(first\) has f1; B \(second\) has exact"):
        comparing(a, b)
