"""What a tool returns to the model: one remembered item a line, as JSON, so that no item can pass for another."""

import json
from collections.abc import Sequence
from typing import NamedTuple

from heams.memory.base import MemoryItem
from heams.scenarios.clock import shown_time
from heta_framework.common.text.surrogates import replace_surrogates
from heta_framework.common.text.tokens import count_tokens, truncate_to_tokens

CUT = " ... (cut)"


class Rendered(NamedTuple):
    """A text for the model, and whether something did not fit into it."""

    text: str
    cut: bool = False


def render_items(items: Sequence[MemoryItem], limit: int) -> Rendered:
    """Items in order, in at most ``limit`` tokens and a remark on what was left out; the last one may be cut short."""
    lines: list[str] = []
    room = limit
    for position, item in enumerate(items):
        line = item_line(item)
        length = count_tokens(line)
        if length > room:
            lines += [truncate_to_tokens(line, room) + CUT] if not lines else []
            return Rendered("\n".join([*lines, *_left_out(len(items) - max(position, 1))]), cut=True)
        lines.append(line)
        room -= length
    return Rendered("\n".join(lines))


def item_line(item: MemoryItem) -> str:
    """One item: its id, its time and its speaker where known, and its text."""
    fields = {
        "id": item.id,
        "at": shown_time(item.at) if item.at is not None else None,
        "speaker": item.speaker,
        "text": item.text,
    }
    known = {name: value for name, value in fields.items() if value is not None}
    return replace_surrogates(json.dumps(known, ensure_ascii=False, separators=(",", ":")))


def bounded(text: str, limit: int) -> Rendered:
    """Any text in at most ``limit`` tokens and a remark that it was cut."""
    whole = replace_surrogates(text)
    if count_tokens(whole) <= limit:
        return Rendered(whole)
    return Rendered(truncate_to_tokens(whole, limit) + CUT, cut=True)


def _left_out(count: int) -> list[str]:
    return [json.dumps({"not_shown": count}, separators=(",", ":"))] if count > 0 else []
