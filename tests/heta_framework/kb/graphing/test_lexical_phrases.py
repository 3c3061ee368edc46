"""Candidates for names: proper names, acronyms, quotations, quantities, and runs of content words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heta_framework.kb.graphing.lexical.phrases import spans
from heta_framework.kb.graphing.lexical.sentences import sentences


def found(sentence: str, *common: str) -> list[tuple[str, str]]:
    return [(span.text, span.kind) for span in spans(sentence, frozenset(common))]


def test_names_are_runs_of_capitalised_words() -> None:
    assert found("The keeper met Ada Quill of Port Sorrel in Rome.") == [
        ("keeper", "phrase"),
        ("Ada Quill of Port Sorrel", "name"),
        ("Port Sorrel", "name"),
        ("Rome", "name"),
    ]


def test_a_capital_at_the_beginning_of_a_sentence_names_nothing_by_itself() -> None:
    assert found("Layers of ice melted.", "layers", "ice")[0] == ("Layers", "phrase")
    assert found("Ada Quill works here.")[0] == ("Ada Quill", "name")
    assert found("However, the lamp shows the way.") == [("lamp", "phrase")]


def test_a_word_after_a_name_that_looks_like_a_verb_is_one() -> None:
    assert found("Ada Quill sails to Rome.") == [("Ada Quill", "name"), ("Rome", "name")]
    assert found("Ada Quill anchored in Rome.") == [("Ada Quill", "name"), ("Rome", "name")]
    assert found("They saw the Petrel class ships.")[1] == ("class ships", "phrase")


def test_acronyms_quotations_quantities_and_years() -> None:
    text = 'In 1998 NASA called it "the long way home" and shipped 35 kg at 12.5 % for $20 million.'
    assert found(text) == [
        ("1998", "quantity"),
        ("NASA", "acronym"),
        ("the long way home", "quotation"),
        ("35 kg", "quantity"),
        ("12.5 %", "quantity"),
        ("$20 million", "quantity"),
    ]


def test_terms_of_text_without_capitals_are_runs_between_words_of_grammar() -> None:
    text = "the pressure distribution over a flat plate in laminar boundary layer flow was obtained ."
    assert found(text) == [
        ("pressure distribution", "phrase"),
        ("flat plate", "phrase"),
        ("laminar boundary layer flow", "phrase"),
    ]


def test_text_in_capitals_is_read_like_any_other() -> None:
    assert found("THE STONE PIER IS LONG") == [("STONE PIER", "phrase")]


def test_possessives_and_punctuation_are_no_part_of_a_name() -> None:
    assert [text for text, _ in found("They saw Ada's lamp, Rome's (old) pier.")] == ["Ada", "lamp", "Rome", "pier"]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("One lamp. Two piers! Three boats?", 3),
        ("Dr. Quill met J. Brandt at 5 p.m. on the pier.", 1),
        ("the first point . the second point .", 2),
        ("- a lamp\n- a pier\n- a boat", 3),
        ("A heading\n\nA paragraph without an end", 2),
        ("灯台は島にある。船は港にある。", 2),
        ("", 0),
        ("See fig. 3, i.e. the pier, etc. and so on.", 1),
    ],
)
def test_where_sentences_end(text: str, count: int) -> None:
    assert len(sentences(text)) == count


@given(st.text(max_size=300))
def test_any_text_can_be_read(text: str) -> None:
    read = sentences(text)
    assert "".join("".join(read).split()) == "".join(text.split())
    for sentence in read:
        for span in spans(sentence):
            assert span.text.strip()
