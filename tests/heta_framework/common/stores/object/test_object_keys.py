"""What a key may be."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heta_framework.common.stores.object import check_key, keys
from heta_framework.common.stores.object.keys import check_prefix


@pytest.mark.parametrize(
    "key",
    [
        "a",
        "raw/a.txt",
        "a b",
        " ",
        "a%20b",
        "a#1",
        "a?b+c&d=e",
        "~",
        "...",
        ".hidden",
        "C:x",
        "é",
        "e\u0301",
        "😀",
        "x" * 255,
    ],
)
def test_legal_keys_come_back_as_they_are(key: str) -> None:
    assert check_key(key) == key


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("", "must not be empty"),
        ("/a", "starts with '/'"),
        ("a//b", "segment ''"),
        ("a/", "segment ''"),
        (".", "segment '.'"),
        ("a/../b", "segment '..'"),
        ("a\\b", "backslash"),
        ("a\0b", "control character"),
        ("a\nb", "control character"),
        ("a\ud800", "surrogate"),
        ("x" * 256, "255 are allowed"),
        ("é" * 128, "256 bytes"),
        ("/".join(["x" * 200] * 6), "1024 are allowed"),
        (".heta-incoming/a", "half-written"),
    ],
)
def test_what_is_no_key_is_refused_with_the_reason(key: str, said: str) -> None:
    with pytest.raises(ValueError, match=said) as caught:
        check_key(key)
    str(caught.value).encode()
    assert len(str(caught.value)) < 250


def test_a_long_key_is_shown_shortened() -> None:
    with pytest.raises(ValueError, match=r"'x{60}\.\.\.' \(300 characters\)"):
        check_key("x" * 300)


def test_keys_and_prefixes_are_strings() -> None:
    with pytest.raises(TypeError, match="got int"):
        check_key(5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="got bytes"):
        check_prefix(b"a")  # type: ignore[arg-type]


def test_a_prefix_is_empty_or_a_key_perhaps_with_a_slash_at_its_end() -> None:
    assert [check_prefix(prefix) for prefix in ("", "a", "a/", "a/b//")] == ["", "a", "a", "a/b"]
    for prefix in ("/", "//", "..", "/a", "a\\"):
        with pytest.raises(ValueError, match="key"):
            check_prefix(prefix)


@given(st.text("ab-_.\n/\\é", max_size=12))
def test_what_is_taken_at_a_glance_keeps_every_rule(key: str) -> None:
    if keys._ORDINARY.fullmatch(key):
        assert keys._problem(key) is None
