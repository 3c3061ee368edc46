"""An agent without a model: it answers with the best span of what the memory recalled, or says "Not mentioned".

It is an honest baseline. Whatever it scores comes from the memory's recall and from general rules about English
questions and texts (see `heams.agents.extraction`), so two memory systems can be compared without a key, a network or
chance: the same items always give the same answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, Field

from heams.agents.base import Agent, AgentReply, AgentScope, AgentSession, MemoryPort, Stimulus
from heams.memory.base import MemoryItem, RecalledItem, UnsupportedOperation

if TYPE_CHECKING:
    from heams.agents.extraction.about_memory import AboutMemory
    from heams.agents.extraction.ranking import Evidence

_ABOUT_IT = 0.5


class ExtractiveAgentConfig(BaseModel):
    """Answers with the best span of what the memory recalled; no model, deterministic.

    ``recall_limit``: items asked of the memory; None leaves it to the recall budget.
    ``min_evidence``: share (0 to 1) of the question, its words weighed by rarity among the recalled items, that the
    best sentence must speak of; at or below it the agent declines.
    ``min_attribution``: where the question names a speaker, how well that speaker's turns must fit in relation to the
    best of anybody else's; below it the agent declines: what was asked about Ada was told by Ben. 0 turns this off.
    ``max_answer_words``: the longest span; ``max_list_items``: the most spans in an answer to "which books ...".
    ``not_mentioned``: the words with which it declines.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    type: Literal["extractive"] = "extractive"
    recall_limit: int | None = Field(default=None, ge=1)
    min_evidence: float = Field(default=0.1, ge=0, le=1)
    min_attribution: float = Field(default=0.6, ge=0)
    max_answer_words: int = Field(default=8, ge=1)
    max_list_items: int = Field(default=5, ge=1)
    not_mentioned: str = Field(default="Not mentioned", min_length=1)


class ExtractiveAgent(Agent):
    """Answers with what the memory recalled."""

    config: ExtractiveAgentConfig

    async def open(self, scope: AgentScope) -> AgentSession:
        """A session; it keeps only what its last answer rested on, for whoever asks about that."""
        return _ExtractiveSession(self.config)


class _ExtractiveSession(AgentSession):
    def __init__(self, config: ExtractiveAgentConfig) -> None:
        self._config = config
        self._rested_on: Sequence[str] = ()

    async def respond(self, stimulus: Stimulus, memory: MemoryPort) -> AgentReply:
        """Recall with the bare question, and answer."""
        from heams.agents.extraction.about_memory import asks_about_memory

        subject = asks_about_memory(stimulus.query)
        found = await (
            self._answer(stimulus, memory) if subject is None else self._of_memory(subject, stimulus, memory)
        )
        return AgentReply(text=found or self._config.not_mentioned)

    async def _answer(self, stimulus: Stimulus, memory: MemoryPort) -> str | None:
        from heams.agents.extraction.answering import answer

        items = await memory.recall(stimulus.query, limit=self._config.recall_limit)
        found = answer(stimulus, items, ranked=memory.capabilities.ranked, config=self._config)
        self._rested_on = [item.text for item in items] if found else ()
        return found

    async def _of_memory(self, subject: AboutMemory, stimulus: Stimulus, memory: MemoryPort) -> str | None:
        from heams.agents.extraction import about_memory

        if subject is about_memory.AboutMemory.USE:
            return about_memory.listed(self._rested_on)
        if subject is about_memory.AboutMemory.INVENTORY:
            return about_memory.listed(item.text for item in await self._stored(stimulus, memory))
        topic = about_memory.topic_of(stimulus.query)
        items = await memory.recall(topic, limit=self._config.recall_limit)
        best = _best(topic, items, stimulus, ranked=memory.capabilities.ranked)
        if subject is about_memory.AboutMemory.DELETION:
            return about_memory.whether_gone(best)
        return about_memory.who_said(best, items[best.place].speaker if best else None, stimulus.principal)

    async def _stored(self, stimulus: Stimulus, memory: MemoryPort) -> Sequence[MemoryItem]:
        """What is stored, or what is recalled of it where the memory does not show what it stores."""
        try:
            return await memory.items()
        except UnsupportedOperation:
            return await memory.recall(stimulus.query, limit=self._config.recall_limit)


def _best(topic: str, items: Sequence[RecalledItem], stimulus: Stimulus, *, ranked: bool) -> Evidence | None:
    """The sentence that speaks of the topic with at least half of its words, weighed by rarity."""
    from heams.agents.extraction.question import read_question
    from heams.agents.extraction.ranking import rank

    question = read_question(topic, stimulus.at.date() if stimulus.at else None)
    evidence = rank(question, items, ranked=ranked).evidence
    return evidence[0] if evidence and evidence[0].score >= _ABOUT_IT else None
