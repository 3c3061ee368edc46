"""The player: every action reaches the right ear, stripped of what only evaluators may know."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from heams.agents.base import AgentReply, AgentSession, FeedbackMessage, MemoryPort, Stimulus
from heams.evaluation.base import BaseEvaluator, ExpectedRecord
from heams.evaluation.factory import TaskQAEvaluatorConfig, create_evaluator
from heams.evaluation.records import EvaluationRecord
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
from heams.scenarios.actions import (
    Action,
    ClockAdvance,
    DocumentIngestion,
    Feedback,
    ForgetRequest,
    MemoryInspection,
    PrincipalSwitch,
    SessionBoundary,
    Turn,
    UserStimulus,
)
from heams.scenarios.budget import RecallBudget
from heams.scenarios.outcome import ScenarioOutcome
from heams.scenarios.port import RecordingPort
from heams.scenarios.runner import ScenarioPlayer
from heams.scenarios.scenario import Scenario

MAY = datetime(2023, 5, 8, tzinfo=UTC)
JUNE = datetime(2023, 6, 9, tzinfo=UTC)


class ListMemory(Memory):
    """Keeps what it heard; recalls the newest first."""

    def __init__(self) -> None:
        self.heard: list[MemoryEvent] = []
        self.told: list[str] = []
        self.now: list[datetime] = []

    async def write(self, event: MemoryEvent) -> None:
        self.heard.append(event)

    async def recall(self, query: RecallQuery) -> Sequence[RecalledItem]:
        self.told.append(query.model_dump_json())
        newest = [RecalledItem(id=event.id, text=event.content, event_ids=event.provenance) for event in self.heard]
        return newest[::-1]

    async def forget(self, demand: ForgetDemand) -> ForgetReceipt:
        self.told.append(demand.model_dump_json())
        kept = [event for event in self.heard if event.id not in demand.event_ids]
        removed = tuple(event.id for event in self.heard if event.id in demand.event_ids)
        self.heard = kept
        return ForgetReceipt(removed=removed)

    async def dump(self) -> Sequence[MemoryItem]:
        return [MemoryItem(id=event.id, text=event.content) for event in self.heard]

    async def advance(self, now: datetime) -> None:
        self.now.append(now)


class Parrot(AgentSession):
    """Answers with the newest thing recalled, and keeps all it was told."""

    def __init__(self) -> None:
        self.told: list[Any] = []

    async def respond(self, stimulus: Stimulus, memory: MemoryPort) -> AgentReply:
        self.told.append(stimulus)
        found = await memory.recall(stimulus.query)
        return AgentReply(text=found[0].text if found else "nothing")

    async def begin_session(self, session_id: str) -> None:
        self.told.append(session_id)

    async def feedback(self, message: FeedbackMessage, memory: MemoryPort) -> None:
        self.told.append(message)


def _play(actions: list[Action], memory: Memory | None = None, **options: Any) -> tuple[ScenarioOutcome, Parrot, Any]:
    memory = memory or ListMemory()
    config = TaskQAEvaluatorConfig(match_mode="contains")
    outcome = ScenarioOutcome(Scenario(id="s", name="s", actions=actions, evaluators=(config,)))
    port = RecordingPort(memory, MemoryCapabilities(), options.pop("budget", RecallBudget()), scope="s")
    session = Parrot()
    player = ScenarioPlayer(
        outcome, session=session, memory=memory, port=port, evaluators=[create_evaluator(config)], **options
    )
    asyncio.run(player.play())
    return outcome, session, memory


def test_markers_reach_neither_agent_nor_memory() -> None:
    hidden = "zanzibar"
    _, session, memory = _play(
        [
            Turn(id="t1", content="hello"),
            UserStimulus(content="where?", step_evaluation_markers={"expected_answer": hidden, "evidence": [hidden]}),
            ForgetRequest(content="forget it", step_evaluation_markers={"must_forget": hidden}),
            MemoryInspection(step_evaluation_markers={"leak": hidden}),
        ]
    )
    everything = str(session.told) + str(memory.heard) + str(memory.told)
    assert "where?" in everything
    assert hidden not in everything


def test_a_question_is_recalled_by_its_bare_form() -> None:
    outcome, session, _ = _play([UserStimulus(content="Answer briefly: where?", recall_query="where?")])
    assert session.told[0].content == "Answer briefly: where?"
    assert outcome.steps[0].recalls[0].query == "where?"


def test_time_and_principal_follow_the_actions() -> None:
    outcome, _, memory = _play(
        [
            SessionBoundary(session_id="s1", at=MAY),
            PrincipalSwitch(principal="ben"),
            UserStimulus(content="q"),
            UserStimulus(content="q", principal="ada"),
            ClockAdvance(to=JUNE),
            DocumentIngestion(id="d", title="Note", content="text"),
        ]
    )
    assert [step.principal for step in outcome.steps[2:4]] == ["ben", "ada"]
    assert outcome.steps[2].at == MAY
    assert memory.now == [MAY, JUNE]
    (document,) = memory.heard
    assert (document.principal, document.at, document.content) == ("ben", JUNE, "Note\n\ntext")


def test_forgetting_and_inspection_leave_receipt_and_dump() -> None:
    outcome, _, _ = _play(
        [
            Turn(id="t1", content="hidden"),
            Turn(id="t2", content="harmless"),
            ForgetRequest(content="forget the hidden", event_ids=("t1",)),
            MemoryInspection(),
        ]
    )
    assert outcome.steps[2].receipt == ForgetReceipt(removed=("t1",))
    assert outcome.steps[3].dump is not None
    assert [item.id for item in outcome.steps[3].dump] == ["t2"]


def test_what_is_not_supported_is_a_status_and_the_scenario_goes_on() -> None:
    class Stubborn(ListMemory):
        forget = Memory.forget

    outcome, _, _ = _play([ForgetRequest(content="forget"), UserStimulus(content="q")], Stubborn())
    assert [step.status for step in outcome.steps] == ["unsupported", "ok"]
    assert outcome.steps[0].note == "this memory cannot forget"


def test_an_exchange_is_remembered_when_asked_to() -> None:
    outcome, _, memory = _play([Turn(id="t", content="blue"), UserStimulus(content="colour?", remember=True)])
    assert [(event.role, event.content) for event in memory.heard[1:]] == [("user", "colour?"), ("assistant", "blue")]
    assert outcome.steps[1].reply == "blue"


@pytest.mark.parametrize(
    ("kind", "correct", "expected"), [("none", None, None), ("correctness", True, None), ("gold", True, "blue")]
)
def test_feedback_tells_what_its_kind_allows(kind: Any, correct: bool | None, expected: str | None) -> None:
    _, session, _ = _play(
        [
            Turn(id="t", content="it is blue"),
            UserStimulus(content="colour?", step_evaluation_markers={"expected_answer": "blue"}),
            Feedback(of_step=1, kind=kind),
        ]
    )
    message = session.told[-1]
    assert (message.correct, message.expected) == (correct, expected)


class _Verdicts(BaseEvaluator):
    """Gives the same records for every answer that it is shown, and counts what it is shown."""

    type = "verdicts"

    def __init__(self, **fields: Any) -> None:
        super().__init__(None)
        self._fields = fields
        self.shown: list[int] = []

    async def evaluate(self, outcome: ScenarioOutcome) -> Sequence[EvaluationRecord]:
        answered = [step.index for step in outcome.answered() if step.reply is not None]
        self.shown += answered
        return [EvaluationRecord(evaluator="x", metric="m", step_index=index, **self._fields) for index in answered]

    def expected_records(self, scenario: Scenario) -> Sequence[ExpectedRecord]:
        return []


def _fed_back(*evaluators: BaseEvaluator, questions: int = 1) -> FeedbackMessage:
    """The last message of a stream in which every answer is followed by gold feedback."""
    actions: list[Action] = []
    for _ in range(questions):
        question = UserStimulus(content="colour?", step_evaluation_markers={"expected_answer": "blue"})
        actions += [question, Feedback(of_step=len(actions), kind="gold")]
    outcome, memory, session = ScenarioOutcome(Scenario("s", "s", actions)), ListMemory(), Parrot()
    port = RecordingPort(memory, MemoryCapabilities(), RecallBudget(), scope="s")
    player = ScenarioPlayer(outcome, session=session, memory=memory, port=port, evaluators=evaluators)
    asyncio.run(player.play())
    assert isinstance(session.told[-1], FeedbackMessage)
    return session.told[-1]


def test_nobody_is_told_that_an_answer_is_wrong_because_a_judge_gave_no_verdict() -> None:
    message = _fed_back(_Verdicts(outcome="unscored", reason="unreadable"))
    assert (message.correct, message.expected) == (None, "blue")


def test_feedback_is_about_the_answer_and_never_tells_the_ids_of_evidence() -> None:
    recall = _Verdicts(value=1.0, expected="D1:3")
    assert _fed_back(recall).expected == "blue"
    message = _fed_back(recall, _Verdicts(value=0.0, passed=False, expected="blue"))
    assert (message.correct, message.expected) == (False, "blue")


def test_feedback_has_each_answer_judged_once() -> None:
    evaluator = _Verdicts(value=1.0, passed=True)
    _fed_back(evaluator, questions=5)
    assert evaluator.shown == [0, 2, 4, 6, 8]


def test_a_failing_agent_keeps_the_steps_so_far() -> None:
    class Failing(Parrot):
        async def respond(self, stimulus: Stimulus, memory: MemoryPort) -> AgentReply:
            await memory.recall("x")
            raise RuntimeError("no")

    memory = ListMemory()
    outcome = ScenarioOutcome(Scenario("s", "s", [Turn(id="t", content="c"), UserStimulus(content="q")]))
    port = RecordingPort(memory, MemoryCapabilities(), RecallBudget(), scope="s")
    player = ScenarioPlayer(outcome, session=Failing(), memory=memory, port=port)
    with pytest.raises(RuntimeError):
        asyncio.run(player.play())
    assert [step.status for step in outcome.steps] == ["ok", "error"]
    assert outcome.steps[1].recalls[0].query == "x"


def test_notes_of_the_agent_keep_the_event_they_came_from() -> None:
    class NoteTaker(Parrot):
        async def hear(self, event: MemoryEvent, memory: MemoryPort) -> dict[Any, Any]:
            await memory.write(f"noted: {event.content}")
            return {}

    memory = ListMemory()
    outcome = ScenarioOutcome(Scenario("s", "s", [Turn(id="t1", content="c")]))
    port = RecordingPort(memory, MemoryCapabilities(), RecallBudget(), scope="s")
    asyncio.run(ScenarioPlayer(outcome, session=NoteTaker(), memory=memory, port=port, listener="agent").play())
    assert [(event.content, event.provenance) for event in memory.heard] == [("noted: c", ("t1",))]
    assert [write.content for write in outcome.steps[0].writes] == ["noted: c"]
