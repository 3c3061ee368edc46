"""Names are the same whatever their case, possessive, plural or spacing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heta_framework.kb.graphing.names import normalised_name, singular


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Port Sorrel", "port  sorrel"),
        ("Boundary Layers", "boundary layer"),
        ("boundary-layer", "boundary layer"),
        ("the lamp's", "the lamp"),
        ("Ada Quill’s", "ADA QUILL"),
        ("“Rye Bread”", "rye bread"),
        ("ﬁrst ﬂights", "first flight"),
        ("bakeries", "bakery"),
        ("boxes", "box"),
        ("Straße", "STRASSE"),
    ],
)
def test_spellings_of_one_name(one: str, other: str) -> None:
    assert normalised_name(one) == normalised_name(other)


@pytest.mark.parametrize("word", ["gas", "glass", "status", "analysis", "physics", "famous", "news", "f16s", "is"])
def test_an_s_that_makes_no_plural_stays(word: str) -> None:
    assert singular(word) == word


@pytest.mark.parametrize(("one", "other"), [("lamp", "lamb"), ("Port Sorrel", "Sorrel"), ("F-16", "F-17")])
def test_other_names_differ(one: str, other: str) -> None:
    assert normalised_name(one) != normalised_name(other)


@given(st.text(max_size=40))
def test_case_and_outer_spacing_never_matter(text: str) -> None:
    assert normalised_name(f"  {text} ") == normalised_name(text)
    assert normalised_name(text.casefold()) == normalised_name(text)
