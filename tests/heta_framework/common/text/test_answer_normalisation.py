"""Normalisation keeps what an answer means: the documented rules, case by case, and for any text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heta_framework.common.text.characters import unify
from heta_framework.common.text.normalise import normalise, tokens

ANY_TEXT = st.text(alphabet=st.characters(exclude_categories=()))
ASCII = "athe' .,:;/^-+#%$&_=()0123456789"
BEYOND = "\u00a0\u2009\u200b’½²⁻€猫がー한ก\u0e31\u0301\u3099\u1112\u1161🐱٣٫éßİΣ\ud800°√"
TRICKY_TEXT = st.text(alphabet=ASCII + BEYOND, max_size=20)

NUMBERS = [
    ("(3.14)", "3.14"),
    ("3.14.", "3.14"),
    ("-5", "-5"),
    ("\u22125", "-5"),
    ("–5", "-5"),
    ("－５", "-5"),
    ("(-5)", "-5"),
    ("x=-5", "x -5"),
    ("+5", "5"),
    ("-$5", "$ -5"),
    ("3-5", "3 5"),
    ("3–5", "3 5"),
    ("(3)-5", "3 5"),
    ("covid-19", "covid 19"),
    ("1,000", "1000"),
    ("12,345,678.90", "12345678.90"),
    ("1,00,000", "100000"),
    ("1.234.567", "1234567"),
    ("€1.234,56", "€ 1234.56"),
    ("1\u00a0000\u00a0000", "1000000"),
    ("1\u202f000", "1000"),
    ("1’000", "1000"),
    ("3,14", "3.14"),
    ("0,125", "0.125"),
    ("1,2,3", "1 2 3"),
    ("2010,2011", "2010 2011"),
    (".5", "0.5"),
    ("...5", "5"),
    ("007", "007"),
    ("1.50", "1.50"),
    ("20%", "20%"),
    ("20 %", "20%"),
    ("% of 20", "of 20"),
    ("½", "1/2"),
    ("1½ cups", "1 1/2 cups"),
    ("10²", "10^2"),
    ("10⁻³", "10^-3"),
    ("1.5e+6", "1.5e6"),
    ("1.5E-3", "1.5e-3"),
    ("42!", "42"),
    ("(42)", "42"),
    ("10:30pm", "10:30pm"),
    ("5/8/2023", "5/8/2023"),
    ("v1.2.3", "v1.2.3"),
    ("٣٫١٤", "3.14"),
    ("１２３", "123"),
    ("5️⃣", "5"),
]
WORDS = [
    ("The grey cat", "grey cat"),
    ("theatre another ant", "theatre another ant"),
    ("a cat and an owl", "cat and owl"),
    ("Vitamin A", "vitamin a"),
    ("A", "a"),
    ("the", "the"),
    ("don't", "dont"),
    ("don’t", "dont"),
    ("8 p.m.", "8 pm"),
    ("U.S.A.", "usa"),
    ("example.com", "example com"),
    ("well-known", "well known"),
    ("and/or", "and or"),
    ("‘quoted’ “text”", "quoted text"),
    ("**bold** _text_ `code`", "bold text code"),
    ("C++ and C#", "c++ and c#"),
    ("A+", "a+"),
    ("Straße", "strasse"),
    ("ﬁne", "fine"),
    ("Acme™", "acme"),
    ("zero\u200bwidth\u00ad", "zerowidth"),
    ("cafe\u0301", "café"),
    ("!?…", ""),
    (" \n ", ""),
]
SCRIPTS = [
    ("灰色的猫。", "灰色的猫"),
    ("灰色 的 猫", "灰色的猫"),
    ("我有3只猫", "我有 3 只猫"),
    ("ビール", "ビール"),
    ("ﾋﾞｰﾙ", "ビール"),
    ("고양이 가", "고양이가"),
    ("แมวสีเทา", "แมวสีเทา"),
    ("क्षेत्र, लाल बिल्ली।", "क्षेत्र लाल बिल्ली"),
    ("القطّة الرماديّة؟", "القطّة الرماديّة"),
    ("מה?", "מה"),
    ("Κόσμος", "κόσμοσ"),
    ("👍🏽", "👍"),
    ("❤️", "❤"),
    ("∞", "∞"),
    ("x\ud800y", "x y"),
]


@pytest.mark.parametrize(("text", "normalised"), [*NUMBERS, *WORDS, *SCRIPTS])
def test_normalise(text: str, normalised: str) -> None:
    assert normalise(text) == normalised


def test_characters_of_scripts_without_spaces_are_tokens_with_their_marks() -> None:
    assert tokens("我有3只猫") == ["我", "有", "3", "只", "猫"]
    assert tokens("ที่") == ["ที่"]
    assert tokens("लाल बिल्ली") == ["लाल", "बिल्ली"]


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("3.14", "314"),
        ("5", "-5"),
        ("10²", "102"),
        ("20%", "20"),
        ("$5", "€5"),
        ("C++", "C"),
        ("1/2", "12"),
        ("A", "an"),
    ],
)
def test_different_answers_stay_different(left: str, right: str) -> None:
    assert normalise(left) != normalise(right)


@given(st.one_of(ANY_TEXT, TRICKY_TEXT))
def test_normalisation_is_idempotent(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once
    assert tokens(once) == tokens(text)
    assert unify(unify(text)) == unify(text)


@given(st.integers(-(10**9), 10**9))
def test_every_integer_survives_with_and_without_grouping(number: int) -> None:
    assert normalise(f"({number:,})") == normalise(f"{number}.") == str(number)


@given(st.decimals(-999_999, 999_999, places=2))
def test_every_decimal_survives_in_both_conventions(number: object) -> None:
    english = f"{number:,}"
    german = english.translate(str.maketrans(",.", ".,"))
    assert normalise(english) == str(number)
    assert normalise(german) == str(number)


@given(st.one_of(ANY_TEXT, TRICKY_TEXT))
def test_the_result_can_be_written_as_utf8(text: str) -> None:
    normalise(text).encode()
