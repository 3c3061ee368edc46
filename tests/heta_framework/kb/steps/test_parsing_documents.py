"""ParseDocuments: which documents go in, what they are called, and what is said of those that cannot."""

import pytest
from step_bench import Bench, codes

from heta_framework.common.stores.object import MemoryObjectStore
from heta_framework.kb.delta import Delta
from heta_framework.kb.documents import SourceDocument
from heta_framework.kb.errors import StepError
from heta_framework.kb.parsing import DocumentParserRegistry, ParsedDocument, ParsedPage, ParsedSource, TextParser
from heta_framework.kb.parsing.types import make_document_id
from heta_framework.kb.steps.parse_documents import ParseDocuments, ParseDocumentsConfig

pytestmark = pytest.mark.anyio


class Shouting:
    """A parser of the caller's own; counts its work."""

    supported_file_types = frozenset({"shout"})

    def __init__(self, version: int = 1) -> None:
        self.version = version
        self.parsed: list[str] = []

    async def parse(self, source: ParsedSource, data: bytes) -> ParsedDocument:
        self.parsed.append(source.key)
        if data == b"crash":
            raise RuntimeError("out of paper")
        if data == b"refuse":
            raise ValueError("not today")
        return ParsedDocument(
            make_document_id(source.content_sha256), source, [ParsedPage(0, data.decode().upper() + "\0\ud800")]
        )


async def test_everything_below_the_raw_prefix_goes_in_when_nobody_says_which() -> None:
    bench = Bench()
    await bench.put(a__txt="alpha beta", b__html="<p>one")
    await bench.objects.put("other/c.txt", b"not below raw")
    context = await bench.run(bench.context(), ParseDocuments())
    assert [(entry.key, entry.file_type) for entry in await bench.documents(context)] == [
        ("raw/a.txt", "txt"),
        ("raw/b.html", "html"),
    ]
    assert sorted(context.artifacts["document_token_counts"].values()) == [1, 2]
    assert context.issues == []


@pytest.mark.parametrize(
    "artifacts",
    [
        {"source_documents": ({"key": "raw/b.txt"},), "source_keys": ("raw/a.txt",)},
        {"source_documents": (SourceDocument("raw/b.txt"),)},
        {"source_keys": ("raw/b.txt", "raw/b.txt")},
    ],
)
async def test_units_see_only_their_own_documents(artifacts: dict[str, object]) -> None:
    bench = Bench()
    await bench.put(a__txt="a", b__txt="b")
    context = await bench.run(bench.context(**artifacts), ParseDocuments())
    assert [entry.key for entry in await bench.documents(context)] == ["raw/b.txt"]


async def test_no_source_keys_is_no_documents_and_not_all() -> None:
    bench = Bench()
    await bench.put(a__txt="a")
    context = await bench.run(bench.context(source_keys=()), ParseDocuments())
    assert context.artifacts["parsed_document_keys"] == ()


async def test_documents_keep_the_callers_ids_and_metadata() -> None:
    bench = Bench()
    await bench.put(a__txt="same", b__txt="same", c__txt="same", d__txt="same")
    given = (
        SourceDocument("raw/d.txt"),
        SourceDocument("raw/b.txt", "a/b", metadata={"year": 1950}),
        SourceDocument("raw/c.txt"),
        SourceDocument("raw/a.txt", "doc_0967115f2813a354"),
    )
    context = await bench.run(bench.context(source_documents=given), ParseDocuments())
    entries = await bench.documents(context)
    assert [entry.document_id for entry in entries] == [
        "doc_0967115f2813a354",
        "a/b",
        "doc_0967115f2813a354_2",
        "doc_0967115f2813a354_3",
    ]
    assert [entry.metadata for entry in entries][:2] == [{}, {"year": 1950}]
    assert len({entry.parse_key for entry in entries}) == 1


async def test_two_documents_of_one_id_are_refused_by_their_keys() -> None:
    bench = Bench()
    given = [SourceDocument("raw/a.txt", "x"), SourceDocument("raw/b.txt", "x")]
    with pytest.raises(ValueError, match=r"'x'.*raw/a\.txt.*raw/b\.txt"):
        await ParseDocuments().run(bench.context(source_documents=given))


async def test_a_raw_document_that_is_not_there_is_named() -> None:
    bench = Bench()
    await bench.put(a__txt="a")
    with pytest.raises(StepError, match=r"raw/gone\.txt") as caught:
        await ParseDocuments().run(bench.context(source_keys=["raw/a.txt", "raw/gone.txt"]))
    assert caught.value.document == "raw/gone.txt"


async def test_what_does_not_become_text_is_reported_never_passed_over() -> None:
    bench = Bench()
    await bench.put(a__bin=b"\0", b="no suffix", c__pdf=b"no pdf", d__txt="", e__txt=" \n", f__txt="x" * 99)
    step = ParseDocuments(ParseDocumentsConfig(max_document_bytes=50))
    context = await bench.run(bench.context(), step)
    reported = {issue.details["key"]: (issue.code, issue.severity) for issue in context.issues}
    assert reported == {
        "raw/a.bin": ("unsupported_file_type", "error"),
        "raw/b": ("unsupported_file_type", "error"),
        "raw/c.pdf": ("unreadable_document", "error"),
        "raw/d.txt": ("empty_document", "info"),
        "raw/e.txt": ("empty_document", "info"),
        "raw/f.txt": ("document_too_large", "error"),
    }
    result = context.artifacts["parse_documents_result"]
    assert result.skipped_keys == ("raw/a.bin", "raw/b", "raw/c.pdf", "raw/f.txt")
    assert [entry.key for entry in await bench.documents(context)] == ["raw/d.txt", "raw/e.txt"]
    assert "csv" in context.issues[0].message


