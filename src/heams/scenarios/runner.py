"""Plays one scenario: hands each action to agent and memory, and writes down what came of it."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from heams.agents.base import AgentSession, FeedbackMessage, Stimulus
from heams.evaluation.base import BaseEvaluator
from heams.evaluation.markers import expected_answers
from heams.evaluation.records import EvaluationRecord
from heams.memory.base import ForgetDemand, Memory, MemoryEvent, UnsupportedOperation
from heams.scenarios import actions
from heams.scenarios.clock import Instant
from heams.scenarios.hearing import document_event, turn_event
from heams.scenarios.memory_watch import MemoryWatch
from heams.scenarios.outcome import ScenarioOutcome, Step
from heams.scenarios.port import RecordingPort
from heams.scenarios.usage import note_usage
from heams.scenarios.waiting import TimeSpent
from heta_framework.common.models.calls.scope import CallScope, call_scope


class ScenarioPlayer:
    """One scenario with one agent session and one memory.

    ``listener`` says who hears events: ``memory`` (direct ingestion), or ``agent`` (it decides what to save, or owns
    its memory). ``agent_owns_memory`` routes forget, inspect and clock to the agent. ``outcome`` is filled step by
    step, so that a failed scenario keeps what it got done. ``scopes`` are those of the model calls, one a step.
    ``watch`` watches the memory, which is then under it already (see ``heams.scenarios.watched``).
    """

    def __init__(
        self,
        outcome: ScenarioOutcome,
        *,
        session: AgentSession,
        memory: Memory,
        port: RecordingPort,
        listener: str = "memory",
        agent_owns_memory: bool = False,
        evaluators: Sequence[BaseEvaluator] = (),
        watch: MemoryWatch | None = None,
    ) -> None:
        self.outcome = outcome
        self._session = session
        self._memory = memory
        self._port = port
        self._listener = listener
        self._agent_owns_memory = agent_owns_memory
        self._evaluators = evaluators
        self._watch = watch
        self.scopes: list[CallScope] = []
        self._principal = actions.DEFAULT_PRINCIPAL
        self._handlers: dict[str, Callable[[Step], Awaitable[None]]] = {
            "user_stimulus": self._stimulus,
            "turn": self._turn,
            "document_ingestion": self._document,
            "session_boundary": self._boundary,
            "clock_advance": self._clock,
            "principal_switch": self._switch,
            "forget_request": self._forget,
            "memory_inspection": self._inspect,
            "feedback": self._feedback,
            "shared_history": self._history,
        }

    async def play(self, now: Instant | None = None) -> ScenarioOutcome:
        """Play all actions; an exception of agent or memory ends the scenario and is raised on."""
        self._port.now = now
        for index, action in enumerate(self.outcome.scenario.actions):
            step = Step(index=index, action=action)
            self.outcome.steps.append(step)
            await self._play(step)
            if self._watch is not None:
                step.memory_change = await self._watch.change()
        return self.outcome

    async def _play(self, step: Step) -> None:
        time = TimeSpent()
        self._port.begin_step()
        with call_scope() as scope:
            self.scopes.append(scope)
            try:
                with time:
                    await self._handlers[step.action.type](step)
            except UnsupportedOperation as refusal:
                step.status, step.note = "unsupported", str(refusal)
            except BaseException:
                step.status = "error"
                step.memory_change = self._watch.unseen("the step failed") if self._watch is not None else None
                raise
            finally:
                step.seconds, step.waited = time.worked, time.waited
                step.recalls, step.writes = self._port.recalls, self._port.writes
                step.at, step.principal = self._port.now, self._port.principal
                step.usage = scope.usage

    async def _stimulus(self, step: Step) -> None:
        action = step.action
        assert isinstance(action, actions.UserStimulus)  # noqa: S101 - narrows the type for the checker
        self._speaks(action)
        if action.at is not None:
            self._port.now = action.at
        if self._port.capabilities.needs_gold:
            evidence = action.step_evaluation_markers.get("evidence") or ()
            await self._memory.reveal_gold([str(event_id) for event_id in evidence])  # type: ignore[union-attr]
        stimulus = Stimulus(
            content=action.content,
            query=action.recall_query or action.content,
            principal=self._port.principal,
            at=self._port.now,
        )
        reply = await self._session.respond(stimulus, self._port)
        step.reply, step.reply_metadata, step.tool_calls = reply.text, reply.metadata, reply.tool_calls
        note_usage(reply.usage)
        if action.remember:
            await self._remember(step, action.content, reply.text)

    async def _remember(self, step: Step, question: str, answer: str) -> None:
        prefix = f"{self.outcome.scenario.id}/step-{step.index}"
        said = {"kind": "turn", "at": self._port.now, "principal": self._port.principal}
        for role, content in (("user", question), ("assistant", answer)):
            speaker = self._port.principal if role == "user" else "assistant"
            event = MemoryEvent.model_validate(
                {**said, "id": f"{prefix}/{role}", "content": content, "role": role, "speaker": speaker}
            )
            await self._hear(event)

    async def _turn(self, step: Step) -> None:
        assert isinstance(step.action, actions.Turn)  # noqa: S101
        await self._hear(turn_event(step.action, self._port.now))

    async def _document(self, step: Step) -> None:
        assert isinstance(step.action, actions.DocumentIngestion)  # noqa: S101
        self._speaks(step.action)
        await self._hear(document_event(step.action, self._port.principal, self._port.now))

    async def _hear(self, event: MemoryEvent) -> None:
        if event.at is not None:
            self._port.now = event.at
        if self._listener == "memory":
            await self._memory.write(event)
        else:
            self._port.sources = event.provenance
            note_usage(await self._session.hear(event, self._port))

    async def _boundary(self, step: Step) -> None:
        assert isinstance(step.action, actions.SessionBoundary)  # noqa: S101
        if step.action.at is not None:
            await self._advance_to(step.action.at)
        await self._session.begin_session(step.action.session_id)

    async def _clock(self, step: Step) -> None:
        assert isinstance(step.action, actions.ClockAdvance)  # noqa: S101
        await self._advance_to(step.action.to)

    async def _advance_to(self, now: Instant) -> None:
        self._port.now = now
        if not self._agent_owns_memory:
            await self._memory.advance(now)
        await self._session.advance(now)

    async def _switch(self, step: Step) -> None:
        assert isinstance(step.action, actions.PrincipalSwitch)  # noqa: S101
        self._principal = self._port.principal = step.action.principal

    async def _forget(self, step: Step) -> None:
        action = step.action
        assert isinstance(action, actions.ForgetRequest)  # noqa: S101
        self._speaks(action)
        demand = ForgetDemand(
            content=action.content, event_ids=action.event_ids, principal=self._port.principal, at=self._port.now
        )
        forgetter = self._session if self._agent_owns_memory else self._memory
        step.receipt = await forgetter.forget(demand)

    async def _inspect(self, step: Step) -> None:
        step.dump = await (self._session if self._agent_owns_memory else self._memory).dump()

    async def _feedback(self, step: Step) -> None:
        action = step.action
        assert isinstance(action, actions.Feedback)  # noqa: S101
        message = FeedbackMessage(of_step=action.of_step, kind=action.kind)
        judged = await self._judged(action.of_step) if action.kind != "none" else []
        if judged:
            # a verdict of yes or no, where there is one: what retrieval finds does not say whether an answer is right
            verdict = next((record for record in judged if record.passed is not None), judged[0])
            gold = self._gold(verdict) if action.kind == "gold" else None
            message = message.model_copy(update={"correct": _correct(verdict), "expected": gold})
        await self._session.feedback(message, self._port)

    def _gold(self, verdict: EvaluationRecord) -> str | None:
        """The expected answer; never what an evaluator of something else expects, such as the ids of evidence."""
        answers = expected_answers(self.outcome.scenario.markers(verdict.step_index or 0))
        return " | ".join(answers) or (verdict.expected if verdict.passed is not None else None)

    async def _judged(self, index: int) -> list[EvaluationRecord]:
        """The verdicts on one answer. Evaluators are shown no other, or each would be judged with every feedback."""
        steps = [
            replace(step, reply=None) if step.index != index and step.action.type == "user_stimulus" else step
            for step in self.outcome.steps
        ]
        alone = replace(self.outcome, steps=steps)
        records = [record for evaluator in self._evaluators for record in await evaluator.evaluate(alone)]
        return [record for record in records if record.step_index == index]

    async def _history(self, step: Step) -> None:
        raise UnsupportedOperation(
            "a shared history belongs to the sample's 'history', not into its execution sequence"
        )

    def _speaks(self, action: actions.UserStimulus | actions.DocumentIngestion | actions.ForgetRequest) -> None:
        named = "principal" in action.model_fields_set
        self._port.principal = action.principal if named else self._principal


def _correct(record: EvaluationRecord) -> bool | None:
    """None where the verdict is no verdict: nobody is told that he was wrong because a judge said nothing."""
    if record.outcome != "scored":
        return None
    return record.passed if record.passed is not None else record.value == 1.0
