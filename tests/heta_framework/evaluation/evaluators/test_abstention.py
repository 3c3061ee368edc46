"""`Abstention`: which cases count, and what declines."""

from __future__ import annotations

from typing import Any

import pytest
from scoring import case, is_unlabelled, score

from heta_framework.evaluation import Abstention, BenchmarkCase
from heta_framework.evaluation.evaluators.answerable import is_answerable
from heta_framework.kb import QueryResponse

UNANSWERABLE = case(labels={"answerable": False})
ANSWERABLE = case("Paris")


@pytest.mark.parametrize(
    ("asked", "answerable"),
    [
        (UNANSWERABLE, False),
        (ANSWERABLE, True),
        (case(labels={"answerable": "yes"}), True),
        (case(labels={"unanswerable": True}), False),
        (case("Paris", labels={"is_impossible": 1}), False),
        (case("Paris", labels={"is_impossible": "False"}), True),
        (case(expected_metadata={"answerable": False}), False),
        (case(metadata={"unanswerable": "no"}), True),
        (case(labels={"answerable": True}, metadata={"answerable": False}), True),
        (case("Insufficient information."), False),
        (case("Insufficient information.", "Paris"), True),
        (case(value="unanswerable"), False),
        (case(value=3.5), None),
        (case(labels={"answerable": "perhaps"}), None),
        (case(), None),
    ],
)
def test_labels_say_whether_a_case_can_be_answered(asked: BenchmarkCase, answerable: bool | None) -> None:
    assert is_answerable(asked) is answerable


DECLINES, ANSWERS = "I don't know.", "It was Paris."


@pytest.mark.parametrize(
    ("evaluator", "asked", "answer", "value"),
    [
        (Abstention(), UNANSWERABLE, DECLINES, True),
        (Abstention(), UNANSWERABLE, ANSWERS, False),
        (Abstention(), ANSWERABLE, ANSWERS, None),
        (Abstention("answerable"), ANSWERABLE, ANSWERS, True),
        (Abstention("answerable"), ANSWERABLE, DECLINES, False),
        (Abstention("answerable"), UNANSWERABLE, DECLINES, None),
        (Abstention("all"), UNANSWERABLE, DECLINES, True),
        (Abstention("all"), ANSWERABLE, DECLINES, False),
        (Abstention("all"), case(), DECLINES, None),
        (Abstention(), UNANSWERABLE, None, None),
        (Abstention(silence="declines"), UNANSWERABLE, None, True),
        (Abstention("all", "declines"), ANSWERABLE, None, False),
    ],
)
def test_the_decision_is_judged(
    evaluator: Abstention, asked: BenchmarkCase, answer: str | None, value: bool | None
) -> None:
    verdict = score(evaluator, asked, QueryResponse("m", answer=answer))
    if value is None:
        is_unlabelled(verdict)
    else:
        assert (verdict.value, verdict.passed) == (value, value)
        assert verdict.metadata == {"declined": answer != ANSWERS, "answerable": asked is ANSWERABLE}
    assert evaluator.is_labelled(asked) or value is None


def test_each_kind_of_cases_has_a_name() -> None:
    assert [Abstention(kind).name for kind in ("unanswerable", "answerable", "all")] == [
        "abstention",
        "abstention_answerable",
        "abstention_all",
    ]


@pytest.mark.parametrize("settings", [{"cases": "some"}, {"silence": "golden"}])
def test_settings_are_checked(settings: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="must be one of"):
        Abstention(**settings)
