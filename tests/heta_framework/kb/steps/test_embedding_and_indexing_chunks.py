"""EmbedChunks, IndexVectors, IndexFullText: each text embedded once, vectors checked, indexes of the base's own."""

import math
from typing import Any

import pytest
from step_bench import Bench, LetterEmbedding, LocalLetters, codes

from heta_framework.common.stores.text_index import TantivyTextIndexStore, TextQuery
from heta_framework.common.stores.vector import VectorQuery
from heta_framework.kb.delta import Delta
from heta_framework.kb.derived.embeddings import read_embeddings
from heta_framework.kb.documents import SourceDocument
from heta_framework.kb.errors import StepError
from heta_framework.kb.steps.embed_chunks import EmbedChunks, EmbedChunksConfig
from heta_framework.kb.steps.errors import LostArtifactError
from heta_framework.kb.steps.index_full_text import IndexFullText, IndexFullTextConfig
from heta_framework.kb.steps.index_vectors import IndexVectors, IndexVectorsConfig
from heta_framework.kb.steps.parse_documents import ParseDocuments
from heta_framework.kb.steps.split_documents import SplitDocuments, SplitDocumentsConfig

pytestmark = pytest.mark.anyio
CHUNKED = (ParseDocuments(), SplitDocuments(SplitDocumentsConfig(encoding_name="unicode")))
EMBEDDED = (*CHUNKED, EmbedChunks())
INDEXED = (*EMBEDDED, IndexVectors(), IndexFullText())


async def hits(bench: Bench, namespace: str = "one") -> list[str]:
    """Document ids by vector, best first."""
    found = await bench.vector.search(f"chunks__{namespace}", VectorQuery([1.0, 0.0, 0.0], 10))
    return [hit.metadata["document_id"] for hit in found]


async def matches(bench: Bench, text: str, namespace: str = "one") -> set[str]:
    """Document ids by words."""
    found = await bench.text_index.search(f"chunk_full_text__{namespace}", TextQuery(text))
    return {hit.metadata["document_id"] for hit in found}


@pytest.mark.parametrize("model", [LetterEmbedding(), LocalLetters()])
async def test_a_text_is_embedded_once_for_all_documents_and_knowledge_bases(model: LetterEmbedding) -> None:
    bench = Bench(model)
    await bench.put(a__txt="abc", b__txt="abc", c__txt="bca")
    for namespace in ("one", "two"):
        context = await bench.run(bench.context(namespace), *EMBEDDED)
        chunks = await bench.chunks(context)
        assert (await read_embeddings(context, chunks)).tolist() == [[1, 1, 1]] * 3
    assert sorted(model.embedded) == ["abc", "bca", "dimension"]
    result = context.artifacts["embed_chunks_result"]
    assert (result.chunk_count, result.model_name, result.dimension) == (3, "letters", 3)
    assert context.artifacts["embedding_space"]["dimension"] == 3


@pytest.mark.parametrize("other", [LetterEmbedding("others"), LetterEmbedding(dimension=4)])
async def test_vectors_of_another_model_or_length_are_never_used_again(other: LetterEmbedding) -> None:
    bench = Bench()
    await bench.put(a__txt="abcd")
    await bench.run(bench.context("one"), *INDEXED)
    bench.model = other
    context = await bench.run(bench.context("two"), *INDEXED)
    assert "abcd" in other.embedded
    assert (await read_embeddings(context, await bench.chunks(context))).shape == (1, other.size)
    assert await hits(bench, "one")


async def test_requests_hold_as_many_texts_as_configured() -> None:
    bench = Bench(model := LetterEmbedding())
    for number in range(25):
        await bench.objects.put(f"raw/{number:02}.txt", b"a" * (number + 1))
    await bench.run(bench.context(), *CHUNKED, EmbedChunks(EmbedChunksConfig(batch_size=10)))
    assert model.batches[1:] == [10, 10, 5]


