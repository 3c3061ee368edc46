"""Which facts a demand to forget is about: by events, by words, else by what the model takes it to mean."""

from collections.abc import Sequence
from dataclasses import dataclass

from heams.memory.base import ForgetDemand, ForgetReceipt, RecalledItem
from heams.memory.facts.config import FactsMemoryConfig
from heams.memory.facts.reply import FactsToForget
from heams.memory.facts.store import FactStore
from heams.memory.listening.asking import Asked, usable_reply
from heams.memory.listening.event_lines import shown_items, shown_text
from heta_framework.common.models.language.protocol import LanguageModelProtocol
from heta_framework.common.text.prompt_template import fill

_MOST_NAMED = 20


@dataclass(frozen=True, slots=True)
class Forgotten:
    """Facts that go, and how they were found."""

    facts: Sequence[RecalledItem]
    how: str

    def receipt(self, demand: ForgetDemand) -> ForgetReceipt:
        """What the memory says about it. Facts that came from further events are gone too, so these are named."""
        note = f"{len(self.facts)} fact{'' if len(self.facts) == 1 else 's'} {self.how} removed"
        behind = dict.fromkeys(event_id for fact in self.facts for event_id in fact.event_ids)
        others = [event_id for event_id in behind if event_id not in demand.event_ids]
        if demand.event_ids and others:
            more = f" and {len(others) - _MOST_NAMED} more" if len(others) > _MOST_NAMED else ""
            note += f"; also behind what was removed: {', '.join(others[:_MOST_NAMED])}{more}"
        return ForgetReceipt(removed=tuple(fact.id for fact in self.facts), note=note)


async def facts_to_forget(
    demand: ForgetDemand, facts: FactStore, config: FactsMemoryConfig, model: LanguageModelProtocol
) -> Forgotten:
    """The facts that ``demand`` is about. Only where no fact contains its words, the model chooses among related ones.

    Raises:
        UnusableReply: the model gave no numbers.
        ModelRequestError, ModelResponseError, CostLimitReached, ReplayMiss: see ``LanguageModelProtocol.invoke``.
    """
    found = facts.about(demand)
    if demand.event_ids:
        return Forgotten(found, "from the named events")
    related = [] if found or not demand.content.strip() else facts.related([demand.content], config.related_facts)
    if not related:
        return Forgotten(found, "with these words")
    return Forgotten(
        await _chosen(demand, related, config, model), f"of the {len(related)} that the model was asked about"
    )


async def _chosen(
    demand: ForgetDemand, related: Sequence[RecalledItem], config: FactsMemoryConfig, model: LanguageModelProtocol
) -> Sequence[RecalledItem]:
    prompt = fill(
        config.forget_prompt, demand=shown_text("demand", demand.content), facts=shown_items("facts", related)
    )

    def chosen(reply: FactsToForget) -> Sequence[RecalledItem]:
        return [related[number - 1] for number in dict.fromkeys(reply.numbers) if 1 <= number <= len(related)]

    return await usable_reply(
        model, Asked(config.forget_policy, prompt), FactsToForget, chosen, attempts=config.attempts
    )
