"""Which items a principal may see."""

from collections.abc import Sequence

from heams.memory.base import MemoryItem
from heams.memory.governance.ledger import Ledger
from heams.memory.governance.policy import AccessPolicy

_ANYBODY = "*"


def visible(items: Sequence[MemoryItem], principal: str, policy: AccessPolicy, ledger: Ledger) -> list[bool]:
    """For each item, whether the principal may see it: every event that it came from must be open to them.

    An item of unknown origin is open to nobody.
    """
    role = ledger.role_of(principal)
    opened = {*policy.roles.get(role or "", ()), *policy.everybody}

    def is_open(event_id: str, behind: frozenset[str] = frozenset()) -> bool:
        entry = ledger.entries.get(event_id)
        if entry is None or event_id in behind:  # nothing is made from itself
            return False
        if policy.own and entry.speaker == principal:
            return True
        if entry.audience:
            heard = principal in entry.audience or role in entry.audience
        else:
            heard = _ANYBODY in opened or ledger.role_of(entry.speaker) in opened
        return heard and all(is_open(source, behind | {event_id}) for source in entry.sources)

    return [bool(item.event_ids) and all(map(is_open, item.event_ids)) for item in items]
