"""How much of the evidence the searching memories find on the real LoCoMo conversations.

Needs HEAMS_DATA_DIR, a folder with locomo/locomo10.json; skipped without.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from heams.memory.base import MemoryEvent, MemoryScope, MemorySystem, RecallQuery
from heams.memory.hybrid import HybridMemoryConfig, HybridMemorySystem
from heams.memory.lexical import LexicalMemoryConfig, LexicalMemorySystem
from heams.memory.oracle import OracleConfig, OracleSystem
from heams.memory.vector import VectorMemoryConfig, VectorMemorySystem

_ANSWERABLE = {1, 2, 3, 4}
_TOP = 10


@pytest.fixture(scope="module")
def conversations() -> list[dict[str, Any]]:
    folder = os.environ.get("HEAMS_DATA_DIR")
    if not folder:
        pytest.skip("HEAMS_DATA_DIR is not set")
    path = Path(folder) / "locomo" / "locomo10.json"
    if not path.is_file():
        pytest.skip(f"{path} does not exist")
    samples: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))
    return samples


def _events(conversation: dict[str, Any]) -> list[MemoryEvent]:
    sessions = (turns for key, turns in conversation.items() if re.fullmatch(r"session_\d+", key))
    return [
        MemoryEvent(id=turn["dia_id"], content=_content(turn), speaker=turn["speaker"])
        for turns in sessions
        for turn in turns
    ]


def _content(turn: dict[str, Any]) -> str:
    caption = turn.get("blip_caption")
    return f"{turn['text']} and shared {caption}." if caption else str(turn["text"])


def _questions(sample: dict[str, Any], heard: set[str]) -> list[tuple[str, list[str]]]:
    """The answerable questions with their evidence, as far as it can be traced to a turn."""
    traced = []
    for qa in sample["qa"]:
        labels = re.findall(r"D:?(\d+):(\d+)", " ".join(qa["evidence"]))
        evidence = [f"D{int(session)}:{int(turn)}" for session, turn in labels]
        known = list(dict.fromkeys(event_id for event_id in evidence if event_id in heard))
        if qa["category"] in _ANSWERABLE and known:
            traced.append((qa["question"], known))
    return traced


async def _recalls(system: MemorySystem, sample: dict[str, Any], limit: int | None) -> list[float]:
    memory = await system.open(MemoryScope(id=sample["sample_id"]))
    events = _events(sample["conversation"])
    await memory.write_all(events)
    recalls = []
    for question, evidence in _questions(sample, {event.id for event in events}):
        fork = await memory.fork()
        if system.capabilities.needs_gold:
            await fork.reveal_gold(evidence)
        found = {item.id for item in await fork.recall(RecallQuery(text=question, limit=limit))}
        recalls.append(len(found.intersection(evidence)) / len(evidence))
    return recalls


def _mean_recall(system: MemorySystem, samples: list[dict[str, Any]], limit: int | None = _TOP) -> float:
    async def all_recalls() -> list[float]:
        await system.start()
        return [value for sample in samples for value in await _recalls(system, sample, limit)]

    values = asyncio.run(all_recalls())
    assert len(values) == 1536
    return sum(values) / len(values)


def test_the_oracle_finds_everything(conversations: list[dict[str, Any]]) -> None:
    assert _mean_recall(OracleSystem(OracleConfig()), conversations, limit=None) == 1.0


def test_words_find_more_than_half(conversations: list[dict[str, Any]]) -> None:
    assert _mean_recall(LexicalMemorySystem(LexicalMemoryConfig()), conversations) >= 0.60
    plain = LexicalMemoryConfig(stop_words="none")
    assert _mean_recall(LexicalMemorySystem(plain), conversations) >= 0.54


def test_meaning_finds_more_than_a_third(conversations: list[dict[str, Any]]) -> None:
    assert _mean_recall(VectorMemorySystem(VectorMemoryConfig()), conversations) >= 0.37


def test_both_together_find_far_more_than_meaning_alone(conversations: list[dict[str, Any]]) -> None:
    """On these conversations words alone are as good: the light embedding adds little to them."""
    assert _mean_recall(HybridMemorySystem(HybridMemoryConfig()), conversations) >= 0.58
