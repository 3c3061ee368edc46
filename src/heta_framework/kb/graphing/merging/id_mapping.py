"""What became of facts when they were merged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from heta_framework.kb.graphing.fact_packs import Fact
from heta_framework.kb.graphing.merging.joining import member_ids


class IdMapping:
    """Which merged fact each extracted one became.

    It is no ``Mapping``, so that it is not written into the run record: with a large graph it is long.
    """

    def __init__(self, ids: Mapping[str, str], names: Mapping[str, str] | None = None) -> None:
        """Hold a mapping.

        Args:
            ids: from the ids before to those after.
            names: of the facts after, by id; None where they are not known.
        """
        self._ids = dict(ids)
        self._names = None if names is None else dict(names)

    @classmethod
    def of(cls, merged: Iterable[Fact], id_field: str) -> IdMapping:
        """From merged facts."""
        ids: dict[str, str] = {}
        names: dict[str, str] = {}
        for fact in merged:
            merged_id: str = fact[id_field]
            ids.update((member, merged_id) for member in member_ids(fact, id_field))
            names[merged_id] = fact["name"]
        return cls(ids, names)

    @classmethod
    def between(cls, before: Iterable[Fact], after: Iterable[Fact], id_field: str) -> IdMapping:
        """From merged facts that were merged once more: from the ids that they had between as well."""
        mapping = cls.of(after, id_field)
        for fact in before:
            mapping._ids.setdefault(fact[id_field], mapping._ids[member_ids(fact, id_field)[0]])
        return mapping

    @classmethod
    def of_artifact(cls, value: IdMapping | Mapping[str, str]) -> IdMapping:
        """From an artifact, which may be a caller's own mapping."""
        return value if isinstance(value, IdMapping) else cls(value)

    def __getitem__(self, fact_id: str) -> str:
        return self._ids[fact_id]

    def __len__(self) -> int:
        return len(self._ids)

    def __contains__(self, fact_id: object) -> bool:
        return fact_id in self._ids

    def get(self, fact_id: str, default: Any = None) -> Any:
        """The id after, or the default."""
        return self._ids.get(fact_id, default)

    def end(self, entity_id: str, name: str) -> tuple[str, str] | None:
        """Id and name of what an entity became; None where it is not there any more.

        Args:
            name: what it is called where the mapping does not know.
        """
        after = self._ids.get(entity_id, entity_id)
        if self._names is None:
            return after, name
        return (after, self._names[after]) if after in self._names else None

    def to_dict(self) -> dict[str, str]:
        """All of it."""
        return dict(self._ids)
