"""What there is to know of a kind of facts to have a model merge them, and what both kinds read alike in its reply."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from heta_framework.kb.graphing.asking import Reply, records_of
from heta_framework.kb.graphing.fact_packs import Fact


@dataclass(frozen=True)
class Merge:
    """What a model wants merged.

    Attributes:
        members: positions in what it was shown, at least two, ascending.
        said: the fields of the merged fact, in its words; empty where it gave none.
    """

    members: tuple[int, ...]
    said: Mapping[str, Any]


class FactKind(Protocol):
    """Entities or relations."""

    prompt: str
    reply_keys: tuple[str, ...]
    id_field: str

    def index_text(self, fact: Fact) -> str:
        """What is embedded."""
        ...

    def listing(self, fact: Fact) -> dict[str, Any]:
        """What the model sees."""
        ...

    def groups(self, facts: Sequence[Fact]) -> list[list[int]] | None:
        """Which facts may be one at all; None: any."""
        ...

    def read(self, reply: Reply, facts: Sequence[Fact]) -> list[Merge]:
        """What the reply wants merged; UnusableReplyError where it is none."""
        ...

    def joined(self, members: Sequence[Fact], said: Mapping[str, Any]) -> Fact:
        """The merged fact, under the id of the member with most evidence."""
        ...


def leading(members: Sequence[Fact]) -> Fact:
    """The member with most evidence, of equals the first."""
    return max(members, key=lambda fact: len(fact["source_chunk_ids"]))


def mapping_of(reply: Reply) -> dict[str, list[str]]:
    """``mapping_table`` of a reply; the best name counts among what it replaces."""
    table = reply.get("mapping_table")
    if not isinstance(table, Mapping):
        return {}
    return {
        str(best): [str(best), *(name for name in names if isinstance(name, str))]
        for best, names in table.items()
        if isinstance(names, list)
    }


def disjoint(merges: Sequence[Merge]) -> list[Merge]:
    """Without those that want a member of an earlier one."""
    taken: set[int] = set()
    kept: list[Merge] = []
    for merge in merges:
        if taken.isdisjoint(merge.members):
            taken.update(merge.members)
            kept.append(merge)
    return kept


def entries_of(reply: Reply, key: str) -> list[Mapping[str, Any]]:
    """The merged entries of a reply; UnusableReplyError where they are no list."""
    return records_of(reply, key) if key in reply else []


def positions_of(names: Iterable[Iterable[str]]) -> dict[str, list[int]]:
    """By name, the positions at which it is one of the names."""
    found: dict[str, list[int]] = {}
    for row, alternatives in enumerate(names):
        for name in dict.fromkeys(alternatives):
            found.setdefault(name, []).append(row)
    return found
