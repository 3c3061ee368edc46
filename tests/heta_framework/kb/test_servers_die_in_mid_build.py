"""A database or an object store that goes away fails a build clearly; when it is back, resume ends the build."""

from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from postgres_server import PostgresServer
from s3_server import S3Bucket, S3Server
from severed_connection import SeverableRoad
from tiny_recipes import TEXTS, SharedStores, TinyEmbedding, contents

from heta_framework.common.stores import PgVectorStore, S3ObjectStore, SQLStore
from heta_framework.kb import KnowledgeBase, KnowledgeBuildError, KnowledgeRecipe, PersistChunks

pytestmark = pytest.mark.anyio
STEPS_DONE = ["succeeded", "succeeded", "succeeded"]


async def undisturbed(tmp_path: Path, *steps: Any, **servers: Any) -> dict[str, Any]:
    """What a build holds that nothing disturbed, on the same kinds of stores."""
    stores = SharedStores(tmp_path / "undisturbed")
    await stores.put()
    return await contents(await KnowledgeBase.create(recipe=stores.recipe(*steps, **servers), name="undisturbed"))


class KillsAfterFirstUpsert(PgVectorStore):
    """The server is killed when the first records are in."""

    def __init__(self, url: str, server: PostgresServer) -> None:
        super().__init__(url, patience=0.5)
        self._server = server

    async def upsert(self, collection: str, records: Sequence[Any]) -> None:
        await super().upsert(collection, records[:1])
        self._server.kill()
        await super().upsert(collection, records[1:])


@pytest.fixture
async def stores(tmp_path: Path) -> SharedStores:
    stores = SharedStores(tmp_path)
    await stores.put()
    return stores


async def test_a_killed_postgresql_fails_the_build_and_resume_gives_the_same_knowledge_base(
    stores: SharedStores, postgres: str, postgres_server: PostgresServer, tmp_path: Path
) -> None:
    model = TinyEmbedding()

    def recipe(vector: PgVectorStore, sql: SQLStore) -> KnowledgeRecipe:
        return stores.recipe(PersistChunks(), model=model, vector=vector, sql=sql)

    dying, sql = KillsAfterFirstUpsert(postgres, postgres_server), SQLStore(postgres)
    with pytest.raises(KnowledgeBuildError, match="step 'index_vectors' failed") as caught:
        await KnowledgeBase.create(recipe=recipe(dying, sql), name="house")
    record = caught.value.run_record
    assert record is not None
    assert [step.status for step in record.step_records] == [*STEPS_DONE, "failed"]
    await dying.aclose()
    away = PgVectorStore(postgres, patience=0.1)
    with pytest.raises(KnowledgeBuildError, match="step 'index_vectors' failed"):
        await KnowledgeBase.create(recipe=recipe(away, sql), name="house")
    await away.aclose()

    postgres_server.start()
    vector = PgVectorStore(postgres)
    kb = await KnowledgeBase.create(recipe=recipe(vector, sql), name="house")
    assert kb.run_record.run_id == record.run_id
    assert [step.status for step in kb.run_record.step_records[:3]] == ["skipped"] * 3
    assert sum(model.embedded.count(text) for text in TEXTS.values()) == len(TEXTS)
    assert await contents(kb) == await undisturbed(tmp_path, PersistChunks(), vector=vector, sql=sql)
    assert (await kb.delete()).issues == ()
    await vector.aclose()
    await sql.aclose()


@pytest.fixture
async def road(s3: S3Bucket, s3_server: S3Server) -> AsyncIterator[SeverableRoad]:
    async with SeverableRoad(s3_server.endpoint_url) as road:
        yield road


async def test_an_unreachable_s3_fails_the_build_and_resume_goes_on_when_it_is_back(
    s3: S3Bucket, road: SeverableRoad, tmp_path: Path
) -> None:
    objects = S3ObjectStore(**(s3.arguments() | {"endpoint_url": road.endpoint_url}))
    model = TinyEmbedding()
    stores = SharedStores(tmp_path)
    for key, text in TEXTS.items():
        await objects.put(key, text.encode())

    class Severs(TinyEmbedding):
        async def embed(self, request: Any) -> Any:
            await road.sever()
            return await model.embed(request)

    with pytest.raises(KnowledgeBuildError, match="step 'embed_chunks' failed") as caught:
        await KnowledgeBase.create(recipe=stores.recipe(model=Severs(), objects=objects), name="house")
    assert "could not be written down" in "".join(getattr(caught.value.__cause__, "__notes__", ()))
    await road.mend()
    kb = await KnowledgeBase.create(recipe=stores.recipe(model=model, objects=objects), name="house")
    assert caught.value.run_record is not None
    assert kb.run_record.run_id == caught.value.run_record.run_id
    assert [step.status for step in kb.run_record.step_records[:3]] == ["skipped", "skipped", "succeeded"]
    assert await contents(kb) == await undisturbed(tmp_path)
    await objects.aclose()