@pytest.mark.parametrize(
    ("vector", "what"),
    [
        ([1.0, math.nan, 0.0], "not finite"),
        ([math.inf, 0.0, 0.0], "not finite"),
        ([1e300, 0.0, 0.0], "not finite"),
        ([1.0], "1 components"),
    ],
)
async def test_a_vector_that_would_spoil_the_ranking_fails_the_step_at_its_document(
    vector: list[float], what: str
) -> None:
    bench = Bench(LetterEmbedding(answers={"bad": vector}))
    await bench.put(a__txt="abc", b__txt="bad", c__txt="cab")
    given = [SourceDocument(f"raw/{name}.txt", name) for name in "abc"]
    with pytest.raises(StepError, match=f"{what}.*chunk_.*'b'") as caught:
        await bench.run(bench.context(source_documents=given), *EMBEDDED)
    assert caught.value.document == "b"


async def test_a_model_that_answers_too_little_is_found_out() -> None:
    class Forgetful(LetterEmbedding):
        async def embed_many(self, requests: Any) -> Any:
            return (await super().embed_many(requests))[: len(requests) - (len(self.embedded) > 1)]

    bench = Bench(Forgetful())
    await bench.put(a__txt="abc", b__txt="cab")
    with pytest.raises(StepError, match="answered 0 of 1"):
        await bench.run(bench.context(), *EMBEDDED)


async def test_a_model_whose_first_vector_is_no_vector_is_named() -> None:
    bench = Bench(LetterEmbedding("odd", answers={"dimension": [math.nan] * 3}))
    await bench.put(a__txt="abc")
    with pytest.raises(StepError, match=r"model 'odd', asked for its dimension: .*not finite"):
        await bench.run(bench.context(), *EMBEDDED)


async def test_what_was_embedded_before_a_failure_is_not_embedded_again() -> None:
    bench = Bench(model := LetterEmbedding(answers={"z": [math.nan] * 3}))
    for number in range(700):
        await bench.objects.put(f"raw/{number:04}.txt", f"{number} a".encode())
    await bench.put(z__txt="z")
    with pytest.raises(StepError):
        await bench.run(bench.context(), *EMBEDDED)
    model.answers.clear()
    before = len(model.embedded)
    await bench.run(bench.context(), *EMBEDDED)
    assert len(model.embedded) - before == 201


async def test_a_text_without_a_direction_is_found_by_words_alone_and_said() -> None:
    bench = Bench()
    await bench.put(a__txt="abc", b__txt="xyz")
    given = [SourceDocument("raw/a.txt", "A"), SourceDocument("raw/b.txt", "B")]
    context = await bench.run(bench.context(source_documents=given), *INDEXED)
    assert codes(context) == ["zero_vector"]
    assert "'B'" in context.issues[0].message
    assert await hits(bench) == ["A"]
    assert await matches(bench, "xyz") == {"B"}
    assert await IndexVectors().intact(context)


async def test_documents_of_equal_text_are_both_found() -> None:
    bench = Bench()
    await bench.put(a__txt="abc", b__txt="abc")
    context = await bench.run(bench.context(), *INDEXED)
    ids = {entry.document_id for entry in await bench.documents(context)}
    assert len(ids) == 2
    assert set(await hits(bench)) == ids == await matches(bench, "abc")


async def test_knowledge_bases_on_the_same_stores_never_meet() -> None:
    bench = Bench()
    await bench.put(a__txt="a cab", b__txt="a bee")
    for namespace in ("a", "b"):
        source = SourceDocument(f"raw/{namespace}.txt", namespace)
        await bench.run(bench.context(namespace, source_documents=[source]), *INDEXED)
    assert (await hits(bench, "a"), await hits(bench, "b")) == (["a"], ["b"])
    [target] = IndexVectors().cleanup_plan({"kb_namespace": "a"}).targets
    await bench.vector.drop_collection(target.value)
    assert await hits(bench, "b") == ["b"]


