"""Forgetting in a summary: the last events by id or by words, the summary by having it written anew.

A summary does not know which events it came from. Of named events only words can be taken out of it: those of the
demand, or else those of the events that are still held word for word.
"""

from typing import NamedTuple

from heams.memory.base import ForgetDemand, ForgetReceipt
from heams.memory.forgetting import keys_to_forget
from heams.memory.item_store import ItemStore
from heams.memory.items import remembered
from heams.memory.summary.state import SUMMARY_ID, SummaryState
from heams.memory.summary.writing import SummaryWriter
from heta_framework.common.text.tokens import count_tokens


class _Rewriting(NamedTuple):
    """The state after it, and what can honestly be said of it."""

    state: SummaryState
    note: str


async def forget_in(
    state: SummaryState, demand: ForgetDemand, writer: SummaryWriter
) -> tuple[SummaryState, ForgetReceipt]:
    """The state without what the demand is about, and the receipt. Raises what ``SummaryWriter.without`` raises."""
    gone = _recent_to_forget(state, demand)
    left = state.without(gone)
    rewritten, note = await _rewriting(left, demand, _words_of(state, demand, gone), writer)
    changed = (SUMMARY_ID,) if rewritten.text != state.text else ()
    kept = f"{len(gone)} event{'' if len(gone) == 1 else 's'} held word for word removed; " if state.recent else ""
    return rewritten, ForgetReceipt(removed=(*changed, *gone), note=kept + note)


async def _rewriting(state: SummaryState, demand: ForgetDemand, words: str, writer: SummaryWriter) -> _Rewriting:
    if not state.text:
        return _Rewriting(state, "there is no summary")
    if SUMMARY_ID in demand.event_ids:
        return _Rewriting(state.with_text("", cut=False), "the whole summary removed")
    if not words.strip():
        return _Rewriting(
            state, "the summary stays: it does not know what came from which event, and no words are given"
        )
    taken = await writer.without(state.text, ForgetDemand(content=words))
    if taken.text == state.text:
        return _Rewriting(state, "the summary stays: the model found nothing of it there")
    before, after = count_tokens(state.text), count_tokens(taken.text)
    note = f"the summary went from {before} to {after} tokens: {taken.how}"
    return _Rewriting(state.with_text(taken.text, cut=state.cut or taken.cut), note)


def _recent_to_forget(state: SummaryState, demand: ForgetDemand) -> tuple[str, ...]:
    store = ItemStore()
    store.apply(store.hearing([remembered(event) for event in state.recent]))
    return tuple(store[key].id for key in keys_to_forget(store, demand))


def _words_of(state: SummaryState, demand: ForgetDemand, gone: tuple[str, ...]) -> str:
    said = "\n".join(event.content for event in state.recent if event.id in gone)
    return demand.content if demand.content.strip() else said
