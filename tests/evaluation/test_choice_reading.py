"""Free replies are read as they are meant: letters in any form, words of options, denials, and no choice at all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heams.evaluation.choice_reading import read_choice

OPTIONS = {"a": "a night train to Vienna", "b": "an early flight", "c": "a rental car", "d": "a coach tour"}


@pytest.mark.parametrize(
    ("reply", "letter"),
    [
        ("b", "b"), ("B", "b"), ("(b)", "b"), ("[B]", "b"), ("**b)**", "b"), ("b.", "b"), ("\n B \n", "b"),
        ("Ｂ", "b"), ("(B) an early flight", "b"), ("c: a rental car", "c"), ("C) a rental car", "c"),
        ("B because it is quick", "b"), ("(b) An early flight\n\nbecause unlike (a) it is quick", "b"),
    ],
)  # fmt: skip
def test_a_letter_counts_in_any_form(reply: str, letter: str) -> None:
    assert read_choice(reply, OPTIONS).letter == letter


@pytest.mark.parametrize(
    ("reply", "letter"),
    [
        ("The answer is B.", "b"), ("Answer: C", "c"), ("I would pick option d", "d"), ("I'd go with b.", "b"),
        ("Option A is best.", "a"), ("option a is the best", "a"), ("A good idea is option C", "c"),
        ("The best option is\n\nC", "c"), ("Given your preferences, I'd pick **D. a coach tour**", "d"),
        ("At first I would pick A, but I choose C.", "c"), ("It is between A and B, but I choose B.", "b"),
        ("[choice]B[/choice]", "b"), ("Definitely B", "b"),
    ],
)  # fmt: skip
def test_a_letter_is_announced_in_prose(reply: str, letter: str) -> None:
    assert read_choice(reply, OPTIONS).letter == letter


@pytest.mark.parametrize(
    ("reply", "letter"),
    [
        ("The answer is not A, it is C.", "c"), ("My final answer is (b), not (c).", "b"),
        ("(a) is wrong, (b) violates your preference, so (d).", "d"), ("Neither A nor C; B it is.", "b"),
        ("I would not choose A. I would choose B.", "b"), ("Given that you avoid (a), (b) is right.", "b"),
        ("Since you don't like crowds, I recommend (c).", "c"),
        ("c) a rental car. I avoided (a) since you get up late", "c"),
        ("Option (a) isn't ideal because you dislike trains. Option (c) is the best fit.", "c"),
        ("(a), (b), and (d) conflict with your dislike of flying, so the answer is (c).", "c"),
        ("I'd suggest a coach tour rather than an early flight", "d"),
        ("Not an early flight, but a rental car.", "c"),
    ],
)  # fmt: skip
def test_what_is_denied_is_not_chosen(reply: str, letter: str) -> None:
    assert read_choice(reply, OPTIONS).letter == letter


@pytest.mark.parametrize(
    ("reply", "letter"),
    [
        ("<choice>b</choice>", "b"), ("<choice>Answer: B</choice>", "b"), ("<choice>I say <b>B</b></choice>", "b"),
        ("<choice></choice><choice>C</choice>", "c"), ("I think A is nice but <choice>C</choice>", "c"),
        ("<choice>B", "b"), ("<choice>B and I mean it", "b"), ("<final_answer>(d)", "d"), (r"\boxed{C}", "c"),
        ('{"choice": "b"}', "b"), ('{"Choice": "B"}', "b"), ('Sure: {"answer": "(d) a coach tour"} ok', "d"),
        ("<choice>&#66;</choice>", "b"), ("<answer>a rental car</answer>", "c"),
    ],
)  # fmt: skip
def test_tags_and_json_come_first(reply: str, letter: str) -> None:
    assert read_choice(reply, OPTIONS).letter == letter


@pytest.mark.parametrize(
    "reply", ["A night train to Vienna.", "Take A night train to Vienna", "a NIGHT-train to vienna"]
)
def test_an_option_may_be_said_in_its_own_words(reply: str) -> None:
    assert read_choice(reply, OPTIONS).letter == "a"


def test_a_longer_option_hides_one_that_it_contains() -> None:
    options = {"a": "tea", "b": "tea with milk", "c": "coffee"}
    assert read_choice("I would have tea with milk.", options).letter == "b"
    assert read_choice("I would have tea.", options).letter == "a"


@pytest.mark.parametrize(
    "reply",
    [
        "", "  \n", "I cannot decide between these.", "I recommend a walk.", "vitamin D helps", "AB", "BANANA", "E",
        "<choice>none of them</choice>", "<choice>Both</choice>", "<choice>Don't know</choice>", '{"choice": 2}',
    ],
)  # fmt: skip
def test_a_reply_may_choose_nothing(reply: str) -> None:
    choice = read_choice(reply, OPTIONS)
    assert choice.letter is None
    assert choice.reason in ("the reply is empty", "named none of the options")


@pytest.mark.parametrize(
    "reply",
    [
        "I choose A or B", "A/B", "Choose A. Or B.", "<choice>A or B</choice>", "<choice>B</choice><choice>C</choice>",
        "(a) is noisy. (b) is dull. (c) suits you.", "An early flight or a rental car.",
        '{"choice": "A"} {"choice": "B"}',
    ],
)  # fmt: skip
def test_several_options_are_no_choice(reply: str) -> None:
    choice = read_choice(reply, OPTIONS)
    assert choice.letter is None
    assert choice.reason.endswith("without deciding")


@pytest.mark.parametrize(
    ("reply", "letter"),
    [
        ("<think>(a) or (b)? I choose (a)... no, wait.</think>\n(d)", "d"),
        ("(a) You dislike trains.\n(b) Too early.\n(c) Flexible.\n(d) Crowded.\n\nAnswer: c", "c"),
        ("A) You dislike trains.\nB) Too early.\n\nSo C.", "c"),
        ("<think>(a) or (b)?", None),
    ],
)
def test_thoughts_and_surveys_are_no_choice(reply: str, letter: str | None) -> None:
    assert read_choice(reply, OPTIONS).letter == letter


def test_options_of_one_text_are_one_option() -> None:
    assert read_choice("tea", {"a": "tea", "b": "Tea", "c": "milk"}).letter == "a"


@given(st.text() | st.text('abcdABCD()[]<>/{}":., orntis'), st.sampled_from("abcd"))
def test_whatever_the_reply_an_option_or_none_is_chosen(reply: str, letter: str) -> None:
    assert read_choice(reply, OPTIONS).letter in (None, *OPTIONS)
    assert read_choice(f"<choice>{letter}</choice>", OPTIONS).letter == letter
    assert read_choice(f"My choice is ({letter}).", OPTIONS).letter == letter
    assert read_choice(OPTIONS[letter], OPTIONS).letter == letter


def test_a_long_reply_is_read_in_reasonable_time() -> None:
    for noise in ("A, " * 3_000, "(" * 20_000, "so is the " * 2_000, "<choice>" * 1_000, "{" * 20_000, " \n" * 10_000):
        assert read_choice(f"{noise} I choose (b).", OPTIONS).letter == "b"
