"""Calibration cases from LoCoMo's gold and its audit: enough of each kind, and none that is right by accident."""

from collections import Counter
from pathlib import Path

import pytest

from heams.calibration.examining import prepare_exam
from heams.calibration.near_misses import folded
from heams.calibration.running import Exam
from heams.calibration.subject import read_subject


@pytest.fixture
def exam(repository: Path, data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> Exam:
    audit = data_dir / "locomo_audit/errors.json"
    if not audit.is_file():
        pytest.skip("HEAMS_DATA_DIR holds no locomo_audit")
    monkeypatch.setenv("HEAMS_DATA_DIR", str(data_dir))
    subject = read_subject(repository / "configs/judges/strict_gpt4o_mini.yaml")
    return prepare_exam(subject, repository / "configs/benchmarks/locomo.yaml", n=330, seed=0, audit=audit)


def test_kinds_are_balanced_and_hold_the_audit(exam: Exam) -> None:
    counts = Counter(case.kind for case in exam.cases)
    assert len(exam.cases) == 330
    assert set(counts) == {
        "gold", "in_a_sentence", "reordered", "other_format", "near_miss", "hedging", "vague", "less_exact", "refusal",
        "injected_verdict", "audited_gold",
    }  # fmt: skip
    assert 20 <= counts["audited_gold"] <= 40
    others = [count for kind, count in counts.items() if kind != "audited_gold"]
    assert max(others) - min(others) <= 1
    assert len(exam.sources) == 2


def test_wrong_answers_do_not_hold_the_gold(exam: Exam) -> None:
    for case in exam.cases:
        if case.kind in ("near_miss", "vague", "less_exact", "refusal", "audited_gold"):
            assert all(folded(gold) != folded(case.answer) for gold in case.expected), case
        if case.kind in ("vague", "refusal"):
            assert all(folded(gold) not in folded(case.answer) for gold in case.expected), case


def test_the_gold_of_the_audit_replaces_nothing_twice(exam: Exam) -> None:
    audited = [case for case in exam.cases if case.kind == "audited_gold"]
    assert len({case.id for case in audited}) == len(audited)
    assert all("(D" not in case.expected[0] for case in audited)
