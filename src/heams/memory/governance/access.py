"""Which items a principal may see."""

from collections.abc import Callable, Mapping, Sequence

from heams.memory.base import MemoryItem
from heams.memory.governance.ledger import Entry, Ledger
from heams.memory.governance.policy import AccessPolicy

_ANYBODY = "*"


def visible(items: Sequence[MemoryItem], principal: str, policy: AccessPolicy, ledger: Ledger) -> list[bool]:
    """For each item, whether the principal may see it: every event that it came from must be open to them.

    What was made from others is open where all of them are, and what they were made from. What a principal said
    themselves is, by ``own``, whatever it was made from. An item of unknown origin is open to nobody.
    """
    role = ledger.role_of(principal)
    opened = {*policy.roles.get(role or "", ()), *policy.everybody}

    def is_own(entry: Entry) -> bool:
        return policy.own and entry.speaker == principal

    def is_heard(entry: Entry) -> bool:
        if entry.audience:
            return principal in entry.audience or role in entry.audience
        return _ANYBODY in opened or ledger.role_of(entry.speaker) in opened

    known: dict[str, bool] = {}
    for item in items:
        for event_id in item.event_ids:
            _decide(event_id, known, ledger.entries, is_own, is_heard)
    return [bool(item.event_ids) and all(known[event_id] for event_id in item.event_ids) for item in items]


def _decide(
    event_id: str,
    known: dict[str, bool],
    entries: Mapping[str, Entry],
    is_own: Callable[[Entry], bool],
    is_heard: Callable[[Entry], bool],
) -> None:
    """Enter into ``known`` whether the event, and all that it was made from, is open; each event is looked at once.

    Nothing is made from itself: events that are, by whatever way, are not open.
    """
    entered: set[str] = set()
    path = [event_id]
    while path:
        current = path[-1]
        entry = entries.get(current)
        if current not in known and (entry is None or is_own(entry) or not is_heard(entry)):
            known[current] = entry is not None and is_own(entry)
        if current in known or entry is None:
            path.pop()
            continue
        waiting = [source for source in entry.sources if source not in known]
        if not waiting or current in entered:
            known[current] = not waiting and all(known[source] for source in entry.sources)
        else:
            entered.add(current)
            path += waiting
