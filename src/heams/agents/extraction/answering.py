"""From a question and recalled items to an answer, or to none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from heams.agents.base import Stimulus
from heams.agents.extraction.amounts import amount
from heams.agents.extraction.lists import best_of, listed
from heams.agents.extraction.question import Kind, Question, read_question
from heams.agents.extraction.ranking import Evidence, Ranking, rank
from heams.agents.extraction.timing import time_of
from heams.agents.extraction.verdicts import alternatives, chosen, declines, options, yes_or_no
from heams.memory.base import RecalledItem

if TYPE_CHECKING:
    from heams.agents.extractive import ExtractiveAgentConfig


def answer(
    stimulus: Stimulus, items: Sequence[RecalledItem], *, ranked: bool, config: ExtractiveAgentConfig
) -> str | None:
    """The answer to a stimulus, or one of the options that it offers; None when the items do not tell.

    ``ranked`` says that the order of ``items`` means relevance, not time.
    """
    question = read_question(stimulus.query, stimulus.at.date() if stimulus.at else None)
    ranking = rank(question, items, ranked=ranked, asker=stimulus.principal)
    told = _tells(ranking, config)
    offered = options(stimulus.content)
    if offered:
        return _option(offered, ranking.evidence if told else (), config)
    if not told:
        return None
    text = _typed(question, ranking.evidence) or _open(question, ranking.evidence, config)
    return " ".join(text.split()) if text else None


def _tells(ranking: Ranking, config: ExtractiveAgentConfig) -> bool:
    best = ranking.evidence[0].score if ranking.evidence else 0.0
    return best > config.min_evidence and ranking.attribution >= config.min_attribution


def _option(offered: Sequence[str], evidence: Sequence[Evidence], config: ExtractiveAgentConfig) -> str:
    declining = [text for text in offered if declines(text)]
    telling = [text for text in offered if not declines(text)]
    found = chosen(telling, evidence, config.min_evidence if declining else 0.0)
    return found or next(iter(declining), offered[0])


def _typed(question: Question, evidence: Sequence[Evidence]) -> str | None:
    """The answer to a question that asks for a time, an amount or a choice."""
    if " or " in question.text:
        found = chosen(alternatives(question.text), evidence)
        if found:
            return found
    match question.kind:
        case Kind.WHEN:
            return time_of(question, evidence)
        case Kind.YES_NO:
            return yes_or_no(evidence)
        case Kind.HOW_LONG | Kind.HOW_OFTEN | Kind.HOW_MANY | Kind.HOW_MUCH:
            return amount(question, evidence)
        case _:
            return None


def _open(question: Question, evidence: Sequence[Evidence], config: ExtractiveAgentConfig) -> str | None:
    if question.plural:
        return listed(question, evidence, longest=config.max_answer_words, most=config.max_list_items)
    return best_of(question, evidence, longest=config.max_answer_words)
