"""A knowledge base of the hybrid recipe finds as much evidence in a real LoCoMo conversation as the hybrid memory.

Needs HEAMS_DATA_DIR, a folder with locomo/locomo10.json; skipped without.
"""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest

from heams.memory.base import MemoryEvent, MemoryScope, MemorySystem, RecallQuery
from heams.memory.hybrid import HybridMemoryConfig, HybridMemorySystem
from heams.memory.knowledge_base import KnowledgeBaseMemoryConfig, KnowledgeBaseMemorySystem
from heta_framework.common.config import load_yaml

_CONVERSATION = "conv-26"
_ADVERSARIAL = 5
_TOP = 10


@pytest.fixture(scope="module")
def recipes() -> Path:
    return Path(__file__).parents[2] / "configs" / "recipes"


@pytest.fixture
def sample(data_dir: Path) -> dict[str, Any]:
    path = data_dir / "locomo" / "locomo10.json"
    if not path.is_file():
        pytest.skip(f"{path} does not exist")
    samples: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))
    return next(one for one in samples if one["sample_id"] == _CONVERSATION)


def _events(sample: dict[str, Any]) -> list[MemoryEvent]:
    sessions = {key: turns for key, turns in sample["conversation"].items() if re.fullmatch(r"session_\d+", key)}
    return [
        MemoryEvent(id=turn["dia_id"], content=turn["text"], speaker=turn["speaker"], session_id=session)
        for session, turns in sessions.items()
        for turn in turns
    ]


async def _recall(system: MemorySystem, sample: dict[str, Any]) -> float:
    await system.start()
    memory = await system.open(MemoryScope(id=_CONVERSATION))
    events = _events(sample)
    await memory.write_all(events)
    heard = {event.id for event in events}
    recalls = []
    for qa in sample["qa"]:
        evidence = heard.intersection(qa["evidence"])
        if evidence and qa["category"] != _ADVERSARIAL:
            items = await memory.recall(RecallQuery(text=qa["question"], limit=_TOP))
            found = {event_id for item in items for event_id in item.event_ids}
            recalls.append(len(found & evidence) / len(evidence))
    await memory.close()
    await system.close()
    assert len(recalls) > 140
    return sum(recalls) / len(recalls)


def test_a_knowledge_base_finds_what_the_hybrid_memory_finds(sample: dict[str, Any], recipes: Path) -> None:
    written = load_yaml(recipes.parent / "memory_systems" / "knowledge_base.yaml").data
    config = KnowledgeBaseMemoryConfig(**{**written, "recipe": recipes / "hybrid.yaml"})
    base = asyncio.run(_recall(KnowledgeBaseMemorySystem(config), sample))
    hybrid = asyncio.run(_recall(HybridMemorySystem(HybridMemoryConfig()), sample))
    assert base == pytest.approx(hybrid, abs=0.02)
    assert base >= 0.55


def test_whole_sessions_hold_more_of_the_evidence_in_as_many_items(sample: dict[str, Any], recipes: Path) -> None:
    recipe = recipes / "full_text.yaml"
    found = {
        unit: asyncio.run(
            _recall(
                KnowledgeBaseMemorySystem(
                    KnowledgeBaseMemoryConfig(recipe=recipe, mode="full_text_search", document=unit)
                ),
                sample,
            )
        )
        for unit in ("event", "session")
    }
    assert found["session"] > found["event"] >= 0.5
