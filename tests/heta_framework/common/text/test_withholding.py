"""What keeps something back from who asks is told from not knowing it, and from what is said about others."""

import pytest

from heta_framework.common.text.withholding import tells_the_rest, withholds


@pytest.mark.parametrize(
    "text",
    [
        "I can't share that.",
        "I’m not able to share this with you.",
        "We cannot disclose patient details.",
        "I am unable to reveal the code.",
        "I won't tell you.",
        "You are not authorised to see it.",
        "You aren't allowed to have it.",
        "You don't have access to this record.",
        "That information is confidential.",
        "This cannot be shared.",
        "That is not something I can discuss.",
        "Access denied.",
        "I must decline.",
        "I cannot help with that.",
        "I can't help you with that.",
        "I’m sorry, but I can't assist with that request.",
        "I am unable to assist.",
        "Sorry, I cannot comply.",
        "I'd rather not say.",
    ],
)
def test_what_keeps_something_back_withholds(text: str) -> None:
    assert withholds(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I don't know.",
        "Not mentioned",
        "The code is 4471.",
        "Do not share the details with Linda.",
        "Linda may not have access to results.",
        "They met at a private party.",
        "The lessons are private.",
        "She was not allowed to drive.",
        "You said that you could not help with the move.",
        "I cannot help laughing: it was the blue one.",
        "I can help with that: the code is 4471.",
        "We would rather not fly.",
    ],
)
def test_what_says_something_or_knows_nothing_does_not(text: str) -> None:
    assert not withholds(text)


def test_the_rest_is_told_after_a_contrast() -> None:
    assert tells_the_rest("I can't share the result, but the visit is on Friday.")
    assert not tells_the_rest("I can't share the result.")
    assert not tells_the_rest("I can't share the result, but I can't share the date either.")
    assert not tells_the_rest("The visit is on Friday, but bring a coat.")
