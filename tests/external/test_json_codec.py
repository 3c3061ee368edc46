"""Messages are strict JSON, whatever comes in."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heams.external.codec import decode, encode, quoted

_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=20,
)


@given(st.dictionaries(st.text(), _values, max_size=5))
def test_what_is_encoded_is_one_line_and_decodes_to_the_same(message: dict[str, object]) -> None:
    line = encode(message)  # type: ignore[arg-type]
    assert b"\n" not in line
    assert decode(line) == message


def test_a_message_is_one_line_for_readers_that_break_at_unicode_separators_too() -> None:
    message = {"text": "a\x85b\u2028c\u2029d\x0be\x1cf\rg"}
    line = encode(message)  # type: ignore[arg-type]
    assert len(line.decode().splitlines()) == 1
    assert decode(line) == message


@given(st.binary(max_size=100) | st.text(max_size=100).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_bytes_are_an_object_or_a_value_error(data: bytes) -> None:
    try:
        message = decode(data)
    except ValueError:
        return
    assert isinstance(message, dict)
    json.dumps(message, allow_nan=False)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b'{"score": NaN}', "neither NaN nor Infinity"),
        (b'{"score": -Infinity}', "neither NaN nor Infinity"),
        (b'{"score": 1e999}', "too large"),
        (b'{"deep": [{"score": -1e999}]}', "too large"),
        (b'{"text": "\\ud800"}', "hex escape"),
        (b'{"text": "\xff"}', "unicode"),
        (b"[1, 2]", "found a list"),
        (b'"text"', "found text"),
        (b"7", "found a number"),
        (b"null", "found null"),
        (b"true", "found true or false"),
        (b"Loading model...", "expected"),
        (b'{"a": 1} {"b": 2}', "trailing"),
        (b'{"a": ' * 500, "recursion"),
        (b"", "EOF"),
    ],
)
def test_what_is_no_message_is_refused_with_the_reason(data: bytes, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        decode(data)


def test_lone_surrogates_are_replaced_on_the_way_out() -> None:
    assert decode(encode({"text": "a\ud83db", "\udc00": 1})) == {"text": "a\ufffdb", "\ufffd": 1}


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_numbers_that_are_not_finite_do_not_go_out(number: float) -> None:
    with pytest.raises(ValueError, match="JSON"):
        encode({"score": number})


@given(st.binary(max_size=2000))
def test_a_quote_is_short_printable_and_valid_text(data: bytes) -> None:
    text = quoted(data)
    assert text.startswith('"')
    assert all(ord(character) >= 32 for character in text)
    assert len(json.loads(text.removesuffix("…"))) <= 200
    text.encode()


def test_a_quote_says_that_it_was_cut() -> None:
    assert quoted(b"x" * 200) == '"' + "x" * 200 + '"'
    assert quoted(b"x" * 201) == '"' + "x" * 200 + '"…'