async def test_an_update_touches_what_changed_alone() -> None:
    bench = Bench(model := LetterEmbedding())
    await bench.put(a__txt="a one", b__txt="a two")
    given = [SourceDocument("raw/a.txt", "A"), SourceDocument("raw/b.txt", "B")]
    before = await bench.run(bench.context(source_documents=given), *INDEXED)
    await bench.put(c__txt="a three")
    embedded = len(model.embedded)
    for _ in range(2):  # an update that was killed is done again
        delta = Delta.update(add=[SourceDocument("raw/c.txt", "C")], remove=["A"])
        after = await bench.run(bench.context(delta=delta, **before.artifacts), *INDEXED)
        assert set(await hits(bench)) == {"B", "C"}
        assert await matches(bench, "one two three") == {"B", "C"}
        assert after.artifacts["index_vectors_result"].indexed_count == 1
        assert after.artifacts["index_full_text_state"]["count"] == 2
    assert model.embedded[embedded:] == ["a three"]


async def test_an_index_that_a_restart_emptied_is_noticed_and_filled() -> None:
    bench = Bench()
    await bench.put(a__txt="abc")
    steps = (IndexVectors(), IndexFullText())
    context = await bench.run(bench.context(), *INDEXED)
    assert [await step.intact(context) for step in steps] == [True, True]
    bench.vector, bench.text_index = type(bench.vector)(), TantivyTextIndexStore()
    restarted = bench.context(**context.artifacts)
    assert [await step.intact(restarted) for step in steps] == [False, False]
    await bench.run(restarted, *steps)
    assert [await step.intact(restarted) for step in steps] == [True, True]


async def test_a_text_index_store_that_cannot_say_what_it_has_will_do() -> None:
    class Plain:
        """The published protocol and no more."""

        def __init__(self) -> None:
            self.inner = TantivyTextIndexStore()
            for name in ("create_index", "drop_index", "upsert", "search", "delete", "count"):
                setattr(self, name, getattr(self.inner, name))

    bench = Bench()
    bench.text_index = Plain()
    await bench.put(a__txt="abc")
    step = IndexFullText(IndexFullTextConfig(batch_size=1))
    for _ in range(2):
        context = await bench.run(bench.context(), *CHUNKED, step)
        assert await step.intact(context)
    assert await matches(bench, "abc")


async def test_a_lost_vector_sends_the_build_back() -> None:
    bench = Bench()
    await bench.put(a__txt="abc")
    context = await bench.run(bench.context(), *EMBEDDED)
    for info in await bench.objects.list("_heta/cache/embed/"):
        await bench.objects.delete(info.key)
    fresh = bench.context(**context.artifacts)
    with pytest.raises(LostArtifactError, match="run EmbedChunks again"):
        await IndexVectors().run(fresh)


async def test_an_empty_knowledge_base_can_be_searched_and_grow() -> None:
    bench = Bench()
    before = await bench.run(bench.context(source_keys=()), *INDEXED)
    assert await hits(bench) == []
    await bench.put(a__txt="abc")
    delta = Delta.update(add=[SourceDocument("raw/a.txt", "A")])
    await bench.run(bench.context(delta=delta, **before.artifacts), *INDEXED)
    assert await hits(bench) == ["A"]


def test_presets_name_everything_as_published() -> None:
    wiki = (EmbedChunks(EmbedChunksConfig(preset="wiki")), IndexVectors(IndexVectorsConfig(preset="wiki")))
    assert wiki[0].capabilities.artifacts == {"wiki_chunk_embedding_keys", "embed_wiki_chunks_result"}
    [asset] = wiki[1].capabilities.search_assets
    assert asset.key == "wiki_chunk_vector_index:wiki_chunks"
    assert wiki[1].capabilities.queries == {"wiki_vector_search"}
    [asset] = IndexFullText(IndexFullTextConfig(text_index_store="archive")).capabilities.search_assets
    assert (asset.key, asset.store) == ("chunk_full_text_index:chunk_full_text", "stores.text_index.archive")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: EmbedChunksConfig(batch_size=0), "batch_size must be greater than zero"),
        (lambda: EmbedChunksConfig(preset="x"), "preset must be one of: default, wiki"),
        (lambda: IndexVectorsConfig(metric="x"), "metric must be one of: cosine, dot, l2"),
        (lambda: IndexFullTextConfig(batch_size=0), "batch_size must be greater than zero"),
    ],
)
def test_settings_out_of_range_are_refused(make: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()
