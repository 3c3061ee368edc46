"""Waiting for a busy component is kept apart from its work, for recalls and for steps."""

import asyncio
from collections.abc import Sequence

import pytest

from heams.agents.base import AgentReply, AgentSession, MemoryPort, Stimulus
from heams.memory.base import Memory, MemoryCapabilities, MemoryEvent, RecalledItem, RecallQuery
from heams.scenarios.actions import UserStimulus
from heams.scenarios.budget import RecallBudget
from heams.scenarios.outcome import ScenarioOutcome, Step
from heams.scenarios.port import RecordingPort
from heams.scenarios.runner import ScenarioPlayer
from heams.scenarios.scenario import Scenario
from heams.scenarios.waiting import TimeSpent, note_waiting, time_set_aside

_LONG = 1000.0
"""More than any block here takes."""


def test_what_was_not_waited_was_worked() -> None:
    with TimeSpent() as time:
        pass
    assert time.waited == 0
    assert time.worked > 0


def test_waiting_adds_up_and_is_taken_from_work() -> None:
    async def run() -> TimeSpent:
        with TimeSpent() as time:
            await asyncio.sleep(0.01)
            note_waiting(0.001)
            note_waiting(0.002)
        return time

    time = asyncio.run(run())
    assert time.waited == 0.003
    assert time.worked >= 0.006


def test_nothing_waits_longer_than_it_takes() -> None:
    with TimeSpent() as time:
        note_waiting(_LONG)
    assert time.worked == 0
    assert 0 < time.waited < _LONG


def test_waiting_in_an_inner_block_counts_for_the_outer_one_too() -> None:
    with TimeSpent() as outer:
        with TimeSpent() as inner:
            note_waiting(_LONG)
        assert outer.waited == inner.waited
    assert outer.waited == inner.waited > 0


def test_waiting_outside_of_a_block_is_nobodys() -> None:
    note_waiting(1.0)
    with TimeSpent() as time:
        pass
    note_waiting(1.0)
    assert time.waited == 0


def test_tasks_of_a_block_count_and_those_of_others_do_not() -> None:
    async def wait() -> None:
        note_waiting(_LONG)

    async def run() -> tuple[TimeSpent, TimeSpent]:
        with TimeSpent() as other, TimeSpent() as own:
            await asyncio.gather(wait(), wait())
        stranger = asyncio.create_task(wait())
        with TimeSpent() as other:
            await stranger
        return own, other

    own, other = asyncio.run(run())
    assert own.worked == 0
    assert other.waited == 0


class _BusyMemory(Memory):
    """Says of its whole recall that it was waiting."""

    async def write(self, event: MemoryEvent) -> None:
        """Nothing to hear."""

    async def recall(self, query: RecallQuery) -> Sequence[RecalledItem]:
        note_waiting(_LONG)
        return []


class _Asks(AgentSession):
    async def respond(self, stimulus: Stimulus, memory: MemoryPort) -> AgentReply:
        await memory.recall(stimulus.query)
        if stimulus.query == "break":
            raise OSError("the memory is gone")
        return AgentReply(text="?")


def _step(question: str) -> Step:
    memory = _BusyMemory()
    port = RecordingPort(memory, MemoryCapabilities(), RecallBudget(), scope="a")
    outcome = ScenarioOutcome(Scenario(id="a", name="a", actions=(UserStimulus(content=question),)))
    player = ScenarioPlayer(outcome, session=_Asks(), memory=memory, port=port)
    try:
        asyncio.run(player.play())
    except OSError:
        assert outcome.steps[0].status == "error"
    return outcome.steps[0]


def test_recalls_and_steps_are_measured_without_waiting() -> None:
    step = _step("?")
    (recall,) = step.recalls
    assert recall.seconds == 0
    assert step.waited == recall.waited > 0
    assert step.seconds > 0


def test_steps_that_fail_are_measured_too() -> None:
    step = _step("break")
    assert step.waited == step.recalls[0].waited > 0
    assert step.seconds > 0


def test_what_is_set_aside_is_neither_work_nor_waiting_of_any_block_around(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("heams.scenarios.waiting.perf_counter", lambda: now[0])
    with TimeSpent() as outer:
        with TimeSpent() as inner:
            now[0] += 1
            with time_set_aside(), TimeSpent() as aside:
                now[0] += 8
                note_waiting(4)
            now[0] += 2
            note_waiting(2)
        now[0] += 16
    assert (aside.worked, aside.waited) == (4, 4)
    assert (inner.worked, inner.waited, inner.aside) == (1, 2, 8)
    assert (outer.worked, outer.waited, outer.aside) == (17, 2, 8)


def test_blocks_set_aside_at_once_take_no_more_than_there_was() -> None:
    async def look() -> None:
        with time_set_aside():
            await asyncio.sleep(0.01)

    async def run() -> TimeSpent:
        with TimeSpent() as spent:
            await asyncio.gather(look(), look())
            note_waiting(_LONG)
        return spent

    spent = asyncio.run(run())
    assert spent.aside >= 0.01
    assert (spent.worked, spent.waited >= 0) == (0, True)
