"""Facts of the types that a schema lists."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from heta_framework.kb.errors import StepError
from heta_framework.kb.graphing.fact_packs import Fact
from heta_framework.kb.graphing.names import normalised_name


class TypeLists:
    """The lists ``entity_types`` and ``relation_types`` of a schema; one that is not there lets everything pass."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        """Read the lists.

        Raises:
            StepError: there is neither.
        """
        self._entities = _types(schema.get("entity_types"))
        self._relations = _types(schema.get("relation_types"))
        if self._entities is None and self._relations is None:
            raise StepError(
                "a schema without the lists entity_types or relation_types can only be read by a language model, and "
                f"the recipe has none; the schema has: {', '.join(map(str, schema))}"
            )

    def entities(self, facts: list[Fact]) -> list[Fact]:
        """Those of a listed type or subtype."""
        return [fact for fact in facts if _listed(self._entities, fact["type"], fact["subtype"])]

    def relations(self, facts: list[Fact]) -> list[Fact]:
        """Those of a listed type or name."""
        return [fact for fact in facts if _listed(self._relations, fact["type"], fact["name"])]


def _types(listed: object) -> set[str] | None:
    """A list of names, of objects with a name, or a mapping from names."""
    if not isinstance(listed, list | tuple | set | frozenset | Mapping):
        return None
    named = (one.get("name") if isinstance(one, Mapping) else one for one in listed)
    return {_plain(one) for one in named if isinstance(one, str)}


def _listed(types: set[str] | None, *candidates: str | None) -> bool:
    return types is None or any(_plain(one) in types for one in candidates if one)


def _plain(name: str) -> str:
    return normalised_name(name.replace("_", " "))
