"""Each step knows what was used in it, by whomever: agent, memory, and evaluators that are asked for feedback."""

import asyncio
import contextlib
from collections.abc import Sequence
from typing import Any

import pytest

from heams.agents.base import AgentReply, AgentSession, FeedbackMessage, MemoryPort, Stimulus
from heams.evaluation.base import BaseEvaluator, ExpectedRecord
from heams.evaluation.records import EvaluationRecord
from heams.memory.base import Memory, MemoryCapabilities, MemoryEvent, RecalledItem, RecallQuery
from heams.scenarios.actions import Action, Feedback, Turn, UserStimulus
from heams.scenarios.budget import RecallBudget
from heams.scenarios.outcome import ScenarioOutcome
from heams.scenarios.port import RecordingPort
from heams.scenarios.runner import ScenarioPlayer
from heams.scenarios.scenario import Scenario
from heams.scenarios.usage import Usage, UsageByRole, UsageRole, note_usage
from heta_framework.common.models.calls.scope import CallScope, active_scope, call_scope


def _call(role: UsageRole, tokens: int) -> None:
    """As if a model had been called through the path."""
    scope = active_scope()
    assert scope is not None
    assert scope.epoch == "3"
    scope.add(role, Usage(calls=1, input_tokens=tokens))


class Session(AgentSession):
    async def respond(self, stimulus: Stimulus, memory: MemoryPort) -> AgentReply:
        _call("agent", 10)
        await memory.recall(stimulus.query)
        if stimulus.content == "fail":
            raise RuntimeError("no")
        return AgentReply(text="x", usage={"agent": Usage(calls=1, input_tokens=1)})

    async def hear(self, event: MemoryEvent, memory: MemoryPort) -> UsageByRole:
        return {"agent": Usage(calls=1, input_tokens=2)}

    async def feedback(self, message: FeedbackMessage, memory: MemoryPort) -> None:
        pass


class Recalling(Memory):
    async def write(self, event: MemoryEvent) -> None:
        _call("memory", 100)

    async def recall(self, query: RecallQuery) -> Sequence[RecalledItem]:
        _call("embedding", 1_000)
        return ()


class Asked(BaseEvaluator):
    type = "asked"

    async def evaluate(self, outcome: ScenarioOutcome) -> Sequence[EvaluationRecord]:
        _call("judge", 10_000)
        return ()

    def expected_records(self, scenario: Scenario) -> Sequence[ExpectedRecord]:
        return ()


def _tokens(actions: Sequence[Action], listener: str = "memory") -> list[dict[str, int]]:
    outcome = ScenarioOutcome(Scenario("s", "s", actions))
    port = RecordingPort(Recalling(), MemoryCapabilities(), RecallBudget(), scope="s")
    player = ScenarioPlayer(
        outcome, session=Session(), memory=Recalling(), port=port, listener=listener, evaluators=[Asked(None)]
    )
    with call_scope(CallScope("3")) as around, contextlib.suppress(RuntimeError):
        asyncio.run(player.play())
    assert not around.usage
    assert [scope.usage for scope in player.scopes] == [step.usage for step in outcome.steps]
    return [{role: usage.input_tokens for role, usage in step.usage.items()} for step in outcome.steps]


def test_steps_are_counted_apart() -> None:
    actions: list[Action] = [Turn(id="t", content="c"), UserStimulus(content="q"), UserStimulus(content="q")]
    assert _tokens(actions) == [{"memory": 100}, {"agent": 11, "embedding": 1_000}, {"agent": 11, "embedding": 1_000}]


def test_what_a_listening_agent_says_it_used_counts() -> None:
    assert _tokens([Turn(id="t", content="c")], listener="agent") == [{"agent": 2}]


def test_a_step_that_fails_keeps_what_was_used() -> None:
    assert _tokens([UserStimulus(content="fail"), UserStimulus(content="never")]) == [{"agent": 10, "embedding": 1_000}]


@pytest.mark.parametrize(
    ("kind", "used"), [("none", {}), ("correctness", {"judge": 10_000}), ("gold", {"judge": 10_000})]
)
def test_feedback_asks_evaluators_only_where_it_needs_them(kind: Any, used: dict[str, int]) -> None:
    assert _tokens([UserStimulus(content="q"), Feedback(of_step=0, kind=kind)])[1] == used


def test_what_was_said_before_is_not_counted_again() -> None:
    before: UsageByRole = {"memory": Usage(calls=2, input_tokens=5, cost_usd=1.0)}
    with call_scope() as scope:
        said = note_usage({"memory": Usage(calls=3, input_tokens=9, cost_usd=1.5)}, counted=before)
        assert scope.usage == {"memory": Usage(calls=1, input_tokens=4, cost_usd=0.5)}
        assert said["memory"].calls == 3
    with call_scope() as scope:
        note_usage({"memory": Usage(calls=3, cost_usd=None), "agent": Usage(calls=1)}, counted=before)
        assert scope.usage == {"memory": Usage(calls=1, cost_usd=None), "agent": Usage(calls=1)}
    with pytest.raises(ValueError, match="nobody"):
        note_usage({"nobody": Usage()})
