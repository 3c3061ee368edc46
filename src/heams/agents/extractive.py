"""An agent without a model: it answers with the best span of what the memory recalled, or says "Not mentioned".

It is an honest baseline. Whatever it scores comes from the memory's recall and from general rules about English
questions and texts (see `heams.agents.extraction`), so two memory systems can be compared without a key, a network or
chance: the same items always give the same answer.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from heams.agents.base import Agent, AgentReply, AgentScope, AgentSession, MemoryPort, Stimulus


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
        """A session; it keeps nothing from one question to the next."""
        return _ExtractiveSession(self.config)


class _ExtractiveSession(AgentSession):
    def __init__(self, config: ExtractiveAgentConfig) -> None:
        self._config = config

    async def respond(self, stimulus: Stimulus, memory: MemoryPort) -> AgentReply:
        """Recall with the bare question, and answer."""
        from heams.agents.extraction.answering import answer

        items = await memory.recall(stimulus.query, limit=self._config.recall_limit)
        found = answer(stimulus, items, ranked=memory.capabilities.ranked, config=self._config)
        return AgentReply(text=found or self._config.not_mentioned)
