"""Yes or no by the first words of an answer, with what stands before them and what takes them back."""

import pytest

from heta_framework.common.text.yes_no import yes_or_no


@pytest.mark.parametrize(
    "answer",
    [
        *(
            "Yes.",
            "Yup",
            "Y",
            "Absolutely.",
            "Of course.",
            "You're right.",
            "It is.",
            "It sure is.",
            "I can confirm that.",
        ),
        *(
            "Well, yes.",
            "Hm. Yes.",
            "Answer: yes",
            "My answer is yes.",
            '{"answer": "yes"}',
            "**Yes**",
            "Right, in May.",
        ),
    ],
)
def test_a_yes_is_read(answer: str) -> None:
    assert yes_or_no(answer) is True


@pytest.mark.parametrize("answer", ["No.", "Nope", "Answer: no", "No, it is red.", "I do not.", "That is not right."])
def test_a_no_is_read(answer: str) -> None:
    assert yes_or_no(answer) is False


@pytest.mark.parametrize(
    "answer",
    [
        *("", "It is red.", "Yes and no.", "No problem, it is red.", "Correct me if I am wrong: it is red."),
        *("Sure! I have no record of that.", "Right, I can't share that.", "Of course! I don't know that."),
    ],
)
def test_what_takes_no_side_is_neither(answer: str) -> None:
    assert yes_or_no(answer) is None
