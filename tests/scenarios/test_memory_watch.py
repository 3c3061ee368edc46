"""Looking into a memory: only where something may change it, never at the scenario's cost, never to its harm."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from heams.agents.base import AgentReply, AgentSession, FeedbackMessage, MemoryPort, Stimulus
from heams.memory.base import (
    ForgetDemand,
    ForgetReceipt,
    Memory,
    MemoryCapabilities,
    MemoryEvent,
    MemoryItem,
    RecalledItem,
    RecallQuery,
    UnsupportedOperation,
)
from heams.scenarios.actions import (
    Action,
    DocumentIngestion,
    Feedback,
    ForgetRequest,
    MemoryInspection,
    Turn,
    UserStimulus,
)
from heams.scenarios.budget import RecallBudget
from heams.scenarios.memory_difference import MemoryChange
from heams.scenarios.memory_watch import MemoryWatch
from heams.scenarios.outcome import ScenarioOutcome
from heams.scenarios.port import RecordingPort
from heams.scenarios.runner import ScenarioPlayer
from heams.scenarios.scenario import Scenario
from heams.scenarios.usage import Usage, note_usage
from heams.scenarios.waiting import note_waiting
from heams.scenarios.watched import OwnedMemory, WatchedMemory, WatchedSession

_SLOW = 64.0


class Notebook(Memory):
    """Keeps texts by id, and counts how often it was looked into."""

    def __init__(self, *, sized: bool = True, fault: str = "") -> None:
        self.held: dict[str, str] = {}
        self.looks = 0
        self.now = 0.0
        self._sized = sized
        self._fault = fault

    async def write(self, event: MemoryEvent) -> None:
        if event.content == "refused":
            raise UnsupportedOperation("not this")
        self.now += 1
        if event.content == "broken":
            raise ZeroDivisionError
        self.held[event.id] = event.content

    async def recall(self, query: RecallQuery) -> Sequence[RecalledItem]:
        return [RecalledItem(id=key, text=text) for key, text in self.held.items()]

    async def forget(self, demand: ForgetDemand) -> ForgetReceipt:
        for key in demand.event_ids:
            del self.held[key]
        return ForgetReceipt(removed=demand.event_ids)

    async def dump(self) -> Sequence[MemoryItem]:
        self.looks += 1
        if self._fault == "raises":
            raise RuntimeError("out of order")
        if self._fault == "hangs":
            await asyncio.sleep(60)
        if self._fault == "slow":
            note_usage({"memory": Usage(calls=1)})
            note_waiting(_SLOW / 2)
            self.now += _SLOW
        return [MemoryItem(id=key, text=text) for key, text in self.held.items()]

    def size(self) -> int | None:
        return len(self.held) if self._sized else None


class Noting(AgentSession):
    """Notes down what begins with ``note``, looks into the memory for ``look``, and notes every feedback."""

    async def respond(self, stimulus: Stimulus, memory: MemoryPort) -> AgentReply:
        await memory.recall(stimulus.query)
        if stimulus.content.startswith("note"):
            await asyncio.gather(memory.write(f"{stimulus.content} 1"), memory.write(f"{stimulus.content} 2"))
        if stimulus.content == "look":
            await memory.items()
        return AgentReply(text="yes")

    async def feedback(self, message: FeedbackMessage, memory: MemoryPort) -> None:
        await memory.write("told")


class Owner(Noting):
    """Owns its memory: remembers every question."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def respond(self, stimulus: Stimulus, memory: MemoryPort) -> AgentReply:
        self.asked.append(stimulus.content)
        return AgentReply(text="yes")

    async def dump(self) -> Sequence[MemoryItem]:
        return [MemoryItem(id=text, text=text) for text in self.asked]


def _play(*actions: Action, memory: Notebook | None = None, most: int = 10, **watching: Any) -> ScenarioOutcome:
    memory = Notebook() if memory is None else memory
    outcome = ScenarioOutcome(Scenario(id="s", name="s", actions=actions, evaluators=()))

    async def play() -> None:
        watch = MemoryWatch(memory, most, **watching)
        seen = WatchedMemory(memory, watch, minds_clock=False)
        port = RecordingPort(seen, MemoryCapabilities(), RecallBudget(), scope="s")
        await ScenarioPlayer(outcome, session=Noting(), memory=seen, port=port, watch=watch).play()

    asyncio.run(play())
    return outcome


def _changes(outcome: ScenarioOutcome) -> list[MemoryChange]:
    changes = [step.memory_change for step in outcome.steps]
    assert all(change is not None for change in changes)
    return [change for change in changes if change is not None]


def test_questions_and_refused_actions_take_no_look_and_say_nothing() -> None:
    memory = Notebook()
    outcome = _play(UserStimulus(content="who?"), UserStimulus(content="why?"), memory=memory)
    assert [step.memory_change for step in outcome.steps] == [None, None]
    assert memory.looks == 0


def test_whatever_writes_is_told_and_looked_at_once() -> None:
    memory = Notebook()
    outcome = _play(
        Turn(id="t", content="tea"),
        DocumentIngestion(id="d", content="paper"),
        UserStimulus(content="note"),
        UserStimulus(content="who?", remember=True),
        Feedback(of_step=2, kind="none"),
        ForgetRequest(content="", event_ids=("t",)),
        memory=memory,
    )
    changes = _changes(outcome)
    assert [[item.text for item in change.added] for change in changes] == [
        ["tea"], ["paper"], ["note 1", "note 2"], ["who?", "yes"], ["told"], [],
    ]  # fmt: skip
    assert [item.text for item in changes[-1].removed] == ["tea"]
    assert [(change.items_before, change.items_after) for change in changes] == [
        (0, 1), (1, 2), (2, 4), (4, 6), (6, 7), (7, 6),
    ]  # fmt: skip
    assert memory.looks == len(changes) + 1


