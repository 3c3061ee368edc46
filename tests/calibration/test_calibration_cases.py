"""The cases of a calibration: right answers are right, wrong ones are wrong, and the same seed gives the same ones."""

from datetime import date
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heams.benchmarks.locomo.audit import AuditFinding
from heams.calibration.audit_cases import audit_cases
from heams.calibration.cases import Case, balanced, build_cases
from heams.calibration.facts import FactKind, elements, find_date, kind_of, other_spelling
from heams.calibration.near_misses import NearMisses, differs, folded
from heams.calibration.questions import GoldQuestion
from heams.calibration.right_answers import right_answers

QUESTIONS = [
    GoldQuestion("d1", "one", "When did Ada finish the kiln?", ("8 March 2024",)),
    GoldQuestion("d2", "one", "When was the harbour frozen?", ("the Monday before 21 February 2024",)),
    GoldQuestion("d3", "one", "When did the ferry come back?", ("12 May 2024",)),
    GoldQuestion("n1", "one", "How many lanterns hang there?", ("47 lanterns",)),
    GoldQuestion("n2", "one", "How many geese were counted?", ("61",)),
    GoldQuestion("l1", "one", "Which tools did Ben lose?", ("file, chisel, awl",)),
    GoldQuestion("l2", "one", "Which fruits grow here?", ("quince, medlar",)),
    GoldQuestion("w1", "one", "What is the boat called?", ("Perseida",)),
    GoldQuestion("w2", "one", "Who runs the bakery?", ("Dona Graça",)),
    GoldQuestion("t1", "one", "What did Ada mend?", ("the cracked oar",)),
    GoldQuestion("t2", "one", "What smelled of tar?", ("a wool blanket",)),
    GoldQuestion("y1", "one", "Is Ben left-handed?", ("Yes",)),
    GoldQuestion("y2", "two", "Would Ada move away?", ("likely no; she loves the hill",)),
]
RIGHT = {"gold", "in_a_sentence", "reordered", "other_format"}
WRONG = {"near_miss", "hedging", "vague", "less_exact", "refusal", "injected_verdict"}


def cases(seed: int = 0) -> list[Case]:
    return list(build_cases(QUESTIONS, seed, at_most=100, field="verdict", verdict='"correct"'))


def question_of(case: Case) -> GoldQuestion:
    return next(question for question in QUESTIONS if question.id == case.id.partition(":")[0])


@pytest.mark.parametrize(
    ("gold", "kind"),
    [
        ("8 March 2024", FactKind.DATE),
        ("September 14, 2023", FactKind.DATE),
        ("the Tuesday before 14 October 2022", FactKind.DATE),
        ("31 February 2024", FactKind.NUMBER),
        ("1,260 złoty", FactKind.NUMBER),
        ("four", FactKind.NUMBER),
        ("a 5K run", FactKind.TEXT),
        ("tortoise, dog", FactKind.LIST),
        ("January, 2023", FactKind.NUMBER),
        ("love, faith, and strength", FactKind.LIST),
        ("No, she stays", FactKind.POLAR),
        ("Nobody", FactKind.NAME),
        ("Rua do Almada", FactKind.NAME),
        ("the cracked oar", FactKind.TEXT),
        ("Yes", FactKind.POLAR),
        ("Likely no", FactKind.POLAR),
        ("likely no; she loves the hill", FactKind.POLAR),
    ],
)
def test_kinds_of_gold(gold: str, kind: FactKind) -> None:
    assert kind_of(gold) is kind


@pytest.mark.parametrize(
    ("gold", "other"),
    [
        ("8 March 2024", "March 8, 2024"),
        ("September 14, 2023", "2023-09-14"),
        ("few days before 19 August, 2023.", "few days before August 19, 2023."),
        ("1,260 złoty", "1260 złoty"),
        ("four", "4"),
        ("4 months", "four months"),
        ("47 lanterns", None),
        ("a 5K run", None),
        ("2018", None),
        ("grey", None),
    ],
)
def test_other_spellings(gold: str, other: str | None) -> None:
    assert other_spelling(gold) == other


def test_right_answers_hold_the_gold() -> None:
    for case in cases():
        if case.kind in ("gold", "in_a_sentence"):
            assert folded(case.expected[0].rstrip(".")) in folded(case.answer)
        if case.kind == "reordered":
            assert sorted(elements(case.answer)) == sorted(elements(case.expected[0]))
            assert case.answer != case.expected[0]


