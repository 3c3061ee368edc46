"""Lines are cut right however the stream is chunked, and nothing grows without bound."""

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heams.external.last_words import last_words
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
    assert tail.lines() == [f"line {number}" for number in range(99_970, 100_000)]


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
    assert len(last_words(tail.lines())) < 1000


@given(st.lists(st.binary(max_size=50)))
def test_the_tail_is_printable_whatever_was_written(chunks: list[bytes]) -> None:
    tail = Tail()
    for chunk in chunks:
        tail.feed(chunk)
    assert all(line.strip() and line.isprintable() for line in tail.lines())
    assert last_words(tail.lines()).replace("\n", "").isprintable()


def test_terminal_escapes_do_not_reach_the_user() -> None:
    tail = Tail()
    tail.feed(b"\x1b[31mred\x1b[0m\x07\n\n  \nError: \xff\n")
    assert tail.lines() == ["[31mred[0m", "Error: \N{REPLACEMENT CHARACTER}"]


def test_nothing_on_stderr_leaves_no_words() -> None:
    assert last_words([]) == ""


def test_one_line_stands_in_the_sentence() -> None:
    assert last_words(["no model file"]) == "; last lines on stderr: no model file"


_NODE = [
    "/srv/memory.js:12",
    "  return events.map((event) => event.text.trim());",
    "                                          ^",
    "TypeError: Cannot read properties of undefined (reading 'trim')",
    *(f"    at frame{number} (node:events:{number}:7)" for number in range(10)),
    "Node.js v20.20.2",
]
_PYTHON = [
    "Traceback (most recent call last):",
    *(f'  File "/srv/memory.py", line {number}, in error_handler' for number in range(24)),
    "KeyError: 'scope'",
]
_GO = ["panic: runtime error: index out of range [3]", "goroutine 1 [running]:", "main.main()", "    /srv/main.go:9"]


@pytest.mark.parametrize(
    ("stack", "telling"), [(_NODE, _NODE[3]), (_PYTHON, _PYTHON[-1]), (_GO, _GO[0]), (["a", "b"], "b")]
)
def test_the_line_that_names_the_error_comes_first_and_stays_in_its_place(stack: list[str], telling: str) -> None:
    first, *around = last_words(stack).split("\n")
    assert first == f"; last lines on stderr: {telling}"
    assert f"    {telling}" in around
    assert around == [f"    {line}" for line in stack[-20:]]


def test_an_error_above_a_long_stack_is_shown_with_what_follows_it() -> None:
    stack = ["starting", "TypeError: x is not a function", *(f"    at frame{number}" for number in range(28))]
    first, *around = last_words(stack).split("\n")
    assert first.endswith("TypeError: x is not a function")
    assert around == [f"    {line}" for line in stack[1:21]]


def test_long_lines_do_not_make_a_long_message() -> None:
    assert len(last_words(["Error: " + "x" * 5000] * 30)) < 4000