def test_what_an_inspection_shows_is_not_looked_at_again() -> None:
    memory = Notebook()
    outcome = _play(MemoryInspection(), Turn(id="t", content="tea"), memory=memory)
    assert memory.looks == 2
    assert outcome.steps[0].memory_change is None
    assert outcome.steps[1].memory_change is not None
    assert _play(UserStimulus(content="look"), memory=memory).steps[0].memory_change is None


def test_a_refused_change_is_no_change_and_a_failed_step_is_not_looked_into() -> None:
    (refused,) = _changes(_play(Turn(id="t", content="refused")))
    assert (refused.added, refused.items_after, refused.reason) == ([], 0, None)
    memory = Notebook()
    watch = MemoryWatch(memory, 10)
    outcome = ScenarioOutcome(Scenario(id="s", name="s", actions=[Turn(id="t", content="broken")], evaluators=()))
    seen = WatchedMemory(memory, watch, minds_clock=False)
    port = RecordingPort(seen, MemoryCapabilities(), RecallBudget(), scope="s")
    player = ScenarioPlayer(outcome, session=Noting(), memory=seen, port=port, watch=watch)
    with pytest.raises(ZeroDivisionError):
        asyncio.run(player.play())
    (broken,) = _changes(outcome)
    assert broken.reason == "the step failed"


@pytest.mark.parametrize("sized", [True, False])
def test_too_large_a_memory_is_not_looked_into_and_says_so(sized: bool) -> None:
    memory = Notebook(sized=sized)
    memory.held = {str(number): "x" for number in range(4)}
    forget = ForgetRequest(content="", event_ids=("0", "1"))
    changes = _changes(_play(Turn(id="t", content="tea"), forget, Turn(id="u", content="tea"), memory=memory, most=3))
    assert "held 4 items, more than the 3 of memory_changes.max_items" in str(changes[0].reason)
    assert (changes[0].items_before, changes[0].added) == (4, [])
    if sized:  # counting costs nothing, so it is noticed when the memory is small enough again
        assert (changes[0].items_after, changes[1].items_after, memory.looks) == (5, 3, 1)
        assert "held 4 items" in str(changes[2].reason)
    else:
        assert (changes[2].reason, memory.looks) == (changes[0].reason, 1)


@pytest.mark.parametrize(("fault", "says"), [("raises", "RuntimeError: out of order"), ("hangs", "more than 0.05 s")])
def test_a_look_that_fails_is_told_costs_the_scenario_nothing_and_is_not_tried_again(fault: str, says: str) -> None:
    memory = Notebook(fault=fault)
    outcome = _play(Turn(id="t", content="tea"), Turn(id="u", content="tea"), memory=memory, timeout_s=0.05)
    assert [step.status for step in outcome.steps] == ["ok", "ok"]
    assert all(says in str(change.reason) for change in _changes(outcome))
    assert (len(memory.held), memory.looks) == (2, 1)


def test_looking_is_neither_in_the_seconds_nor_in_the_usage_of_a_step(monkeypatch: pytest.MonkeyPatch) -> None:
    memory = Notebook(fault="slow")
    for module in ("waiting", "memory_watch"):
        monkeypatch.setattr(f"heams.scenarios.{module}.perf_counter", lambda: memory.now)
    outcome = _play(Turn(id="t", content="tea"), memory=memory)
    (step,) = outcome.steps
    (change,) = _changes(outcome)
    assert change.seconds == 2 * _SLOW
    assert (step.seconds, step.waited, step.usage) == (1, 0, {})
    assert change.usage["memory"].calls == 2


def test_text_that_no_artifact_can_hold_is_told_and_not_kept() -> None:
    (change,) = _changes(_play(Turn.model_construct(id="t", content="\ud800")))
    assert change.added == []
    assert "half a character" in str(change.reason)


def test_a_blind_watch_says_why_wherever_something_may_have_changed() -> None:
    memory = Notebook()
    outcome = _play(UserStimulus(content="who?"), Turn(id="t", content="tea"), memory=memory, blind="elsewhere")
    assert outcome.steps[0].memory_change is None
    assert outcome.steps[1].memory_change == MemoryChange(reason="elsewhere")
    assert memory.looks == 0


def test_an_agent_that_owns_its_memory_is_looked_into_around_every_answer() -> None:
    actions = [UserStimulus(content="who?"), UserStimulus(content="why?")]
    outcome = ScenarioOutcome(Scenario(id="s", name="s", actions=actions, evaluators=()))

    async def play() -> None:
        owner, memory = Owner(), Notebook()
        watch = MemoryWatch(OwnedMemory(owner), 10)
        port = RecordingPort(memory, MemoryCapabilities(), RecallBudget(), scope="s")
        session = WatchedSession(owner, watch)
        await ScenarioPlayer(
            outcome, session=session, memory=memory, port=port, agent_owns_memory=True, watch=watch
        ).play()

    asyncio.run(play())
    assert [[item.id for item in change.added] for change in _changes(outcome)] == [["who?"], ["why?"]]
