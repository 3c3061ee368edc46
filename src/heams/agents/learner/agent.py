"""The ``learner`` agent: solves problems from what it remembers, and remembers what it is told about its answers.

It is an honest baseline for streams of problems. It has no model and knows nothing but the four basic arithmetical
operations. What it learns stands in the memory and nowhere else, so without a memory it never improves, and with one it
improves as far as the memory hands over the lessons that matter.
"""

from dataclasses import dataclass

from heams.agents.base import Agent, AgentReply, AgentScope, AgentSession, FeedbackMessage, MemoryPort, Stimulus
from heams.agents.learner.config import LearnerAgentConfig
from heams.agents.learner.lessons import Lesson, lessons_in, squeezed
from heta_framework.common.text.prompt_template import fill


class LearnerAgent(Agent):
    """Answers, and learns from feedback."""

    config: LearnerAgentConfig

    async def open(self, scope: AgentScope) -> AgentSession:
        """A session; it keeps the last question until it is told how that went."""
        return _LearnerSession(self.config)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A problem that was put, the answer that was given, and what was known of it before."""

    problem: str
    answer: str | None
    known: frozenset[Lesson]


class _LearnerSession(AgentSession):
    def __init__(self, config: LearnerAgentConfig) -> None:
        self._config = config
        self._asked: _Asked | None = None

    async def respond(self, stimulus: Stimulus, memory: MemoryPort) -> AgentReply:
        """Recall lessons with the bare problem, and solve it by them."""
        from heams.agents.learner.solving import solve

        problem = squeezed(stimulus.query)
        items = await memory.recall(stimulus.query, limit=self._config.recall_limit)
        lessons = lessons_in(item.text for item in items)
        found = solve(problem, lessons, self._config)
        self._asked = _Asked(problem, found.answer, frozenset(lessons))
        text = self._config.unknown if found.answer is None else fill(self._config.answer, answer=found.answer)
        return AgentReply(text=text, metadata={"way": found.way, "calculation": found.calculation})

    async def feedback(self, message: FeedbackMessage, memory: MemoryPort) -> None:
        """Write down what it says about the last answer, unless that was remembered already."""
        lesson = _lesson(self._asked, message) if self._asked is not None else None
        if self._asked is not None and lesson is not None and lesson not in self._asked.known:
            await memory.write(lesson.note)

    async def begin_session(self, session_id: str) -> None:
        """Drop the last question."""
        self._asked = None


def _lesson(asked: _Asked, message: FeedbackMessage) -> Lesson | None:
    if message.expected is not None:
        return Lesson(asked.problem, squeezed(message.expected))
    if message.correct is None or asked.answer is None:
        return None
    return Lesson(asked.problem, asked.answer, right=message.correct)
