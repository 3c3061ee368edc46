"""Lines are cut right however the stream is chunked, and nothing grows without bound."""

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heams.external.streams import LineBuffer, LineTooLong, Tail


@given(st.lists(st.binary(max_size=20).map(lambda part: part.replace(b"x", b"\n"))))
def test_lines_do_not_depend_on_the_chunks(chunks: list[bytes]) -> None:
    buffer = LineBuffer()
    lines = [line for chunk in chunks for line in buffer.feed(chunk)]
    assert lines == b"".join(chunks).split(b"\n")[:-1]


@pytest.mark.parametrize("chunks", [[b"x" * 11], [b"x" * 6, b"x" * 5], [b"x" * 11 + b"\n"], [b"ok\n" + b"x" * 11]])
def test_a_line_over_the_limit_is_refused(chunks: list[bytes]) -> None:
    buffer = LineBuffer(limit=10)
    with pytest.raises(LineTooLong, match="10 bytes"):
        [buffer.feed(chunk) for chunk in chunks]


def test_many_short_lines_are_within_the_limit() -> None:
    assert len(LineBuffer(limit=10).feed(b"xxxxxxxxxx\n" * 1000)) == 1000


def test_the_tail_keeps_the_last_lines() -> None:
    tail = Tail()
    for number in range(100_000):
        tail.feed(f"line {number}\n".encode())
    assert tail.text() == " / ".join(f"line {number}" for number in range(99_995, 100_000))


def test_the_tail_does_not_grow_with_what_is_written() -> None:
    tail, piece = Tail(), b"x" * 8_000
    tracemalloc.start()
    try:
        for _ in range(200):
            tail.feed(piece)
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert held < 100_000


def test_the_tail_of_one_endless_line_is_short() -> None:
    tail = Tail()
    tail.feed(b"x" * 10_000_000)
    assert tail.text() == "x" * 1000


@given(st.lists(st.binary(max_size=50)))
def test_the_tail_is_printable_whatever_was_written(chunks: list[bytes]) -> None:
    tail = Tail()
    for chunk in chunks:
        tail.feed(chunk)
    assert tail.text() == "" or tail.text().isprintable()


def test_terminal_escapes_do_not_reach_the_user() -> None:
    tail = Tail()
    tail.feed(b"\x1b[31mred\x1b[0m\x07\n\n  \nError: \xff\n")
    assert tail.text() == "[31mred[0m / Error: \N{REPLACEMENT CHARACTER}"
