"""What the extractive agent scores on the real LoCoMo conversations by the official rules.

Needs HEAMS_DATA_DIR, a folder with locomo/locomo10.json; skipped without.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

import anyio
import pytest

from heams.agents.base import AgentScope, Stimulus
from heams.agents.extractive import ExtractiveAgent, ExtractiveAgentConfig
from heams.benchmarks import BenchmarkSample, LocomoBenchmark, LocomoBenchmarkConfig
from heams.evaluation.locomo_scoring import score
from heams.memory.base import Memory, MemoryScope, MemorySystem
from heams.memory.hybrid import HybridMemoryConfig, HybridMemorySystem
from heams.memory.no_memory import NoMemoryConfig, NoMemorySystem
from heams.memory.oracle import OracleConfig, OracleSystem
from heams.scenarios.actions import Turn, UserStimulus
from heams.scenarios.budget import RecallBudget
from heams.scenarios.hearing import turn_event
from heams.scenarios.port import RecordingPort
from heta_framework.common.config import load_yaml, validate

_CONFIG = Path(__file__).parents[2] / "configs" / "benchmarks" / "locomo.yaml"
_ADVERSARIAL = 5


@pytest.fixture
def benchmark(data_dir: Path) -> LocomoBenchmark:
    if not (data_dir / "locomo" / "locomo10.json").is_file():
        pytest.skip("locomo/locomo10.json is not in HEAMS_DATA_DIR")
    document = load_yaml(_CONFIG, env={"HEAMS_DATA_DIR": str(data_dir)})
    return LocomoBenchmark(validate(document, LocomoBenchmarkConfig))


def _history_id(sample: BenchmarkSample) -> str:
    return sample.history.id if sample.history else ""


async def _heard(system: MemorySystem, sample: BenchmarkSample) -> Memory:
    memory = await system.open(MemoryScope(id=_history_id(sample)))
    events = sample.history.events if sample.history else ()
    await memory.write_all([turn_event(event, None) for event in events if isinstance(event, Turn)])
    return memory


async def _scores(samples: Iterable[BenchmarkSample], system: MemorySystem) -> Mapping[int, list[float]]:
    """The official score of each question, by category."""
    agent = ExtractiveAgent(ExtractiveAgentConfig())
    scores: dict[int, list[float]] = defaultdict(list)
    await system.start()
    for _, group in groupby(samples, key=_history_id):
        questions = list(group)
        memory = await _heard(system, questions[0])
        port = RecordingPort(memory, system.capabilities, RecallBudget(), scope="real")
        session = await agent.open(AgentScope(id="real"))
        for sample in questions:
            asked = sample.execution_sequence[0]
            assert isinstance(asked, UserStimulus)
            markers: Mapping[str, Any] = asked.step_evaluation_markers
            if system.capabilities.needs_gold:
                await memory.reveal_gold(markers.get("evidence") or ())
            query = asked.recall_query or asked.content
            reply = await session.respond(Stimulus(content=asked.content, query=query, at=asked.at), port)
            category = markers["category_id"]
            scores[category].append(score(category, markers.get("expected_answer", ""), reply.text))
    return scores


def _answerable_f1(benchmark: LocomoBenchmark, system: MemorySystem) -> tuple[float, Mapping[int, list[float]]]:
    """The micro average over categories 1 to 4, and all scores."""
    scores = anyio.run(_scores, benchmark.samples, system)
    answerable = [value for category, values in scores.items() if category != _ADVERSARIAL for value in values]
    assert len(answerable) == 1540
    return sum(answerable) / len(answerable), scores


def test_with_the_evidence_before_it_the_agent_is_right_about_four_times_in_ten(benchmark: LocomoBenchmark) -> None:
    f1, scores = _answerable_f1(benchmark, OracleSystem(OracleConfig()))
    assert f1 >= 0.40
    assert sum(scores[2]) / len(scores[2]) >= 0.65  # dates


@pytest.mark.long
def test_what_memory_finds_is_worth_much_less_and_far_more_than_nothing(benchmark: LocomoBenchmark) -> None:
    f1, scores = _answerable_f1(benchmark, HybridMemorySystem(HybridMemoryConfig()))
    assert 0.25 <= f1 < 0.40
    assert sum(scores[_ADVERSARIAL]) / len(scores[_ADVERSARIAL]) >= 0.30


def test_without_a_memory_nothing_is_answered(benchmark: LocomoBenchmark) -> None:
    f1, scores = _answerable_f1(benchmark, NoMemorySystem(NoMemoryConfig()))
    assert f1 < 0.04
    assert set(scores[_ADVERSARIAL]) == {1.0}
