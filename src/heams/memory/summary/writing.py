"""What the model makes of a summary: with a batch of events in it, shorter, or with something taken out."""

from collections.abc import Sequence
from dataclasses import dataclass

from heams.memory.base import ForgetDemand, MemoryEvent
from heams.memory.forgetting import passages_in, places_without, stand_in
from heams.memory.listening.asking import Asked, Reply, Unusable, UnusableReply, usable_reply
from heams.memory.listening.event_lines import shown_events, shown_text
from heams.memory.summary.config import SummaryMemoryConfig
from heams.memory.summary.length import cut_to_tokens, sentences
from heams.scenarios.clock import Instant, shown_time
from heta_framework.common.models.language.protocol import LanguageModelProtocol
from heta_framework.common.text.prompt_template import fill
from heta_framework.common.text.tokens import count_tokens

VERIFIED = "the model wrote it anew, and the demand's words are gone from it"
UNVERIFIED = "the model wrote it anew; the demand's words never stood in it, so nothing can be verified"
LEFT_IN = "the model left the demand's words in, so the sentences that hold them were taken out"


class WrittenSummary(Reply):
    """A whole new summary."""

    summary: str


@dataclass(frozen=True, slots=True)
class Taken:
    """A summary that something was taken out of, how that is known, and whether its end had to be cut off."""

    text: str
    how: str
    cut: bool = False


class SummaryWriter:
    """Asks the model. All methods raise what ``usable_reply`` raises."""

    def __init__(self, config: SummaryMemoryConfig, model: LanguageModelProtocol) -> None:
        self._config = config
        self._model = model

    async def with_events(self, summary: str, batch: Sequence[MemoryEvent], now: Instant | None) -> str:
        """The summary with the events in it; of any length."""
        prompt = fill(
            self._config.rewrite_prompt,
            summary=shown_text("summary", summary),
            events=shown_events(batch),
            now=shown_time(now),
            max_tokens=str(self._config.max_tokens),
        )

        def rewritten(reply: WrittenSummary) -> str:
            if summary and not reply.summary.strip():
                raise Unusable("throws everything away that was known")
            return reply.summary.strip()

        asked = Asked(self._config.rewrite_policy, prompt)
        return await usable_reply(self._model, asked, WrittenSummary, rewritten, attempts=self._config.attempts)

    async def within_limit(self, summary: str) -> tuple[str, bool]:
        """The summary, shortened by the model where it is too long, and whether it had to be cut all the same."""
        limit = self._config.max_tokens
        if (tokens := count_tokens(summary)) > limit:
            summary = await self._shortened(summary, tokens)
        whole = count_tokens(summary) <= limit
        return (summary, False) if whole else (cut_to_tokens(summary, limit), True)

    async def without(self, summary: str, demand: ForgetDemand) -> Taken:
        """The summary without what the demand is about.

        Words of the demand that stand in the summary are gone for certain: where the model leaves them in, the
        sentences that hold them are taken out.
        """
        prompt = fill(
            self._config.forget_prompt,
            summary=shown_text("summary", summary),
            demand=shown_text("demand", demand.content),
        )

        named = passages_in(summary, demand)

        def rewritten(reply: WrittenSummary) -> str:
            if stand_in(reply.summary, named):
                raise Unusable("still holds the words that were to be forgotten")
            return reply.summary.strip()

        asked = Asked(self._config.forget_policy, prompt)
        try:
            text = await usable_reply(self._model, asked, WrittenSummary, rewritten, attempts=self._config.attempts)
        except UnusableReply:
            if not named:
                raise
            return Taken(_without_sentences(summary, named), LEFT_IN)
        limited = cut_to_tokens(text, self._config.max_tokens)
        return Taken(limited, VERIFIED if named else UNVERIFIED, cut=limited != text)

    async def _shortened(self, summary: str, tokens: int) -> str:
        """The model is asked once; a reply that loses everything counts for nothing."""
        prompt = fill(
            self._config.shorten_prompt,
            summary=shown_text("summary", summary),
            tokens=str(tokens),
            max_tokens=str(self._config.max_tokens),
        )
        result = await self._model.invoke(Asked(self._config.rewrite_policy, prompt).request(WrittenSummary))
        return (result.parsed.summary.strip() if result.parsed else "") or summary


def _without_sentences(summary: str, passages: Sequence[str]) -> str:
    pieces = sentences(summary)
    return "".join(pieces[place] for place in places_without(pieces, passages)).strip()
