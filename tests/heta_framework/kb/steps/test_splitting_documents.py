"""SplitDocuments: chunks with their provenance, made once for all knowledge bases, kept in few packs."""

import pytest
from step_bench import Bench, codes

from heta_framework.kb.chunks import make_chunk_id
from heta_framework.kb.delta import Delta
from heta_framework.kb.documents import SourceDocument
from heta_framework.kb.steps.errors import LostArtifactError
from heta_framework.kb.steps.parse_documents import ParseDocuments
from heta_framework.kb.steps.split_documents import SplitDocuments, SplitDocumentsConfig

pytestmark = pytest.mark.anyio
UNICODE = SplitDocuments(SplitDocumentsConfig(encoding_name="unicode", chunk_size=20, overlap=5))


async def test_a_chunk_says_where_it_stands() -> None:
    bench = Bench()
    text = "# Wings\nA wing lifts.\n\n## Flaps\nA flap lifts more.\n"
    await bench.put(a__md=text)
    given = [SourceDocument("raw/a.md", "A", metadata={"year": 1950})]
    context = await bench.run(bench.context(source_documents=given), ParseDocuments(), UNICODE)
    chunks = await bench.chunks(context)
    for number, chunk in enumerate(chunks):
        assert chunk.text == text[chunk.char_start : chunk.char_end] == chunk.text.strip()
        assert chunk.chunk_id == make_chunk_id("A", 0, number, chunk.text)
        assert (chunk.document_id, chunk.object_key, chunk.object_name, chunk.object_type) == (
            "A",
            "raw/a.md",
            "a.md",
            "md",
        )
        assert (chunk.chunk_index, chunk.page_index, chunk.document_metadata) == (number, 0, {"year": 1950})
    assert chunks[0].heading_path == ("Wings",)
    assert chunks[-1].heading_path == ("Wings", "Flaps")
    assert context.artifacts["split_documents_result"].chunk_count == len(chunks) > 2


async def test_two_documents_of_equal_text_have_chunks_of_their_own() -> None:
    bench = Bench()
    await bench.put(a__txt="the same words", b__txt="the same words")
    context = await bench.run(bench.context(), ParseDocuments(), SplitDocuments())
    one, two = await bench.chunks(context)
    assert one.text == two.text
    assert one.chunk_id != two.chunk_id
    assert one.document_id != two.document_id


async def test_pages_without_text_give_no_chunks_and_indices_go_on_over_pages() -> None:
    bench = Bench()
    await bench.put(a__jsonl='"first"\n""\n" "\n"second"\n', b__txt="")
    context = await bench.run(bench.context(), ParseDocuments(), SplitDocuments())
    assert [(chunk.page_index, chunk.chunk_index, chunk.text) for chunk in await bench.chunks(context)] == [
        (0, 0, "first"),
        (3, 1, "second"),
    ]


async def test_the_shipped_tokenizer_stands_in_for_one_that_would_be_downloaded() -> None:
    bench = Bench()
    await bench.put(a__txt="some words")
    context = await bench.run(bench.context(), ParseDocuments(), SplitDocuments())
    assert codes(context) == ["encoding_substituted"]
    own = SplitDocuments(SplitDocumentsConfig(encoding_name="wordllama"))
    assert codes(await bench.run(bench.context("two"), ParseDocuments(), own)) == []
    assert [chunk.text for chunk in await bench.chunks(context)] == ["some words"]


async def test_many_documents_lie_in_few_packs() -> None:
    bench = Bench()
    for number in range(300):
        await bench.objects.put(f"raw/{number}.txt", f"document number {number}".encode())
    for namespace in ("one", "two"):
        await bench.run(bench.context(namespace), ParseDocuments(), UNICODE)
    derived = [info.key for info in await bench.objects.list("") if not info.key.startswith("raw/")]
    assert len(derived) == 2 * 2 + 4
    assert sum(key.startswith("_heta/cache/") for key in derived) == 4


