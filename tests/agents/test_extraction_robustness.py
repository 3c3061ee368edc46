"""No text, however odd, makes the extraction fail, lose its bounds or change its mind."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heams.agents.base import Stimulus
from heams.agents.extraction.answering import answer
from heams.agents.extraction.passages import PassageCache, analyse
from heams.agents.extraction.question import read_question
from heams.agents.extractive import ExtractiveAgentConfig
from heams.memory.base import RecalledItem

CONFIG = ExtractiveAgentConfig(min_evidence=0.0, min_attribution=0.0)
MOST_WORDS = (
    CONFIG.max_answer_words * CONFIG.max_list_items + CONFIG.max_list_items
)  # a span may take the asked noun in

FRAGMENTS = st.sampled_from(
    [
        *[
            "When did Ada",
            "which books",
            "how many",
            "How long",
            "who",
            "Where",
            "Did",
            "why",
            "?",
            " or ",
            "(a) x (b) y",
        ],
        *["last Friday", "31 June", "in 9999", "two weeks ago", '"', "“Deep Blue”", "[shares a photo]", "Ada's", "I'm"],
        *[
            "\n",
            " ",
            "\t",
            "...",
            "。",
            "e\u0301",
            "日本",
            "😀",
            "\x00",
            "\ud800",
            "ſ",
            "İ",
            "a" * 300,
            "1.1.1",
            "٣",
            "_",
        ],
    ]
)
TEXTS = st.one_of(st.text(max_size=80), st.lists(FRAGMENTS, max_size=15).map(" ".join))
MOMENTS = st.one_of(st.none(), st.datetimes().map(lambda moment: moment.replace(tzinfo=UTC)))
ITEMS = st.builds(
    lambda text, speaker, at: RecalledItem.model_construct(
        id="i", text=text, event_ids=(), speaker=speaker, at=at, metadata={}, score=None
    ),
    TEXTS,
    st.sampled_from([None, "Ada", "Ben", "", "  ", "Ada Lovelace"]),
    MOMENTS,
)


def stimulus(text: str, at: datetime | None = None) -> Stimulus:
    return Stimulus.model_construct(content=text, query=text, principal="user", at=at)


@given(question=TEXTS, items=st.lists(ITEMS, max_size=6), ranked=st.booleans(), at=MOMENTS)
def test_any_question_about_any_items_is_answered_in_few_words(
    question: str, items: list[RecalledItem], ranked: bool, at: datetime | None
) -> None:
    asked = stimulus(question, at)
    found = answer(asked, items, ranked=ranked, config=CONFIG)
    if found is not None and "(a)" not in question:
        assert 1 <= len(found.split()) <= MOST_WORDS
    assert answer(asked, items, ranked=ranked, config=CONFIG) == found


@given(text=TEXTS)
def test_words_and_sentences_are_parts_of_their_text(text: str) -> None:
    for sentence in analyse(text).sentences:
        assert sentence.text in text
        assert sentence.words
        for number, one in enumerate(sentence.words):
            assert sentence.cut(number, number).lower().replace("’", "'") == one.lower


MEGABYTE = 1_000_000


@pytest.mark.parametrize("size", [MEGABYTE // 5, pytest.param(MEGABYTE, marks=pytest.mark.long)])
@pytest.mark.parametrize(
    "unit",
    [
        "a",
        "1",
        "1.1.",
        ".",
        "?",
        '"',
        "[",
        "]",
        "\n",
        " ",
        "'",
        "ada went home ",
        "Ada Bo ",
        "two weeks ago ",
        "last ",
        "日本",
    ],
)
def test_a_very_long_text_of_anything_is_read_and_its_answer_is_short(unit: str, size: int) -> None:
    text = unit * (size // len(unit))
    item = RecalledItem(
        id="i", text=f"Ada went home last year. {text}", speaker="Ada", at=datetime(2023, 6, 9, tzinfo=UTC)
    )
    for question in ("When did Ada go home?", "Which home?", text):
        found = answer(stimulus(question), [item], ranked=True, config=CONFIG)
        assert found is None or len(found) <= 2_000


def test_the_cache_holds_no_more_text_than_it_may() -> None:
    cache = PassageCache(capacity=100)
    first = cache("A short text.")
    assert cache("A short text.") is first
    for number in range(30):
        cache(f"Another text, number {number}.")
    assert cache("A short text.") is not first
    assert cache("A short text.") == first
    assert cache("x" * 1_000).sentences == ()


def test_of_a_long_prompt_the_end_is_read() -> None:
    question = read_question("Never mind. " * 10_000 + "Where does Ada live?")
    assert question.text == "Where does Ada live?"
