"""How conversations and questions are put before memory and agent: as events and prompts, without any label."""

import random
from collections.abc import Iterator, Mapping

from heams.benchmarks.locomo.categories import TEMPORAL
from heams.benchmarks.locomo.config import LocomoBenchmarkConfig
from heams.benchmarks.locomo.records import Conversation, DialogueTurn, Question
from heams.scenarios.actions import HistoryEvent, SessionBoundary, SharedHistory, Turn
from heta_framework.common.text.prompt_template import fill


def history_of(conversation: Conversation, *, image_captions: bool) -> SharedHistory:
    """All sessions of a conversation. Both speakers are humans, so every turn has the role ``user``."""
    return SharedHistory(id=conversation.id, events=tuple(_events(conversation, image_captions)))


def options_of(question: Question, config: LocomoBenchmarkConfig) -> Mapping[str, str] | None:
    """The options ``a`` and ``b`` of a question that is asked as a choice; None where it is asked openly.

    The order depends on ``seed`` and the question's id alone.
    """
    if config.adversarial_prompt == "open" or question.trap is None:
        return None
    pair = [config.prompts.abstention, question.trap]
    if random.Random(f"{config.seed}:{question.id}").random() < 0.5:
        pair.reverse()
    return {"a": pair[0], "b": pair[1]}


def prompt_of(question: Question, config: LocomoBenchmarkConfig) -> str:
    """What the agent reads."""
    prompts, options = config.prompts, options_of(question, config)
    if options is not None:
        return fill(prompts.adversarial, question=question.text, **options)
    hinted = question.category == TEMPORAL and config.temporal_prompt == "official"
    text = f"{question.text.rstrip()} {prompts.date_hint}" if hinted else question.text
    return fill(prompts.question, question=text)


def _events(conversation: Conversation, image_captions: bool) -> Iterator[HistoryEvent]:
    for session in conversation.sessions:
        yield SessionBoundary(session_id=session.id, at=session.at)
        for turn in session.turns:
            content = _with_caption(turn) if image_captions else turn.text
            yield Turn(id=turn.id, content=content, speaker=turn.speaker, at=session.at, session_id=session.id)


def _with_caption(turn: DialogueTurn) -> str:
    return f"{turn.text} [shares {turn.caption}]".lstrip() if turn.caption else turn.text
