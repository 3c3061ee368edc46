"""A recipe that begins like one before it takes over its listing of documents, if nothing of it has changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from typing import Any

import pytest
from step_bench import Bench

from heta_framework.common.stores.object import MemoryObjectStore
from heta_framework.kb.context import StepExecutionContext
from heta_framework.kb.documents import SourceDocument
from heta_framework.kb.parsing import DocumentParserRegistry, HtmlParser, TextParser, document_listing
from heta_framework.kb.steps import ParseDocuments

pytestmark = pytest.mark.anyio

_MADE = ("parsed_document_keys", "document_token_counts", "raw_documents_digest", "kb_listing_notes")


class CountingStore(MemoryObjectStore):
    """Counts how often each object is read."""

    def __init__(self) -> None:
        super().__init__()
        self.reads: Counter[str] = Counter()

    async def get(self, key: str) -> bytes:
        self.reads[key] += 1
        return await super().get(key)


@pytest.fixture
async def bench() -> Bench:
    bench = Bench()
    bench.objects = CountingStore()
    await bench.put(a__txt="one", b__txt="", c__html="<p>three <b>words</b> here</p>")
    return bench


@pytest.fixture
async def first(bench: Bench) -> StepExecutionContext:
    return await bench.run(bench.context("one"), ParseDocuments())


def _forbid_parsing(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on no document may be parsed, or looked up in the step cache by itself."""
    monkeypatch.delattr(document_listing, "BatchParser")


def _left(context: StepExecutionContext) -> list[Any]:
    """What the step left, with the names of packs in the place of their keys."""
    keys, *rest = (context.artifacts[name] for name in _MADE)
    return [[key.rpartition("/")[2] for key in keys], *rest, [asdict(issue) for issue in context.issues]]


async def test_the_listing_of_the_same_documents_is_copied_with_its_counts_and_issues(
    first: StepExecutionContext, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    _forbid_parsing(monkeypatch)
    reported: list[tuple[str, int, int | None]] = []
    context = bench.context("two")
    context.progress = lambda *said: reported.append(said)
    second = await bench.run(context, ParseDocuments())
    assert _left(second) == _left(first)
    assert [issue.code for issue in second.issues] == ["empty_document"]
    assert await bench.documents(second) == await bench.documents(first)
    assert all(key.startswith("parsed/two/") for key in second.artifacts["parsed_document_keys"])
    assert reported == [("parse_documents", 3, 3)]


async def test_other_contents_under_the_same_keys_are_listed_anew_and_read_once(
    first: StepExecutionContext, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert isinstance(bench.objects, CountingStore)
    await bench.put(c__html="<p>other</p>")
    bench.objects.reads.clear()
    second = await bench.run(bench.context("two"), ParseDocuments())
    assert {key: count for key, count in bench.objects.reads.items() if key.startswith("raw/")} == {
        "raw/a.txt": 1,
        "raw/b.txt": 1,
        "raw/c.html": 1,
    }
    assert sorted(second.artifacts["document_token_counts"].values()) == [0, 1, 1]
    (before, _), (now, _) = (context.artifacts["kb_listing_notes"] for context in (first, second))
    assert before == now
    _forbid_parsing(monkeypatch)
    third = await bench.run(bench.context("three"), ParseDocuments())
    assert _left(third) == _left(second)


async def _lose_listing(bench: Bench) -> None:
    for info in await bench.objects.list("parsed/one/"):
        await bench.objects.delete(info.key)


async def _damage_listing(bench: Bench) -> None:
    for info in await bench.objects.list("parsed/one/"):
        await bench.objects.put(info.key, (await bench.objects.get(info.key))[:-1])


async def _lose_pages(bench: Bench) -> None:
    for info in await bench.objects.list("_heta/cache/parse/"):
        await bench.objects.delete(info.key)


async def _damage_note(bench: Bench) -> None:
    for info in await bench.objects.list("_heta/cache/listing/"):
        await bench.objects.put(info.key, (await bench.objects.get(info.key))[:-1])


@pytest.mark.parametrize("damage", [_lose_listing, _damage_listing, _lose_pages, _damage_note])
async def test_what_is_gone_or_damaged_is_made_anew_and_shared_again(
    first: StepExecutionContext,
    bench: Bench,
    damage: Callable[[Bench], Awaitable[None]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    await damage(bench)
    second = await bench.run(bench.context("two"), ParseDocuments())
    assert _left(second) == _left(first)
    assert len(await bench.documents(second)) == 3
    _forbid_parsing(monkeypatch)
    third = await bench.run(bench.context("three"), ParseDocuments())
    assert _left(third) == _left(first)


async def test_other_ids_metadata_or_parsers_make_another_listing(first: StepExecutionContext, bench: Bench) -> None:
    given = [SourceDocument("raw/a.txt", "own"), SourceDocument("raw/b.txt", metadata={"year": 1950})]
    second = await bench.run(bench.context("two", source_documents=given), ParseDocuments())
    own, dated = await bench.documents(second)
    assert (own.document_id, own.metadata, dated.metadata) == ("own", {}, {"year": 1950})

    class Shouting(TextParser):
        version = "2"

    bench.parsers = DocumentParserRegistry([Shouting(), HtmlParser()])
    third = await bench.run(bench.context("three"), ParseDocuments())
    keys = [{one.key: one.parse_key for one in await bench.documents(context)} for context in (first, third)]
    assert keys[0]["raw/a.txt"] != keys[1]["raw/a.txt"]
    assert keys[0]["raw/c.html"] == keys[1]["raw/c.html"]


async def test_a_listing_that_leaves_documents_out_is_not_shared(bench: Bench) -> None:
    await bench.put(d__bin=b"\0")
    contexts = [await bench.run(bench.context(name), ParseDocuments()) for name in ("one", "two")]
    assert [context.artifacts["parse_documents_result"].skipped_keys for context in contexts] == [("raw/d.bin",)] * 2
    assert await bench.objects.list("_heta/cache/listing/") == []
