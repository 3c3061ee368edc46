"""The graph in the stores is that of the documents: whatever comes and goes, on every database, and nothing else."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from graph_world import HARBOUR, HARBOUR_READER, VOCABULARY, GraphWorld, Reader

from heta_framework.common.stores import InMemoryVectorStore
from heta_framework.kb import BuildGraph, BuildGraphConfig, GraphTableNames, GraphVectorCollections, KnowledgeBase

pytestmark = pytest.mark.anyio
CANARY = "Zanzibarquokka"
SECRET = f"The {CANARY} Society met Ada Quill at the stone pier. The {CANARY} Society sells rye bread on Gull Island."


@pytest.fixture
def world(tmp_path: Path) -> GraphWorld:
    return GraphWorld(tmp_path)


@pytest.fixture(params=["sqlite", "postgresql"])
def any_world(request: pytest.FixtureRequest, tmp_path: Path) -> GraphWorld:
    url = request.getfixturevalue("postgres") if request.param == "postgresql" else None
    return GraphWorld(tmp_path, sql_url=url)


async def same_graph(world: GraphWorld, kb: KnowledgeBase, documents: Mapping[str, str], **recipe: Any) -> None:
    """The knowledge base holds what one built anew of these documents holds."""
    anew = GraphWorld(world.folder / f"anew{len(documents)}")
    anew.embedding = world.embedding
    built = await anew.build(documents, name=kb.name, recipe=anew.recipe(**recipe))
    assert await world.graph(kb) == await anew.graph(built)
    for collection in ("graph_entities", "graph_relations"):
        name = f"{collection}__{kb.run_record.artifacts['kb_namespace']}"
        assert await vectors(world, name) == await vectors(anew, name)


async def vectors(world: GraphWorld, name: str) -> dict[str, Any]:
    if not await world.vectors.has_collection(name):
        return {}
    held = world.vectors._collection(name)
    matrix, payloads = held._state
    return {one: payloads[one].result(one, 0.0) for one in sorted(matrix.ids())}


async def test_facts_evidence_and_passages_are_in_the_tables(any_world: GraphWorld) -> None:
    reader = Reader(**HARBOUR_READER)
    kb = await any_world.build(recipe=any_world.recipe(language=reader.model()))
    result = kb.run_record.artifacts["build_graph_result"]
    assert (result.entity_count, result.relation_count, result.evidence_count) == (6, 5, 13)
    assert (result.entity_vector_count, result.relation_vector_count, result.vector_dimension) == (
        6,
        5,
        len(VOCABULARY),
    )
    assert result.skipped_evidence_count == 0
    graph = await any_world.graph(kb)
    port = next(row for row in graph["entities"] if row["entity_name"] == "Port Sorrel")
    stated = [row["chunk_id"] for row in graph["graph_evidence"] if row["fact_id"] == port["entity_id"]]
    passages = {row["chunk_id"]: row["document_id"] for row in graph["graph_passages"]}
    assert sorted(passages[chunk_id] for chunk_id in stated) == ["ferry", "lamp"]
    await any_world.sql.aclose()


async def test_an_update_leaves_what_a_build_would(any_world: GraphWorld) -> None:
    kb = await any_world.build()
    (secret,) = await any_world.put({"secret": SECRET})
    kb = await kb.update(add=[secret], remove=["bakery"])
    left = {**HARBOUR, "secret": SECRET}
    del left["bakery"]
    await same_graph(any_world, kb, left)
    kb = await kb.update(remove=["secret"])
    del left["secret"]
    await same_graph(any_world, kb, left)
    await any_world.sql.aclose()


async def test_nothing_of_a_removed_document_stays_anywhere(world: GraphWorld) -> None:
    kb = await world.build({**HARBOUR, "secret": SECRET})
    stored = await world.everything_stored(kb)
    assert stored.count(CANARY) > 10
    assert CANARY.lower() in stored
    kb = await kb.update(remove=["secret"])
    left = await world.everything_stored(kb)
    assert CANARY not in left
    assert CANARY.lower() not in left
    assert "Ada Quill" in left


async def test_a_fact_stays_as_long_as_a_chunk_states_it(world: GraphWorld) -> None:
    kb = await world.build({"a": "Ada Quill keeps Port Sorrel.", "b": "Ada Quill left. Port Sorrel is big."})
    names = {row["entity_name"] for row in await world.table(kb, "entities")}
    assert {"Ada Quill", "Port Sorrel"} <= names
    kb = await kb.update(remove=["a"])
    rows = {row["entity_name"]: row for row in await world.table(kb, "entities")}
    assert {"Ada Quill", "Port Sorrel"} <= rows.keys()
    assert "keeps" not in rows["Ada Quill"]["description"]
    kb = await kb.update(remove=["b"])
    graph = await world.graph(kb)
    assert all(rows == [] for rows in graph.values())
    assert (await kb.query("Ada Quill", mode="heta_graph_search")).results == ()


async def test_the_same_update_twice_changes_nothing(world: GraphWorld) -> None:
    kb = await world.build()
    before = await world.graph(kb)
    embedded = len(world.embedding.texts) if world.embedding else 0
    (ferry,) = await world.put({"ferry": HARBOUR["ferry"]})
    kb = await kb.update(add=[ferry])
    assert await world.graph(kb) == before
    assert world.embedding is not None
    assert len(world.embedding.texts) == embedded


async def test_a_graph_without_relations_is_built_and_searched(world: GraphWorld) -> None:
    reader = Reader(entities={"Ada Quill": "A keeper.", "Petrel": "A ferry."})
    kb = await world.build(recipe=world.recipe(language=reader.model()))
    result = kb.run_record.artifacts["build_graph_result"]
    assert (result.relation_count, result.relation_vector_count) == (0, 0)
    for mode in ("heta_graph_search", "ppr_search"):
        found = await kb.query("Where does Ada Quill keep the lamp?", mode=mode)
        assert found.results[0].source["document_id"] == "lamp"
    assert (await kb.query("Ada Quill", mode="heta_graph_search", top_k=1)).results[0].kind == "entity"


async def test_documents_without_anything_to_name_are_no_failure(world: GraphWorld) -> None:
    kb = await world.build({"a": "so it was", "b": "and then"})
    assert kb.run_record.artifacts["build_graph_result"].entity_count == 0
    for mode in ("heta_graph_search", "ppr_search"):
        assert (await kb.query("Ada Quill", mode=mode)).results == ()


async def test_without_an_embedding_there_are_tables_alone(world: GraphWorld) -> None:
    world.embedding = None
    kb = await world.build()
    result = kb.run_record.artifacts["build_graph_result"]
    assert (result.entity_vector_count, result.vector_dimension) == (0, 0)
    assert result.entity_count > 5
    assert {"heta_graph_search", "ppr_search"} <= kb.available_queries
    loaded = await KnowledgeBase.load(recipe=world.recipe(), name="harbour")
    assert (await loaded.query("Ada Quill", mode="heta_graph_search")).results[0].source["document_id"] == "lamp"


async def test_vectors_that_a_restart_lost_are_made_again_without_extracting(world: GraphWorld) -> None:
    reader = Reader(**HARBOUR_READER)
    kb = await world.build(recipe=world.recipe(language=reader.model()))
    asked, before = len(reader.asked), await world.graph(kb)
    assert world.embedding is not None
    embedded = len(world.embedding.texts)
    world.vectors = InMemoryVectorStore()
    loaded = await KnowledgeBase.load(recipe=world.recipe(language=reader.model()), name="harbour")
    found = await loaded.query("Ivo Brandt", mode="heta_graph_search", top_k=2)
    assert found.results[0].source["document_id"] == "ferry"
    assert await world.graph(loaded) == before
    assert len(reader.asked) == asked
    assert len(world.embedding.texts) == embedded + 1


async def test_a_table_that_was_emptied_is_filled_again(world: GraphWorld) -> None:
    kb = await world.build()
    before = await world.graph(kb)
    namespace = kb.run_record.artifacts["kb_namespace"]
    await world.sql.execute(f'DELETE FROM "relations__{namespace}"')  # noqa: S608 - a name of our own
    loaded = await KnowledgeBase.load(recipe=world.recipe(), name="harbour")
    assert await world.graph(loaded) == before


async def test_knowledge_bases_on_the_same_stores_do_not_meet(world: GraphWorld) -> None:
    kb = await world.build()
    other = await world.build({"secret": SECRET}, name="other")
    before = await world.graph(kb)
    assert {row["document_id"] for row in await world.table(other, "graph_passages")} == {"secret"}
    assert not (await kb.query(CANARY, mode="heta_graph_search")).results
    await other.delete(purge=True)
    assert await world.graph(kb) == before
    names = await world.sql.fetch_all("SELECT name FROM sqlite_master WHERE type = 'table'")
    assert len(names) == 5
    assert not [name for name in world.vectors._collections if "other" in name]
    assert CANARY not in await world.everything_stored(kb)


async def test_a_build_that_is_killed_while_it_writes_is_resumed_to_the_same_graph(world: GraphWorld) -> None:
    whole = await world.build()
    expected = await world.graph(whole)
    await whole.delete()
    reached = asyncio.Event()

    class Stuck(InMemoryVectorStore):
        async def upsert(self, collection: str, records: Any) -> None:
            await super().upsert(collection, records)
            if "relations" in collection:
                reached.set()
                await asyncio.Event().wait()

    world.vectors = Stuck()
    building = asyncio.create_task(world.build())
    await reached.wait()
    building.cancel()
    with pytest.raises(asyncio.CancelledError):
        await building
    world.vectors = InMemoryVectorStore()
    kb = await world.build()
    assert await world.graph(kb) == expected


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"batch_size": 0}, "batch_size must be greater than zero"),
        ({"vector_metric": "manhattan"}, "vector_metric must be one of: cosine, dot, l2; found 'manhattan'"),
        ({"synonym_threshold": 1.5}, "synonym_threshold must be between 0 and 1"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        BuildGraphConfig(**settings)


def test_names_of_tables_and_collections() -> None:
    names = GraphTableNames("people", "links", "proof")
    assert tuple(names) == ("people", "links", "proof", "graph_passages", "graph_synonyms")
    with pytest.raises(ValueError, match=r"table_names\.entities must be a valid SQL identifier"):
        GraphTableNames(entities='x"; DROP')
    with pytest.raises(ValueError, match="must differ"):
        GraphTableNames(relations="entities")
    with pytest.raises(ValueError, match="must differ"):
        GraphVectorCollections("same", "same")
    (tables, index) = BuildGraph(BuildGraphConfig(table_names=names)).capabilities.search_assets
    assert (tables.key, index.key) == ("graph_tables:people", "graph_vector_index:graph_entities")
    assert tables.metadata["evidence_table"] == "proof"


async def test_a_question_asks_the_database_no_more_often_however_many_facts_it_finds(
    any_world: GraphWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    kb = await any_world.build()
    asked: list[str] = []
    fetch_all = any_world.sql.fetch_all

    async def counted(statement: str, *given: Any) -> Any:
        asked.append(statement)
        return await fetch_all(statement, *given)

    monkeypatch.setattr(any_world.sql, "fetch_all", counted)
    found, counts = [], []
    for top_k in (2, 20):
        found.append(len((await kb.query("Ada Quill Petrel lamp", mode="heta_graph_search", top_k=top_k)).results))
        counts.append(len(asked))
        asked.clear()
    assert found[0] == 2
    assert found[1] > 5
    assert counts[1] <= counts[0]
    await any_world.sql.aclose()
