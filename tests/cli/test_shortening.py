"""Long messages are cut where a sentence ends."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heams.cli.shortening import shortened


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("Short.\n  Enough.", "Short. Enough."),
        ("One sentence. Another, which is longer.", "One sentence. ..."),
        ("Version 1.2 of calls.jsonl has no such reply at all", "Version 1.2 of ..."),
        ("x" * 30, f"{'x' * 20} ..."),
    ],
)
def test_cut(message: str, said: str) -> None:
    assert shortened(message, 20) == said


@given(st.text(), st.integers(min_value=1, max_value=50))
def test_what_is_left_is_the_beginning(message: str, limit: int) -> None:
    said, line = shortened(message, limit), " ".join(message.split())
    assert line.startswith(said.removesuffix(" ...")) or line == said
    assert len(said) <= limit + len(" ...")
