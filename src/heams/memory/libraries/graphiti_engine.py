"""graphiti as an engine: batches are episodes, and facts know the episodes they came from."""

import re
from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heams.memory.libraries.batches import Batch, spoken
from heams.memory.libraries.engine import Engine, Held
from heams.memory.libraries.graphiti_library import load_graphiti
from heams.memory.libraries.graphiti_models import seat_models
from heams.memory.libraries.kuzu_graph import KuzuGraph
from heams.memory.libraries.openai_clients import async_client
from heams.memory.libraries.threads import in_thread
from heta_framework.common.models.gateway import Seat

if TYPE_CHECKING:
    from heams.memory.graphiti import GraphitiMemoryConfig

_UNDATED = datetime(1970, 1, 1, tzinfo=UTC)
_PLAIN_GROUP = re.compile(r"[A-Za-z0-9-]+")
_EDGES = (
    "MATCH (:Entity)-[:RELATES_TO]->(e:RelatesToNode_) WHERE e.group_id IN $groups "
    "RETURN e.uuid AS id, e.fact AS text, e.episodes AS receipts"
)
_ENTITIES = (
    "MATCH (n:Entity) WHERE n.group_id IN $groups OPTIONAL MATCH (p:Episodic)-[:MENTIONS]->(n) "
    "RETURN n.uuid AS id, n.name AS name, n.summary AS summary, collect(p.uuid) AS receipts"
)
_EPISODES = (
    "MATCH (p:Episodic) WHERE p.group_id IN $groups RETURN p.uuid AS id, p.content AS text, [p.uuid] AS receipts"
)


class GraphitiEngine(Engine):
    """One graph. Receipts are ids of episodes."""

    def __init__(self, config: "GraphitiMemoryConfig", graph: KuzuGraph, seat: Seat) -> None:
        self._config = config
        self._graph = graph
        self._seat = seat
        self._client: Any = async_client(seat)
        self._graphiti: Any = load_graphiti().core.Graphiti(
            graph_driver=graph.driver, **seat_models(config, self._client, seat)
        )

    async def add(self, batch: Batch) -> Collection[str]:
        """Hear a batch as one episode at the time of its last event."""
        first = batch.events[0]
        result = await self._graphiti.add_episode(
            name=first.id,
            episode_body="\n".join(map(spoken, batch.events)),
            source_description="conversation" if first.kind == "turn" else first.kind,
            reference_time=batch.at or _UNDATED,
            group_id=_group(batch.owner),
            custom_extraction_instructions=self._config.instructions,
        )
        return [result.episode.uuid]

    async def search(self, text: str, owner: str, limit: int) -> Sequence[Held]:
        """Facts, found by graphiti's own recipe."""
        recipes = load_graphiti().recipes
        recipe = (
            recipes.EDGE_HYBRID_SEARCH_CROSS_ENCODER if self._config.rerank else recipes.EDGE_HYBRID_SEARCH_RRF
        ).model_copy(update={"limit": limit})
        found = await self._graphiti.search_(text, config=recipe, group_ids=[_group(owner)])
        return [_fact(edge, score) for edge, score in zip(found.edges, found.edge_reranker_scores, strict=True)]

    async def items(self, owners: Collection[str]) -> Sequence[Held]:
        """Facts, entities with their summaries, and the episodes word for word."""
        groups = [_group(owner) for owner in owners]
        held: list[Held] = []
        for kind, query in (("fact", _EDGES), ("entity", _ENTITIES), ("episode", _EPISODES)):
            rows, _, _ = await self._graph.driver.execute_query(query, groups=groups)
            held += [_row(row, kind) for row in rows]
        return held

    async def remove(self, ids: Sequence[str]) -> Collection[str]:
        """Take episodes out of the graph by graphiti's own means, then the facts that are left.

        With its last episode an entity goes too; one that others mention stays, and its summary is written anew.
        """
        before = await self._present(ids)
        for episode in before["Episodic"]:
            await self._graphiti.remove_episode(episode)
        left = await self._present(ids)
        if left["RelatesToNode_"]:
            await load_graphiti().edges.Edge.delete_by_uuids(self._graph.driver, left["RelatesToNode_"])
        after = await self._present(ids)
        return set(ids).difference(*after.values())

    async def save(self, folder: Path) -> None:
        """Copy the database."""
        await in_thread(self._seat, partial(self._graph.save, folder))

    async def close(self) -> None:
        """Close the database and the client."""
        await in_thread(self._seat, self._graph.close)
        await self._client.close()

    async def _present(self, ids: Sequence[str]) -> dict[str, list[str]]:
        """Those of ``ids`` that are in the graph, by table."""
        found = {}
        for table in ("Episodic", "RelatesToNode_", "Entity"):
            query = f"MATCH (n:{table}) WHERE n.uuid IN $ids RETURN n.uuid AS id"
            rows, _, _ = await self._graph.driver.execute_query(query, ids=list(ids))
            found[table] = [row["id"] for row in rows]
        return found


def _group(owner: str) -> str:
    """graphiti takes ASCII letters, digits, dashes and underscores alone."""
    if _PLAIN_GROUP.fullmatch(owner):
        return f"user-{owner}"
    return f"user_{owner.encode('utf-8', 'surrogatepass').hex()}"


def _fact(edge: Any, score: float) -> Held:
    times = {"valid_at": edge.valid_at, "invalid_at": edge.invalid_at}
    metadata = {name: time.isoformat() for name, time in times.items() if time is not None}
    return Held(edge.uuid, edge.fact, tuple(edge.episodes), score=score, metadata={"kind": "fact", **metadata})


def _row(row: dict[str, Any], kind: str) -> Held:
    text = f"{row['name']}: {row['summary'] or ''}".rstrip(": ") if kind == "entity" else row["text"]
    return Held(row["id"], text, tuple(row["receipts"] or ()), metadata={"kind": kind})
