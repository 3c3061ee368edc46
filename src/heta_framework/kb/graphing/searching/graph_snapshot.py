"""The whole graph in memory, as arrays: what walks and searches by words need, without any text of a document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from anyio import to_thread

from heta_framework.kb.graphing.storing.fact_kinds import ENTITIES, RELATIONS

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from heta_framework.kb.graphing.searching.name_index import NameIndex
    from heta_framework.kb.graphing.storing.graph_reader import GraphReader, Row

    Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class GraphSnapshot:
    """A graph at one time. Numbers are positions in the lists of ids.

    Attributes:
        relation_ends: (relations, 2), the entities of each relation.
        relation_counts: (relations,), by how many passages each is stated.
        mentions: (rows of evidence of entities, 2), entity and passage.
        synonyms: (pairs, 2), with ``similarities`` (pairs,).
    """

    entity_ids: list[str]
    entity_names: list[str]
    relation_ids: list[str]
    relation_names: list[str]
    passage_ids: list[str]
    relation_ends: Numbers
    relation_counts: Numbers
    mentions: Numbers
    synonyms: Numbers
    similarities: npt.NDArray[np.float64]

    @property
    def node_count(self) -> int:
        """Entities and passages."""
        return len(self.entity_ids) + len(self.passage_ids)

    @cached_property
    def entity_positions(self) -> dict[str, int]:
        """Number by id."""
        return {entity_id: number for number, entity_id in enumerate(self.entity_ids)}

    @cached_property
    def relation_positions(self) -> dict[str, int]:
        """Number by id."""
        return {relation_id: number for number, relation_id in enumerate(self.relation_ids)}

    @cached_property
    def passage_positions(self) -> dict[str, int]:
        """Number by id."""
        return {chunk_id: number for number, chunk_id in enumerate(self.passage_ids)}

    @cached_property
    def passages_by_entity(self) -> Numbers:
        """(entities,), in how many passages each stands."""
        import numpy as np

        return np.bincount(self.mentions[:, 0], minlength=len(self.entity_ids))

    @cached_property
    def entity_index(self) -> NameIndex:
        """Entities by the words of their names."""
        from heta_framework.kb.graphing.searching.name_index import NameIndex

        return NameIndex(self.entity_ids, self.entity_names)

    @cached_property
    def relation_index(self) -> NameIndex:
        """Relations by the words of their ends and names."""
        from heta_framework.kb.graphing.searching.name_index import NameIndex

        return NameIndex(self.relation_ids, self.relation_names)


async def read_snapshot(reader: GraphReader) -> GraphSnapshot:
    """Read a graph."""
    entities = await reader.all_entities()
    relations = await reader.all_relations()
    passages = await reader.all_passage_ids()
    rows = {
        "mentions": await reader.all_evidence(ENTITIES),
        "statements": await reader.all_evidence(RELATIONS),
        "synonyms": await reader.all_synonyms(),
    }
    return await to_thread.run_sync(_snapshot, entities, relations, passages, rows)


def _snapshot(
    entities: Sequence[Row], relations: Sequence[Row], passages: list[str], rows: Mapping[str, Sequence[Row]]
) -> GraphSnapshot:
    import numpy as np

    entity = {row["entity_id"]: number for number, row in enumerate(entities)}
    relation = {row["relation_id"]: number for number, row in enumerate(relations)}
    passage = {chunk_id: number for number, chunk_id in enumerate(passages)}
    stated = [relation[row["fact_id"]] for row in rows["statements"] if row["fact_id"] in relation]
    return GraphSnapshot(
        entity_ids=list(entity),
        entity_names=[row["entity_name"] for row in entities],
        relation_ids=list(relation),
        relation_names=[
            f"{row['source_entity_name']} {row['relation_name']} {row['target_entity_name']}" for row in relations
        ],
        passage_ids=passages,
        relation_ends=_pairs(relations, ("source_entity_id", "target_entity_id"), (entity, entity), complete=True),
        relation_counts=np.bincount(np.asarray(stated, dtype=np.int64), minlength=len(relation)),
        mentions=_pairs(rows["mentions"], ("fact_id", "chunk_id"), (entity, passage)),
        synonyms=_pairs(rows["synonyms"], ("entity_id", "other_entity_id"), (entity, entity)),
        similarities=np.asarray(
            [
                row["similarity"]
                for row in rows["synonyms"]
                if row["entity_id"] in entity and row["other_entity_id"] in entity
            ],
            dtype=np.float64,
        ),
    )


def _pairs(
    rows: Sequence[Row],
    columns: tuple[str, str],
    numbers: tuple[Mapping[str, int], Mapping[str, int]],
    *,
    complete: bool = False,
) -> Numbers:
    """Both columns as numbers; a row with an unknown id is left out, or where all must stand is a pair of itself."""
    import numpy as np

    found: list[tuple[int, int]] = []
    for row in rows:
        one, other = (known.get(row[column]) for column, known in zip(columns, numbers, strict=True))
        if one is not None and other is not None:
            found.append((one, other))
        elif complete:
            found.append((0, 0))
    return np.asarray(found, dtype=np.int64).reshape(-1, 2)
