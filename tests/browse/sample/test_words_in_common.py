"""Which words two texts share: what is marked, that nothing is lost, and that no text makes it slow."""

from html import unescape

import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from heams.browse.rendering.foreign_text import visible
from heams.browse.rendering.word_diff import MOST_CHARACTERS, word_diff

_MARKS = regex.compile(r"</?(?:mark|del|ins)>")
TEXTS = st.text(alphabet="ab <>&.,é我 \n'3", max_size=60)


def _without_marks(markup: str) -> str:
    return _MARKS.sub("", markup)


def test_words_of_both_are_marked_and_others_are_told_apart() -> None:
    found = word_diff("Trondheim, Molde", "She left <Trondheim> for Oslo")
    assert found.first == "<mark>Trondheim</mark><del>, Molde</del>"
    assert found.second == "<ins>She left &lt;</ins><mark>Trondheim</mark><ins>&gt; for Oslo</ins>"
    assert found.common == 1
    assert not found.cut


def test_case_and_spaces_do_not_matter_but_are_kept() -> None:
    found = word_diff("Rye  Bread", "rye bread")
    assert found.first == "<mark>Rye  Bread</mark>"
    assert found.second == "<mark>rye bread</mark>"


def test_words_without_spaces_are_compared_by_character() -> None:
    assert word_diff("我喜欢", "你喜欢").first == "<del>我</del><mark>喜欢</mark>"


def test_numbers_are_whole_words() -> None:
    assert "<mark>" not in word_diff("3.14", "3.15").first


def test_signs_alone_are_not_in_common() -> None:
    assert word_diff("a, b.", "c, d.").common == 0


@settings(max_examples=50)
@given(TEXTS, TEXTS)
def test_marks_add_nothing_and_lose_nothing(first: str, second: str) -> None:
    found = word_diff(first, second)
    assert _without_marks(found.first) == str(visible(first))
    assert _without_marks(found.second) == str(visible(second))


@settings(max_examples=50)
@given(TEXTS)
def test_a_text_has_every_word_in_common_with_itself(text: str) -> None:
    found = word_diff(text, text)
    assert "<del>" not in found.first or not any(character.isalnum() for character in text)
    assert found.first.replace("del>", "x>") == found.second.replace("ins>", "x>")


def test_what_is_marked_is_the_same_text_on_both_sides() -> None:
    found = word_diff("the red umbrella of the cat", "a cat under the red umbrella")
    marked = [regex.findall("<mark>(.*?)</mark>", side) for side in (found.first, found.second)]
    assert [unescape(" ".join(one)) for one in marked] == ["the red umbrella", "the red umbrella"]


def test_long_texts_are_cut_and_say_so() -> None:
    found = word_diff("x" * 1_000_000, "word " * 200_000)
    assert found.first_cut
    assert found.second_cut
    assert not word_diff("short", "x" * 1_000_000).first_cut
    assert len(_without_marks(found.second)) == MOST_CHARACTERS


def test_words_that_are_everywhere_are_left_out_where_comparing_them_costs_too_much() -> None:
    """3,000 times the same word on both sides would be nine million pairs."""
    found = word_diff("start " + "a b " * 1_000 + "rare", "begin " + "b a a " * 700 + "rare end")
    assert "<mark>rare</mark>" in found.first
    assert found.common < 10
