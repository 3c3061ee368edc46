"""Splitting: nothing is lost, nothing is too long, and the published windows come out as they always did."""

from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import heta_framework.kb.chunking.splitter as splitter_module
from heta_framework.common.text.tokens import count_tokens
from heta_framework.kb.chunking.encodings import Encoding, is_substituted, resolved_encoding
from heta_framework.kb.chunking.span import Span
from heta_framework.kb.chunking.splitter import SplitRule, Splitter
from heta_framework.kb.chunking.stretches import stretches

MARKS = ("。", ".", ",", "，", "!", "?", "！", "？", "\n")
WAYS: list[tuple[Encoding, SplitRule]] = [
    ("unicode", "window"),
    ("characters", "semantic"),
    ("wordllama", "semantic"),
    ("wordllama", "window"),
]
TEXTS = st.text(st.sampled_from("ab. ,\n\t\u00a0é你。😀\x1c\u2028"), max_size=120) | st.text(max_size=60)


def windows(text: str, size: int, overlap: int) -> list[tuple[int, int, str]]:
    """Begin, end and text of windows of code points."""
    [spans] = Splitter("unicode", "window", size, overlap, MARKS).split([text])
    return [(span.token_start, span.token_end, text[span.char_start : span.char_end]) for span in spans]


@pytest.mark.parametrize(
    ("text", "size", "overlap", "expected"),
    [
        ("abcdefghijklmnopqrstuvwxyz", 10, 2, [(0, 10, "abcdefghij"), (8, 18, "ijklmnopqr"), (16, 26, "qrstuvwxyz")]),
        ("12345678.9 123456789", 10, 1, [(0, 9, "12345678."), (8, 18, ".9 1234567"), (17, 20, "789")]),
        ("hello world.           \n\n\n            tail", 12, 0, [(0, 12, "hello world."), (38, 42, "tail")]),
        ("  lead. x\n", 100, 0, [(0, 10, "lead. x")]),
        ("ab. cd", 6, 3, [(0, 6, "ab. cd")]),
        ("", 10, 1, []),
        (" \n ", 10, 1, []),
    ],
)
def test_windows_are_the_published_ones(
    text: str, size: int, overlap: int, expected: list[tuple[int, int, str]]
) -> None:
    assert windows(text, size, overlap) == expected


def test_a_mark_among_the_first_of_a_window_does_not_end_the_document() -> None:
    found = windows("abc. def. ghi jkl mno pqr stu", 10, 2)
    assert [text for _, _, text in found] == ["abc. def.", "f. ghi jkl", "kl mno pqr", "qr stu"]


@pytest.mark.parametrize("way", WAYS)
@settings(max_examples=60)
@example(text="00000000", size=8, overlap=7)
@given(text=TEXTS, size=st.sampled_from([8, 33]), overlap=st.sampled_from([0, 7]))
def test_whatever_is_not_white_space_is_in_some_chunk(
    way: tuple[Encoding, SplitRule], text: str, size: int, overlap: int
) -> None:
    [spans] = Splitter(*way, size, overlap, MARKS).split([text])
    covered: set[int] = set()
    for span in spans:
        piece = text[span.char_start : span.char_end]
        assert piece == piece.strip() != ""
        assert 0 <= span.token_start < span.token_end
        covered.update(range(span.char_start, span.char_end))
        if way == ("wordllama", "semantic"):
            assert count_tokens(piece) <= size
        elif way == ("characters", "semantic"):
            assert len(piece) <= size
        else:
            assert span.token_end - span.token_start <= size
    assert all(character.isspace() for place, character in enumerate(text) if place not in covered)
    assert [span.char_start for span in spans] == sorted(span.char_start for span in spans)


@pytest.mark.parametrize("way", WAYS)
def test_a_page_is_split_as_if_it_were_alone(way: tuple[Encoding, SplitRule]) -> None:
    pages = ["short", "A sentence that is long enough to be cut. " * 9, "", "another"]
    splitter = Splitter(*way, 32, 4, MARKS)
    together = splitter.split(pages)
    assert together == [splitter.split([page])[0] for page in pages]
    assert [len(spans) for spans in together][0::3] == [1, 1]
    assert together[2] == []
    assert len(together[1]) > 2


@pytest.mark.parametrize("way", WAYS)
def test_a_page_of_many_characters_without_a_break_is_split(way: tuple[Encoding, SplitRule]) -> None:
    text = "a" * 120_000 + " " + "b. " * 10_000
    [spans] = Splitter(*way, 1024, 50, MARKS).split([text])
    assert spans[0].char_start == 0
    assert spans[-1].char_end == len(text) - 1
    assert all(later.char_start <= earlier.char_end + 1 for earlier, later in pairwise(spans))


def test_tokens_are_counted_where_a_chunk_stands_in_its_page() -> None:
    text = "The boundary layer separates. " * 40
    [spans] = Splitter("wordllama", "semantic", 50, 0, MARKS).split([text])
    assert spans[0].token_start == 0
    assert abs(spans[-1].token_end - count_tokens(text)) <= 1
    assert all(span.token_end <= later.token_start + 1 for span, later in pairwise(spans))
    assert Splitter("wordllama", "semantic", 500, 0, MARKS).split([text]) == [[Span(0, 1199, 0, count_tokens(text))]]


@given(st.text(alphabet="ab \n.", max_size=200), st.integers(2, 30))
def test_stretches_together_are_the_text(text: str, longest: int) -> None:
    parts = [text[start:end] for start, end in stretches(text, longest)]
    assert "".join(parts) == text
    assert all(len(part) <= longest for part in parts)


def test_names_of_encodings() -> None:
    assert [resolved_encoding(name) for name in ("cl100k_base", "unicode", "characters")] == [
        "wordllama",
        "unicode",
        "characters",
    ]
    assert is_substituted("cl100k_base")
    assert not is_substituted("wordllama")
    with pytest.raises(ValueError, match=r"did you mean 'unicode'.*allowed: .*wordllama"):
        resolved_encoding("unicod")


@pytest.mark.parametrize(("size", "longest"), [(8, 5_000), (200, 20_000), (1024, 50_000)])
def test_small_chunks_are_cut_from_short_stretches(monkeypatch: pytest.MonkeyPatch, size: int, longest: int) -> None:
    """The cost of a chunk grows with the stretch that it is cut from: see `longest_stretch`."""
    seen: list[int] = []
    cut = splitter_module.stretches

    def watched(text: str, most: int) -> Iterator[tuple[int, int]]:
        for begin, end in cut(text, most):
            seen.append(end - begin)
            yield begin, end

    monkeypatch.setattr(splitter_module, "stretches", watched)
    Splitter("characters", "semantic", size, 0, (".",)).split(["x" * 60_000])
    assert max(seen) == longest
