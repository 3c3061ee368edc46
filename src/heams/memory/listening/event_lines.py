"""Events as a model is shown them: numbered lines of data between fences, so that none can pass for another.

The fences are those of the judge (see ``heta_framework.common.judge.fencing``): their code is a hash of what stands
between them, so no event can contain the end of its own fence.
"""

from collections.abc import Sequence

from heams.memory.base import MemoryEvent, MemoryItem
from heams.scenarios.clock import Instant, shown_time

_INDENT = "\n    "


def shown_events(events: Sequence[MemoryEvent]) -> str:
    """``[3 | Monday 2023-05-08 13:56 UTC] Ada: ...``, numbered from 1, between fences."""
    return _fenced("events", [_numbered(number, _spoken(event), event.at) for number, event in enumerate(events, 1)])


def shown_items(name: str, items: Sequence[MemoryItem]) -> str:
    """``[3 | Monday 2023-05-08 13:56 UTC] ...``, numbered from 1, between fences that carry ``name``."""
    return _fenced(name, [_numbered(number, item.text, item.at) for number, item in enumerate(items, 1)])


def shown_text(name: str, text: str) -> str:
    """Any text between fences that carry ``name``."""
    return _fenced(name, [text])


def _spoken(event: MemoryEvent) -> str:
    """Documents and notes as well: a model must know who brought them."""
    return f"{' '.join(event.speaker.split())}: {event.content}"


def _numbered(number: int, text: str, at: Instant | None) -> str:
    """Further lines are indented."""
    mark = f"[{number}]" if at is None else f"[{number} | {shown_time(at)}]"
    return f"{mark} {_INDENT.join(text.splitlines())}"


def _fenced(name: str, lines: Sequence[str]) -> str:
    from heta_framework.common.judge.fencing import fence_code, fenced

    text = "\n".join(lines) or "(none)"
    return fenced(name, text, fence_code({name: text}))
