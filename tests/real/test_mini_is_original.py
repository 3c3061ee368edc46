"""No turn of the invented data set `locomo_mini` is taken from the real LoCoMo conversations.

Needs HEAMS_DATA_DIR, a folder with locomo/locomo10.json; skipped without.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

_MINI = Path(__file__).parents[2] / "datasets" / "locomo_mini" / "locomo_mini.json"
_FEWEST_WORDS = 5  # shorter turns ("How are you?") belong to nobody


def _real() -> Path:
    folder = os.environ.get("HEAMS_DATA_DIR")
    if not folder:
        pytest.skip("HEAMS_DATA_DIR is not set")
    path = Path(folder) / "locomo" / "locomo10.json"
    if not path.is_file():
        pytest.skip(f"{path} does not exist")
    return path


def _said(path: Path) -> Iterator[str]:
    """The words of every turn and every caption, each as " one two three "."""
    for sample in json.loads(path.read_text("utf-8")):
        for key, turns in sample["conversation"].items():
            if re.fullmatch(r"session_\d+", key):
                for turn in turns:
                    yield _plain(turn["text"])
                    yield _plain(turn.get("blip_caption", ""))


def _plain(text: str) -> str:
    words = re.findall(r"\w+", text.casefold())
    return f" {' '.join(words)} "


def test_no_turn_occurs_in_the_real_conversations() -> None:
    real = "\n".join(_said(_real()))
    invented = [text for text in _said(_MINI) if len(text.split()) >= _FEWEST_WORDS]
    assert len(invented) >= 330
    assert [text for text in invented if text in real] == []
