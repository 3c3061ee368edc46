"""Which answers decline, and which only sound like it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heta_framework.common.text.refusal import answering_part, refuses

REFUSALS = """
I don't know
I don’t know.
We do not know that.
Not mentioned
**Not mentioned**
- not mentioned
_unknown_
Answer: unknown
There is no mention of a dog.
There's no information available.
No information about that
There are no details about her sister.
The conversation does not mention a dog.
The conversation doesn't explicitly say.
The text never says.
Ada did not mention owning a dog.
Ada never mentions a dog.
It is not stated.
not specified
That was never mentioned.
This cannot be determined from the context.
It can't be determined.
It isn't possible to tell.
Unknown.
The colour is unknown.
It remains unclear.
N/A
Not available.
The answer is not known.
It is not known from the conversation
I'm not sure.
I am unable to determine this.
I can't tell from our chats.
I don't recall.
I have no idea.
No idea
I have no memory of that
Sorry, but I don't know.
I'm sorry, I don't have that information.
I don't have any record of that.
I searched the conversation, but I could not find any information about it.
There is not enough information to answer.
Insufficient information.
"I don't know"
You haven't told me her name.
You never told me that.
You didn't tell me.
We have not talked about a dog.
It's not something we discussed.
No record.
I have nothing on that.
I can't recall.
I don't have that.
Nobody mentioned it.
The dog's colour is not mentioned, but Ada's cat is grey.
""".strip().splitlines()

ANSWERS = """
grey
You have never told your boss.
I have nothing on Tuesday.
No records were broken.
Nobody told Ada about the party.
no
No, she has not.
I know she has a cat.
Ada has no dog.
She mentioned a dog.
knot mentioned
The unknown soldier
a cat named Unknown
It can be determined: grey.
It is not unknown, it is grey.
It is no longer unclear.
No further information is needed
Nobody knew about the surprise party
She didn't know how to swim
He does not know Ada
She was not given a raise.
She was not available on Monday.
Ben said "I don't know" and left.
I'm not sure, but I think it was grey.
Probably grey, but I don't know for sure.
Although it is not explicitly mentioned, she is probably a nurse.
I don't know what I'd do without them.
""".strip().splitlines()


@pytest.mark.parametrize("text", REFUSALS)
def test_a_refusal_is_recognised(text: str) -> None:
    assert refuses(text)


@pytest.mark.parametrize("text", [*ANSWERS, "", "  "])
def test_an_answer_is_no_refusal(text: str) -> None:
    assert not refuses(text)


@given(st.text(alphabet=st.characters(exclude_categories=())))
def test_any_text_gets_a_verdict(text: str) -> None:
    assert refuses(text) in (True, False)


@given(st.sampled_from(REFUSALS))
def test_case_does_not_matter(text: str) -> None:
    assert refuses(text.upper())


@pytest.mark.parametrize(
    "text", ["I don't know.", "No information available.", "It is unknown whether it was Paris", "N/A"]
)
def test_nothing_is_left_of_a_mere_refusal(text: str) -> None:
    assert answering_part(text) == ""


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Paris.", "Paris."),
        ("There is no information on the year. The capital is Paris.", " The capital is Paris."),
        ("No, she did not mention her age.", "No,"),
        ("No, no, no, there is no information.", "No, no, no,"),
        ("no, " * 3_000 + "there is no information.", "no, " * 2_999 + "no,"),
        ("Although the day is not mentioned, it was in May.", " it was in May."),
        ("There is no information on it, but ask Ada.", " but ask Ada."),
        ("I'm not sure, but it was Dr. Smith.", "I'm not sure, but it was Dr. Smith."),
    ],
)
def test_what_answers_stays(text: str, left: str) -> None:
    assert answering_part(text) == left


@given(st.lists(st.sampled_from([*REFUSALS, *ANSWERS])).map(" \n".join))
def test_the_answering_part_only_leaves_out(text: str) -> None:
    left = iter(text)
    assert all(character in left for character in answering_part(text))
    assert refuses(text) or answering_part(text) == text