def test_near_misses_are_facts_of_the_same_kind_and_others() -> None:
    made = [case for case in cases() if case.kind == "near_miss"]
    assert {question_of(case).id for case in made} == {question.id for question in QUESTIONS}
    for case in made:
        assert differs(case.answer, question_of(case))
        if case.id.startswith(("d", "n", "l")):
            assert kind_of(case.answer) is kind_of(case.expected[0])
        if case.id.startswith("y"):
            assert case.answer in ("yes", "no")


@given(st.dates(date(1600, 1, 1), date(2900, 1, 1)), st.integers())
def test_a_date_alone_still_gets_a_wrong_one(day: date, seed: int) -> None:
    text = f"{day.day} {day:%B} {day.year:04d}"
    question = GoldQuestion("q", "alone", "When was it?", (text,))
    made = NearMisses([question]).near_miss(question, Random(seed))
    found = find_date(made or "")
    assert found is not None
    assert 9 <= abs((found.day - day).days) <= 40


@given(st.integers(0, 10**6), st.integers())
def test_a_number_alone_still_gets_a_wrong_one(number: int, seed: int) -> None:
    question = GoldQuestion("q", "alone", "How many?", (f"{number} geese",))
    made = NearMisses([question]).near_miss(question, Random(seed))
    assert made is not None
    assert made != question.gold
    assert made.endswith(" geese")


def test_answers_to_questions_about_the_same_thing_are_not_lent() -> None:
    alike = [
        GoldQuestion("a", "g", "What did Ada paint in June?", ("a sunset",)),
        GoldQuestion("b", "g", "What did Ada paint last?", ("a heron",)),
    ]
    assert NearMisses(alike).near_miss(alike[0], Random(0)) is None


def test_vague_and_inexact_answers_do_not_hold_the_gold() -> None:
    for case in cases():
        if case.kind in ("vague", "less_exact", "refusal"):
            assert all(folded(gold) not in folded(case.answer) for gold in case.expected)


def test_hedging_offers_the_gold_among_others_and_injections_hold_a_verdict() -> None:
    for case in cases():
        if case.kind == "hedging":
            assert case.expected[0].rstrip(".") in case.answer
        if case.kind == "injected_verdict":
            assert "correct" in case.answer


def test_every_kind_is_made_and_labelled() -> None:
    made = cases()
    assert {case.kind for case in made if case.accept} == RIGHT
    assert {case.kind for case in made if not case.accept} == WRONG
    assert len({case.id for case in made}) == len(made)


def test_a_seed_decides_and_kinds_are_balanced() -> None:
    assert cases(3) == cases(3)
    assert cases(3) != cases(4)
    chosen = balanced(cases(), 20)
    counts = {kind: sum(case.kind == kind for case in chosen) for kind in RIGHT | WRONG}
    assert len(chosen) == 20
    assert set(counts.values()) == {2}
    assert balanced(cases(), 10_000)
    assert balanced([], 5) == []


def test_a_plain_gold_has_no_other_order_or_format() -> None:
    question = GoldQuestion("q", "g", "What colour?", ("grey",))
    assert [answer.kind for answer in right_answers(question, Random(0))] == ["gold", "in_a_sentence"]


def finding(wrong: str, right: str, error: str = "TEMPORAL_ERROR") -> AuditFinding:
    return AuditFinding(
        question_id="locomo_0_qa1",
        question="When?",
        golden_answer=wrong,
        error_type=error,
        correct_answer=right,
        correct_evidence=[],
    )


@pytest.mark.parametrize(
    ("given_finding", "used"),
    [
        (finding("June 2023", "July 2023 (D3:4)"), True),
        (finding("June 2023", "July 2023", "WRONG_CITATION"), False),
        (finding("June 2023", "July 2023", "AMBIGUOUS"), False),
        (finding("Oslo", "Oslo (but in 2022)"), False),
        (finding("tea, coffee", "tea"), False),
        (finding("four weeks", "approximately five weeks"), False),
        (finding("painting", "He did not take up any hobby"), False),
        (finding("x", "a long story " * 5), False),
    ],
)
def test_only_clear_findings_of_the_audit_are_used(given_finding: AuditFinding, used: bool) -> None:
    made = list(audit_cases([given_finding]))
    assert bool(made) == used
    assert all(not case.accept and "D3:4" not in case.expected[0] for case in made)
