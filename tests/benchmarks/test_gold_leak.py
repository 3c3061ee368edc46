"""Nothing that agents and memories see depends on the labels: another gold, the same experience.

Each benchmark is built twice from the same material, with other answers, evidence and tags. Whatever reaches the agent
or the memory must be the same both times, byte by byte. A benchmark's folder here says in ``other_labels.py`` how its
labels are changed: ``settings(other, folder)`` writes its data into the folder and returns the configuration.
"""

import asyncio
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from runpy import run_path
from typing import Any, get_args

import pytest
from pydantic import TypeAdapter

from heams.agents.base import AgentReply, AgentSession, MemoryPort, Stimulus
from heams.benchmarks import BaseBenchmark, BenchmarkConfig, create_benchmark
from heams.memory.base import (
    ForgetDemand,
    ForgetReceipt,
    Memory,
    MemoryCapabilities,
    MemoryEvent,
    MemoryItem,
    RecalledItem,
    RecallQuery,
)
from heams.orchestration.hearing import hear_in_memory
from heams.plugins import type_name
from heams.scenarios.budget import RecallBudget
from heams.scenarios.clock import Instant
from heams.scenarios.outcome import ScenarioOutcome
from heams.scenarios.port import RecordingPort
from heams.scenarios.runner import ScenarioPlayer

_TYPES = [type_name(member) for member in get_args(get_args(BenchmarkConfig)[0])]
_ADAPTER: TypeAdapter[Any] = TypeAdapter(BenchmarkConfig)

Case = Callable[[bool], dict[str, Any]]


class _Witness(Memory, AgentSession):
    """A memory and an agent session that write down everything they are told."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    async def write(self, event: MemoryEvent) -> None:
        self.seen.append(event.model_dump_json())

    async def recall(self, query: RecallQuery) -> Sequence[RecalledItem]:
        return []

    async def advance(self, now: Instant) -> None:
        self.seen.append(now.isoformat())

    async def forget(self, demand: ForgetDemand) -> ForgetReceipt:
        self.seen.append(demand.model_dump_json())
        return ForgetReceipt()

    async def dump(self) -> Sequence[MemoryItem]:
        return []

    async def begin_session(self, session_id: str) -> None:
        self.seen.append(session_id)

    async def respond(self, stimulus: Stimulus, memory: MemoryPort) -> AgentReply:
        self.seen.append(stimulus.model_dump_json())
        return AgentReply(text="an answer")

    async def fork(self) -> Any:
        raise NotImplementedError


@pytest.fixture
def cases(
    locomo_record: dict[str, Any],
    locomo_settings: dict[str, Any],
    jsonl_settings: dict[str, Any],
    write_json: Callable[[Any], Path],
    write_lines: Callable[[Any], Path],
    tmp_path: Path,
) -> dict[str, Case]:
    """For each type a function from "with other labels?" to a configuration."""

    def locomo(other: bool) -> dict[str, Any]:
        record = json.loads(json.dumps(locomo_record))
        if other:
            for question in record["qa"]:
                label = "adversarial_answer" if question["category"] == 5 else "answer"
                question |= {label: "ZEBRA", "evidence": ["D2:2"]}
                question["category"] = {1: 4, 2: 3, 3: 1, 4: 2, 5: 5}[question["category"]]
        return {"data_file": write_json([record]), **locomo_settings}

    def jsonl_qa(other: bool) -> dict[str, Any]:
        turns = [{"id": f"t{number}", "content": f"turn {number}", "session_id": "s"} for number in range(3)]
        labels = {"answer": "ZEBRA", "evidence": ["t2"], "tags": {"category": "stripes"}}
        question = {"id": "q1", "question": "Which?", "history": "h", "answer": "gnu", "evidence": ["t1"]}
        rows = [{"history": {"id": "h", "turns": turns}}, question | labels if other else question]
        return {"data_file": write_lines(rows), **jsonl_settings}

    def of_folder(settings: Any) -> Case:
        def case(other: bool) -> dict[str, Any]:
            folder = tmp_path / ("other" if other else "first")
            folder.mkdir()
            found: dict[str, Any] = settings(other, folder)
            return found

        return case

    written = {path.parent.name: run_path(str(path)) for path in Path(__file__).parent.glob("*/other_labels.py")}
    return {
        "locomo": locomo,
        "jsonl_qa": jsonl_qa,
        **{module.get("TYPE", name): of_folder(module["settings"]) for name, module in written.items()},
    }


@pytest.mark.parametrize("benchmark_type", _TYPES)
def test_what_is_seen_does_not_depend_on_the_labels(benchmark_type: str, cases: dict[str, Case]) -> None:
    assert benchmark_type in cases, f"add a case for {benchmark_type!r}: its gold must not leak either"
    first, second = (_built(benchmark_type, cases[benchmark_type](other)) for other in (False, True))
    assert _labels(first) != _labels(second), "the case must change the labels"
    seen = asyncio.run(_witnessed(first))
    assert len(seen) > len(first.samples), "the witness must have heard something"
    assert seen == asyncio.run(_witnessed(second))
    assert not any("ZEBRA" in told for told in seen)


def _built(benchmark_type: str, settings: dict[str, Any]) -> BaseBenchmark:
    return create_benchmark(_ADAPTER.validate_python({"type": benchmark_type, **settings}))


def _labels(benchmark: BaseBenchmark) -> list[Any]:
    actions = (action for sample in benchmark.samples for action in sample.execution_sequence)
    return [getattr(action, "step_evaluation_markers", None) for action in actions]


async def _witnessed(benchmark: BaseBenchmark) -> list[str]:
    witness = _Witness()
    for sample in benchmark.samples:
        scenario = sample.to_scenario()
        witness.seen.append(scenario.id)  # agents are opened under this name
        if scenario.history is not None:
            await hear_in_memory(scenario.history, witness)
        port = RecordingPort(witness, MemoryCapabilities(), RecallBudget(), scope=scenario.id)
        player = ScenarioPlayer(ScenarioOutcome(scenario), session=witness, memory=witness, port=port)
        await player.play()
    return witness.seen
