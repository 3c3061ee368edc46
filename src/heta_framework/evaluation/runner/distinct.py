"""Ids that must be unique, collected in one pass; all that come twice are named together."""

from __future__ import annotations

from collections.abc import Iterable

_NAMED = 20


class DistinctIds:
    """Ids by position and positions by id, in the order in which they came."""

    def __init__(self, what: str, ids: Iterable[str] = ()) -> None:
        """``what`` is the field's name, e.g. ``case_id``."""
        self._what = what
        self._positions: dict[str, int] = {}
        self._ids: list[str] = []
        self._twice: dict[str, None] = {}
        for one in ids:
            self.add(one)

    def add(self, one: str) -> None:
        """Take in the next id."""
        if one in self._positions:
            self._twice[one] = None
        else:
            self._positions[one] = len(self._ids)
            self._ids.append(one)

    def require_distinct(self) -> None:
        """ValueError with the ids that came more than once."""
        if self._twice:
            raise ValueError(f"benchmark produced duplicate {self._what} values: {listed(sorted(self._twice))}")

    def unknown(self, wanted: tuple[str, ...]) -> list[str]:
        """Those of the ids that did not come, in their order."""
        return [one for one in wanted if one not in self._positions]

    def position(self, one: str) -> int:
        """Where an id came."""
        return self._positions[one]

    def at(self, position: int) -> str:
        """The id that came there."""
        return self._ids[position]

    def __contains__(self, one: object) -> bool:
        return one in self._positions

    def __len__(self) -> int:
        return len(self._ids)


def listed(ids: list[str]) -> str:
    """The ids as a list for a message; of very many, the first and how many more."""
    more = f" and {len(ids) - _NAMED} more" if len(ids) > _NAMED else ""
    return f"{ids[:_NAMED]}{more}"