@pytest.mark.parametrize(("name", "data"), [("a__bin", b"x"), ("a__pdf", b"x")])
async def test_strict_parsing_fails_at_the_document(name: str, data: bytes) -> None:
    bench = Bench()
    await bench.put(**{name: data})
    with pytest.raises(StepError, match=r"raw/a\.") as caught:
        await ParseDocuments(ParseDocumentsConfig(skip_unsupported=False)).run(bench.context())
    assert caught.value.document == f"raw/{name.replace('__', '.')}"


async def test_equal_content_is_parsed_once_for_all_knowledge_bases_unless_the_parser_changes() -> None:
    parser = Shouting()
    bench = Bench(parsers=DocumentParserRegistry([parser]))
    await bench.put(a__shout="hey", b__shout="hey")
    for namespace in ("one", "two"):
        context = await bench.run(bench.context(namespace), ParseDocuments())
        assert len(await bench.documents(context)) == 2
    assert len(parser.parsed) == 1
    bench.parsers = DocumentParserRegistry([other := Shouting(version=2)])
    await bench.run(bench.context("three"), ParseDocuments())
    assert len(other.parsed) == 1


async def test_a_parser_that_refuses_loses_one_document_and_one_that_crashes_fails_the_step() -> None:
    bench = Bench(parsers=DocumentParserRegistry([Shouting()]))
    await bench.put(a__shout="refuse", b__shout="ok")
    context = await bench.run(bench.context(), ParseDocuments())
    assert codes(context) == ["unreadable_document"]
    assert "not today" in context.issues[0].message
    await bench.put(c__shout="crash")
    with pytest.raises(StepError, match=r"raw/c\.shout: Shouting failed: RuntimeError: out of paper"):
        await ParseDocuments().run(bench.context())


async def test_what_a_document_lacks_is_said_by_every_build_of_it() -> None:
    bench = Bench()
    await bench.put(a__jsonl='{"a": 1}\n{')
    for namespace in ("one", "two"):
        context = await bench.run(bench.context(namespace), ParseDocuments())
        assert codes(context) == ["malformed_record"]


async def test_an_update_adds_replaces_and_removes() -> None:
    bench = Bench()
    await bench.put(a__txt="a", b__txt="b", c__txt="c")
    given = [SourceDocument("raw/a.txt", "A"), SourceDocument("raw/b.txt", "B"), SourceDocument("raw/c.txt")]
    before = await bench.run(bench.context(source_documents=given), ParseDocuments())
    await bench.put(c__txt="new c", d__txt="b")
    added = [SourceDocument("raw/d.txt", "B"), SourceDocument("raw/c.txt")]
    old = {entry.key: entry.document_id for entry in await bench.documents(before)}
    for _ in range(2):  # an update that was killed is done again
        delta = Delta.update(add=added, remove=["A"])
        after = await bench.run(bench.context(delta=delta, **before.artifacts), ParseDocuments())
        assert {entry.key for entry in await bench.documents(after)} == {"raw/c.txt", "raw/d.txt"}
        assert delta.removed_document_ids == {"A", "B", old["raw/c.txt"]}
        assert set(delta.added_document_keys) <= set(after.artifacts["parsed_document_keys"])
        assert set(after.artifacts["document_token_counts"]) == {
            entry.document_id for entry in await bench.documents(after)
        }


async def test_packs_of_a_killed_run_are_swept_and_those_of_others_stay() -> None:
    bench = Bench()
    await bench.put(a__txt="a")
    other = await bench.run(bench.context("other"), ParseDocuments())
    await bench.objects.put("parsed/one/leftover.pack", b"half")
    before = await bench.run(bench.context("one"), ParseDocuments())
    assert await bench.objects.exists("parsed/one/leftover.pack"), "a build does not know what is still needed"
    context = await bench.run(bench.context("one", Delta.update(), **before.artifacts), ParseDocuments())
    keys = {info.key for info in await bench.objects.list("parsed/")}
    assert keys == {*context.artifacts["parsed_document_keys"], *other.artifacts["parsed_document_keys"]}


async def test_a_damaged_listing_is_noticed_and_goes_with_the_knowledge_base() -> None:
    bench = Bench()
    await bench.put(a__txt="a")
    step = ParseDocuments()
    context = await bench.run(bench.context(), step)
    assert await step.intact(context)
    [key] = context.artifacts["parsed_document_keys"]
    targets = step.cleanup_plan(context.artifacts).targets
    assert [(target.kind, target.value) for target in targets] == [
        ("object_key", key),
        ("runtime_prefix", "parsed/one/"),
    ]
    await bench.objects.put(key, b"half")
    assert not await step.intact(context)


async def test_text_never_holds_what_no_store_takes() -> None:
    bench = Bench(parsers=DocumentParserRegistry([Shouting(), TextParser()]))
    await bench.put(a__shout="hey", b__txt=b"a\0b")
    context = await bench.run(bench.context(), ParseDocuments())
    assert isinstance(bench.objects, MemoryObjectStore)
    assert len(await bench.documents(context)) == 2


async def test_what_was_parsed_before_a_failure_is_not_parsed_again() -> None:
    bench = Bench(parsers=DocumentParserRegistry([parser := Shouting()]))
    for number in range(40):
        await bench.objects.put(f"raw/{number:02}.shout", f"hey {number}".encode())
    await bench.objects.put("raw/35.shout", b"crash")
    with pytest.raises(StepError):
        await ParseDocuments().run(bench.context())
    await bench.objects.put("raw/35.shout", b"mended")
    parser.parsed.clear()
    await ParseDocuments().run(bench.context())
    assert 0 < len(parser.parsed) < 20
