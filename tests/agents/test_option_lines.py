"""The extractive agent finds options written "(a) ..." or as lines "A. ...", and nothing else."""

import pytest

from heams.agents.extraction.verdicts import options


@pytest.mark.parametrize(
    ("prompt", "found"),
    [
        ("Which?\n(a) Tea.\n(b) Milk.", ["Tea", "Milk"]),
        ("Which? (a) tea (b) milk", ["tea", "milk"]),
        ("Which?\nA. Iced tea.\nB. Milk.\nC. Water\nReply: <choice>X</choice>.", ["Iced tea", "Milk", "Water"]),
        ("Which?\nA) Tea\nB) Milk", ["Tea", "Milk"]),
        ("Which?\nB. Tea\nA. Milk", []),
        ("Which?\nA. Tea", []),
        ("I met A. Lund.\nB. Lund was there as well.", []),
    ],
)  # fmt: skip
def test_options_are_found_by_their_letters(prompt: str, found: list[str]) -> None:
    assert options(prompt) == found
