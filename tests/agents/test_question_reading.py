"""What a question asks for is read off its words."""

from __future__ import annotations

from datetime import date

import pytest

from heams.agents.extraction.question import Kind, read_question


@pytest.mark.parametrize(
    ("question", "kind", "plural"),
    [
        ("When did Ada leave?", Kind.WHEN, False),
        ("What year did Ada leave?", Kind.WHEN, False),
        ("In which month did Ada leave?", Kind.WHEN, False),
        ("Where is Ada?", Kind.WHERE, False),
        ("Which cities has Ada seen?", Kind.WHERE, True),
        ("In what country was Ada born?", Kind.WHERE, False),
        ("Whose bicycle was stolen?", Kind.WHO, False),
        ("How long did it take?", Kind.HOW_LONG, False),
        ("How often does Ada sing?", Kind.HOW_OFTEN, False),
        ("How many cats does Ada have?", Kind.HOW_MANY, True),
        ("How much did it cost?", Kind.HOW_MUCH, False),
        ("How did Ada feel?", Kind.HOW, False),
        ("Why did Ada leave?", Kind.WHY, False),
        ("Would Ada enjoy opera?", Kind.YES_NO, False),
        ("What book did Ada read?", Kind.WHAT, False),
        ("What books did Ada read?", Kind.WHAT, True),
        ("What are Ada's hobbies?", Kind.WHAT, True),
        ("What is the bus number?", Kind.WHAT, False),
        ("Tell me about Ada.", Kind.WHAT, False),
        ("", Kind.WHAT, False),
    ],
)
def test_the_kind_of_a_question(question: str, kind: Kind, plural: bool) -> None:
    read = read_question(question)
    assert (read.kind, read.plural) == (kind, plural)


def test_terms_are_stems_without_question_words_and_dates() -> None:
    read = read_question("What kind of cakes did Ada bake on 3 May 2023?")
    assert read.terms == {"cake", "ada", "bake"}
    assert read.focus == {"cake"}
    assert read.names == {"ada"}
    assert [period.name for period in read.periods] == ["3 May 2023"]


def test_irregular_forms_meet_their_base() -> None:
    assert read_question("What did Ada buy?").terms >= read_question("bought").terms


def test_the_last_question_counts() -> None:
    read = read_question("I am packing. Is it cold? Which gloves did Ada lend me? Answer briefly.")
    assert read.text == "Which gloves did Ada lend me?"
    assert read.of_asker


def test_relative_dates_are_worked_out_from_the_day_of_asking() -> None:
    read = read_question("What did Ada say yesterday?", date(2023, 3, 1))
    assert [period.name for period in read.periods] == ["28 February 2023"]
