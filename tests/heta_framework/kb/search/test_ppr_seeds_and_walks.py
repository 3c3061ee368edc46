"""Where walks begin, what they walk on, and how long a graph is kept in memory."""

from typing import Any

import numpy as np
import pytest

from heta_framework.kb.graphing.searching.graph_cache import GraphCache
from heta_framework.kb.graphing.searching.graph_snapshot import GraphSnapshot, read_snapshot
from heta_framework.kb.graphing.searching.graph_walk import entity_passage_walk
from heta_framework.kb.graphing.searching.name_index import NameIndex
from heta_framework.kb.graphing.searching.seeding import reset_vector, scaled, seeds_of_entities, seeds_of_relations
from heta_framework.kb.graphing.storing.synonyms import may_have_synonyms, synonym_pairs

pytestmark = pytest.mark.anyio


def snapshot() -> GraphSnapshot:
    """Three entities in two passages: a-b is stated by both, b-c by the second."""
    return GraphSnapshot(
        entity_ids=["a", "b", "c"],
        entity_names=["Ada", "Port Sorrel", "Petrel"],
        relation_ids=["ab", "bc"],
        relation_names=["Ada keeps Port Sorrel", "Port Sorrel has Petrel"],
        passage_ids=["p", "q"],
        relation_ends=np.asarray([[0, 1], [1, 2]]),
        relation_counts=np.asarray([2, 1]),
        mentions=np.asarray([[0, 0], [1, 0], [0, 1], [1, 1], [2, 1]]),
        synonyms=np.asarray([[0, 2]]),
        similarities=np.asarray([0.85]),
    )


def test_edges_are_relations_mentions_and_close_synonyms() -> None:
    walk = entity_passage_walk(snapshot(), 0.8)
    assert walk.edge_count == 8
    from_a = walk.transition.toarray()[:, 0]
    assert np.allclose(from_a, np.asarray([0, 2, 0.85, 1, 1]) / 4.85)
    assert entity_passage_walk(snapshot(), 0.9).edge_count == 7


def test_entities_of_facts_weigh_less_the_more_passages_hold_them() -> None:
    seeds = seeds_of_relations(snapshot(), [("ab", 0.9), ("bc", 0.5), ("gone", 0.4)])
    # scaled scores: 1 and the least share; Ada stands in two passages, Petrel in one
    assert seeds == pytest.approx({0: 1 / 2, 1: (1 / 2 + 0.01 / 2) / 2, 2: 0.01})
    assert seeds_of_entities(snapshot(), [("a", 0.7), ("gone", 0.6)]) == {0: 0.5}
    assert seeds_of_relations(snapshot(), []) == {}


def test_passages_weigh_a_share_of_their_score() -> None:
    reset = reset_vector(snapshot(), {0: 0.5}, {"p": 3.0, "q": 1.0, "gone": 9.0}, 0.05)
    assert np.allclose(reset, [0.5, 0, 0, 0.05, 0.0005])


def test_scores_are_brought_to_one_scale() -> None:
    assert scaled([4.0, 3.0, 2.0]) == [1.0, 0.5, 0.01]
    assert scaled([0.3]) == scaled([-2.0]) == [1.0]
    assert scaled([]) == []


def test_names_that_the_question_holds_come_first() -> None:
    index = NameIndex(["a", "b", "c", "d"], ["Port Sorrel", "sorrel soup", "Ferries", "ox"])
    found = dict(index.search("Does the ferry call at Port Sorrel?", 10))
    assert found["a"] == found["c"] == 1.0
    assert 0 < found["b"] < 0.9
    assert "d" not in found
    assert index.search("who is it", 10) == []
    assert [one for one, _ in index.search("Port Sorrel", 1)] == ["a"]


def test_synonyms_are_pairs_of_near_names_each_once() -> None:
    rows = np.asarray([[1, 0], [0.96, 0.28], [0, 1], [0, 0], [2, 0.1]], dtype=np.float32)
    pairs = list(synonym_pairs(rows, range(5), 0.9))
    assert sorted(pair[:2] for pair in pairs) == [(0, 1), (0, 4), (1, 4)]
    assert all(0.9 <= cosine <= 1 for *_, cosine in pairs)
    assert {pair[:2] for pair in synonym_pairs(rows, [1], 0.9)} == {(0, 1), (1, 4)}
    assert list(synonym_pairs(rows, [2, 3], 0.9)) == []
    many = np.tile(np.asarray([[1, 0]], dtype=np.float32), (30, 1))
    assert len(list(synonym_pairs(many, [0], 0.9))) == 10
    assert may_have_synonyms("oil")
    assert not may_have_synonyms("1 %")


class Tables:
    """Counts how often a graph is read."""

    def __init__(self) -> None:
        self.reads = 0

    async def all_entities(self) -> list[dict[str, Any]]:
        self.reads += 1
        return [{"entity_id": "a", "entity_name": "Ada"}, {"entity_id": "b", "entity_name": "Bo"}]

    async def all_relations(self) -> list[dict[str, Any]]:
        ends = {
            "source_entity_id": "a",
            "target_entity_id": "b",
            "source_entity_name": "Ada",
            "target_entity_name": "Bo",
        }
        return [{"relation_id": "ab", "relation_name": "knows", **ends}]

    async def all_passage_ids(self) -> list[str]:
        return ["p"]

    async def all_evidence(self, kind: Any) -> list[dict[str, Any]]:
        facts = ["a", "b", "gone"] if kind.name == "entity" else ["ab"]
        return [{"fact_id": fact, "chunk_id": "p"} for fact in facts]

    async def all_synonyms(self) -> list[dict[str, Any]]:
        return [{"entity_id": "a", "other_entity_id": "b", "similarity": 0.9}]


async def test_a_snapshot_holds_what_the_tables_hold() -> None:
    graph = await read_snapshot(Tables())  # type: ignore[arg-type]
    assert graph.relation_names == ["Ada knows Bo"]
    assert graph.mentions.tolist() == [[0, 0], [1, 0]]
    assert graph.relation_counts.tolist() == [1]
    assert graph.node_count == 3


async def test_a_graph_is_read_once_a_revision_and_the_oldest_is_forgotten() -> None:
    cache, tables = GraphCache(most=2), Tables()
    for key in (("kb", "1"), ("kb", "1"), ("kb", "2")):
        await cache.walk(key, tables, 0.8)  # type: ignore[arg-type]
    assert tables.reads == 2
    await cache.walk(("kb", "2"), tables, 0.95)  # type: ignore[arg-type]
    assert tables.reads == 2
    await cache.walk(("kb", "3"), tables, 0.8)  # type: ignore[arg-type]
    await cache.snapshot(("kb", "1"), tables)  # type: ignore[arg-type]
    assert tables.reads == 4
