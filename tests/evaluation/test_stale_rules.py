"""stale: what an answer asserts, what it only mentions as past or denied, and that doubt does not win everywhere."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heams.evaluation.stale_rules import ProbePhrases, asserts, judge_changed, judge_held

_MOVED = ProbePhrases(must_any=("Oslo",), must_not=("Riga",))
_KNEE = ProbePhrases(must_any=("crutches", "knee"), must_not=("every morning",), says="no")
_HOME = ProbePhrases(must_any=("Riga",), must_not=("Oslo",))
_RUNS = ProbePhrases(must_any=("lake",), says="yes")


@pytest.mark.parametrize(
    ("answer", "phrases", "passed"),
    [
        ("You live in Oslo.", _MOVED, True),
        ("You no longer live in Riga; your home is in Oslo.", _MOVED, True),
        ("You used to live in Riga, and now you live in Oslo.", _MOVED, True),
        ("You moved from Riga to Oslo.", _MOVED, True),
        ("Oslo, since you left Riga.", _MOVED, True),
        ("In Riga.", _MOVED, False),
        ("You live in Riga, though Oslo was mentioned.", _MOVED, False),
        ("You may no longer live in Riga.", _MOVED, True),
        ("I do not know.", _MOVED, False),
        ("I have no information about Oslo.", _MOVED, False),
        ("", _MOVED, False),
        ("No, you are on crutches.", _KNEE, True),
        ("No.", _KNEE, True),
        ("Yes, every morning.", _KNEE, False),
        ("Yes, on crutches.", _KNEE, False),
        ("Not mentioned", _KNEE, False),
        ("There is no information about that.", _KNEE, False),
        ("You ran every morning until your knee was hurt.", _KNEE, True),
        ("You run every morning.", _KNEE, False),
        ("You lived in Riga, now Oslo.", _MOVED, True),
        ("Your home is Oslo; Riga is where you were before.", _MOVED, True),
        ("You never left Riga.", _MOVED, False),
    ],
)
def test_an_ended_state_needs_the_new_one_and_no_assertion_of_the_old(
    answer: str, phrases: ProbePhrases, passed: bool
) -> None:
    assert judge_changed(answer, phrases, doubt_counts=True).passed is passed


def test_a_doubt_is_no_adapted_action() -> None:
    doubt = "Please verify whether this is up to date."
    assert judge_changed(doubt, _MOVED, doubt_counts=True).reason == "doubts the old state: 'Please verify whether'"
    assert not judge_changed(doubt, _MOVED, doubt_counts=False).passed
    assert judge_changed("Take the tram in Oslo.", _MOVED, doubt_counts=False).reason == "says 'Oslo'"


@pytest.mark.parametrize(
    ("answer", "phrases", "passed"),
    [
        ("You live in Riga.", _HOME, True),
        ("Riga", _HOME, True),
        ("You never left Riga.", _HOME, True),
        ("I have nothing that says you moved from Riga.", _HOME, True),
        ("You have lived in Riga since 2019.", _HOME, True),
        ("You lived in Riga.", _HOME, False),
        ("You used to live in Riga.", _HOME, False),
        ("You no longer live in Riga.", _HOME, False),
        ("You live in Riga, but that may have changed.", _HOME, False),
        ("You live in Oslo.", _HOME, False),
        ("You live in Riga; you were never in Oslo.", _HOME, True),
        ("I do not know.", _HOME, False),
        ("No mention of Riga is on file.", _HOME, False),
        ("Yes.", _RUNS, True),
        ("No, not round the lake.", _RUNS, False),
        ("Round the lake, for no longer than an hour.", _RUNS, True),
    ],
)
def test_a_state_that_holds_is_asserted_without_doubt(answer: str, phrases: ProbePhrases, passed: bool) -> None:
    assert judge_held(answer, phrases).passed is passed


@given(st.text(max_size=60))
def test_any_answer_gets_a_verdict_with_a_reason(answer: str) -> None:
    for verdict in (judge_changed(answer, _KNEE, doubt_counts=True), judge_held(answer, _RUNS)):
        assert verdict.reason


@given(st.sampled_from(["used to live in", "no longer live in", "previously had a flat in", "sold the house in"]))
def test_what_is_past_or_denied_is_not_asserted(words: str) -> None:
    assert not asserts(f"You {words} Riga.", "Riga")
    assert asserts(f"You {words} Oslo. Riga is where you live.", "Riga")