async def test_a_recipe_that_begins_like_another_copies_its_chunks_while_they_last() -> None:
    bench = Bench()
    await bench.put(a__txt="alpha. " * 9, b__txt="beta. " * 9)
    one = await bench.run(bench.context("one"), ParseDocuments(), UNICODE)
    for info in await bench.objects.list("_heta/cache/split/"):
        await bench.objects.delete(info.key)
    two = await bench.run(bench.context("two"), ParseDocuments(), UNICODE)
    assert await bench.objects.list("_heta/cache/split/") == []
    assert await bench.chunks(two) == await bench.chunks(one)
    assert two.artifacts["split_documents_result"].chunk_count == len(await bench.chunks(one))
    other = SplitDocuments(SplitDocumentsConfig(encoding_name="unicode", chunk_size=30, overlap=5))
    assert await bench.chunks(await bench.run(bench.context("three"), ParseDocuments(), other)) != await bench.chunks(
        one
    )
    for context, damage in ((one, b"half"), (two, None)):
        for key in context.artifacts["chunk_keys"]:
            await (bench.objects.put(key, damage) if damage else bench.objects.delete(key))
    again = await bench.run(bench.context("four"), ParseDocuments(), UNICODE)
    assert len(await bench.chunks(again)) == two.artifacts["split_documents_result"].chunk_count


async def test_an_update_splits_what_is_new_and_drops_what_went() -> None:
    bench = Bench()
    await bench.put(a__txt="alpha. " * 9, b__txt="beta. " * 9)
    given = [SourceDocument("raw/a.txt", "A"), SourceDocument("raw/b.txt", "B")]
    before = await bench.run(bench.context(source_documents=given), ParseDocuments(), UNICODE)
    old = {chunk.chunk_id for chunk in await bench.chunks(before) if chunk.document_id == "A"}
    await bench.put(c__txt="gamma")
    for _ in range(2):  # an update that was killed is done again
        delta = Delta.update(add=[SourceDocument("raw/c.txt", "C")], remove=["A"])
        after = await bench.run(bench.context(delta=delta, **before.artifacts), ParseDocuments(), UNICODE)
        assert {chunk.document_id for chunk in await bench.chunks(after)} == {"B", "C"}
        assert delta.removed_chunk_ids == old
        assert len(delta.added_chunk_keys) == 1
        assert after.artifacts["split_documents_result"].chunk_count == 1


async def test_pages_that_are_gone_send_the_build_back_to_parsing() -> None:
    bench = Bench()
    await bench.put(a__txt="a")
    context = await bench.run(bench.context(), ParseDocuments())
    for info in await bench.objects.list("_heta/cache/parse/"):
        await bench.objects.put(info.key, b"torn")
    with pytest.raises(LostArtifactError, match=r"raw/a\.txt"):
        await UNICODE.run(context)
    again = await bench.run(bench.context(), ParseDocuments(), UNICODE)
    assert [chunk.text for chunk in await bench.chunks(again)] == ["a"]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"chunk_size": 0}, "chunk_size must be greater than zero"),
        ({"overlap": -1}, "overlap must not be negative"),
        ({"chunk_size": 10, "overlap": 10}, "overlap must be smaller than chunk_size"),
        ({"encoding_name": " "}, "encoding_name must not be empty"),
        ({"encoding_name": "klingon"}, "allowed: "),
        ({"split_punctuation": ()}, "split_punctuation must not be empty"),
        ({"splitter": "magic"}, "semantic, window"),
    ],
)
def test_settings_that_would_not_end_or_mean_nothing_are_refused(settings: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        SplitDocumentsConfig(**settings)  # type: ignore[arg-type]


async def test_many_small_updates_do_not_leave_many_small_packs() -> None:
    bench = Bench()
    await bench.put(a0__txt="alpha 0")
    context = await bench.run(bench.context(source_keys=("raw/a0.txt",)), ParseDocuments(), UNICODE)
    for number in range(1, 60):
        await bench.objects.put(f"raw/a{number}.txt", f"alpha {number}".encode())
        delta = Delta.update(add=[SourceDocument(f"raw/a{number}.txt", f"A{number}")])
        context = await bench.run(bench.context(delta=delta, **context.artifacts), ParseDocuments(), UNICODE)
        assert [len(delta.added_document_keys), len(delta.added_chunk_keys)] == [1, 1]
    assert len(await bench.documents(context)) == len(await bench.chunks(context)) == 60
    assert len(context.artifacts["parsed_document_keys"]) < 20
    assert len([info for info in await bench.objects.list("") if not info.key.startswith("raw/")]) < 120
