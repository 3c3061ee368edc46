"""What a graph is called in the stores: tables and vector collections."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields

from heta_framework.common.stores.fields import required_text

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True)
class GraphTableNames:
    """The logical names of a graph's SQL tables.

    Attributes:
        evidence: which chunks state which facts.
        passages: the chunks themselves.
        synonyms: pairs of entities whose names mean nearly the same.
    """

    entities: str = "entities"
    relations: str = "relations"
    evidence: str = "graph_evidence"
    passages: str = "graph_passages"
    synonyms: str = "graph_synonyms"

    def __post_init__(self) -> None:
        for field in fields(self):
            if not _IDENTIFIER.fullmatch(getattr(self, field.name)):
                raise ValueError(f"table_names.{field.name} must be a valid SQL identifier")
        if len(set(self)) != len(fields(self)):
            raise ValueError(f"table_names must differ from each other, found {', '.join(self)}")

    def __iter__(self) -> Iterator[str]:
        return (getattr(self, field.name) for field in fields(self))


@dataclass(frozen=True)
class GraphVectorCollections:
    """The logical names of a graph's vector collections.

    Attributes:
        names: the names of entities alone, by which synonyms are found.
    """

    entities: str = "graph_entities"
    relations: str = "graph_relations"
    names: str = "graph_names"

    def __post_init__(self) -> None:
        for field in fields(self):
            required_text(f"vector_collections.{field.name}", getattr(self, field.name))
        names = [getattr(self, field.name) for field in fields(self)]
        if len(set(names)) != len(names):
            raise ValueError(f"vector_collections must differ from each other, found {', '.join(names)}")
