"""What a batch of events changes in the facts, by the word of a model."""

from collections.abc import Sequence

from heams.memory.base import MemoryEvent
from heams.memory.facts.config import FactsMemoryConfig
from heams.memory.facts.reply import Extraction
from heams.memory.facts.revision import Revision, revise
from heams.memory.facts.store import FactStore
from heams.memory.listening.asking import Asked, Unusable, usable_reply
from heams.memory.listening.event_lines import shown_events, shown_items
from heams.scenarios.clock import Instant, shown_time
from heta_framework.common.models.language.protocol import LanguageModelProtocol
from heta_framework.common.text.prompt_template import fill


async def extract(
    batch: Sequence[MemoryEvent],
    now: Instant | None,
    facts: FactStore,
    config: FactsMemoryConfig,
    model: LanguageModelProtocol,
) -> Revision:
    """One call of the model, shown the batch and the facts closest to it.

    Raises:
        UnusableReply: no reply follows the schema, or none of its operations is allowed.
        ModelRequestError, ModelResponseError, CostLimitReached, ReplayMiss: see ``LanguageModelProtocol.invoke``.
    """
    shown = facts.related([f"{event.speaker}: {event.content}" for event in batch], config.related_facts)
    prompt = fill(
        config.extract_prompt,
        events=shown_events(batch),
        facts=shown_items("known facts", shown),
        now=shown_time(now),
    )

    def revision(reply: Extraction) -> Revision:
        made = revise(reply.operations, batch, shown, facts.facts(), next_number=facts.next_number)
        if reply.operations and made.rejected == len(reply.operations):
            raise Unusable("has no operation that fits the events and facts that were shown")
        return made

    return await usable_reply(
        model, Asked(config.extract_policy, prompt), Extraction, revision, attempts=config.attempts
    )
