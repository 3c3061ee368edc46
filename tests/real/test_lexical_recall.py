"""BM25 over the turns of the real LoCoMo conversations finds the evidence as often as it should.

Needs HEAMS_DATA_DIR, a folder with locomo/locomo10.json; skipped without.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from heta_framework.common.stores.text_index import Bm25Index, StopWords

_ANSWERABLE = {1, 2, 3, 4}
_TOP = 10


def _conversations() -> list[dict[str, Any]]:
    folder = os.environ.get("HEAMS_DATA_DIR")
    if not folder:
        pytest.skip("HEAMS_DATA_DIR is not set")
    path = Path(folder) / "locomo" / "locomo10.json"
    if not path.is_file():
        pytest.skip(f"{path} does not exist")
    samples: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))
    return samples


def _turns(conversation: dict[str, Any]) -> dict[str, str]:
    sessions = (turns for key, turns in conversation.items() if re.fullmatch(r"session_\d+", key))
    return {turn["dia_id"]: _rendered(turn) for turns in sessions for turn in turns}


def _rendered(turn: dict[str, Any]) -> str:
    caption = turn.get("blip_caption")
    return f"{turn['speaker']}: {turn['text']}" + (f" and shared {caption}." if caption else "")


def _evidence(labels: list[str], known: dict[str, str]) -> set[str]:
    found = {
        f"D{int(session)}:{int(turn)}" for label in labels for session, turn in re.findall(r"D:?(\d+):(\d+)", label)
    }
    return found & known.keys()


def _mean_recall(stop_words: StopWords) -> tuple[float, int]:
    recalls: list[float] = []
    for sample in _conversations():
        turns = _turns(sample["conversation"])
        index = Bm25Index(stop_words=stop_words)
        index.add(list(turns), list(turns.values()))
        for qa in sample["qa"]:
            evidence = _evidence(qa["evidence"], turns)
            if qa["category"] in _ANSWERABLE and evidence:
                found = {turn for turn, _ in index.fork().search(qa["question"], _TOP)}
                recalls.append(len(evidence & found) / len(evidence))
    return sum(recalls) / len(recalls), len(recalls)


def test_plain_stemmed_bm25_recalls_over_half_of_the_evidence() -> None:
    recall, questions = _mean_recall("none")
    assert questions == 1536
    assert recall >= 0.54


def test_leaving_out_stop_words_helps() -> None:
    assert _mean_recall("english")[0] >= 0.60
