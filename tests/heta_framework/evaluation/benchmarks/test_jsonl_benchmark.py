"""Your own documents and cases: what rows may hold, and what is said of those that are wrong."""

from __future__ import annotations

import base64
import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from heta_framework.common.data_files import DatasetFormatError
from heta_framework.evaluation import (
    AnswerContains,
    BenchmarkManifest,
    BenchmarkRunUnit,
    BenchmarkWorkspace,
    EvidenceRecallAtK,
    JsonlBenchmark,
)
from heta_framework.evaluation.benchmarks.jsonl.rows import read_cases, read_documents

pytestmark = pytest.mark.anyio

_MANIFEST = BenchmarkManifest("harbour", "v1", "test", "rag_qa")
_DOCUMENT = {"document_id": "d1", "name": "d1.txt", "media_type": "text/plain", "text": "The pier is long."}
_CASE: dict[str, Any] = {"case_id": "c1", "query": "How long is the pier?"}

Collect = Callable[..., Awaitable[Any]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Inside another one, so that there is an outside."""
    inner = tmp_path / "benchmark"
    inner.mkdir()
    return inner


def _benchmark(folder: Path, documents: str | bytes = "", cases: str | bytes = "", **more: Any) -> JsonlBenchmark:
    for name, content in (("documents.jsonl", documents), ("cases.jsonl", cases)):
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return JsonlBenchmark(_MANIFEST, folder / "documents.jsonl", folder / "cases.jsonl", **more)


def _lines(*rows: Any) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


async def test_rows_become_documents_and_cases(folder: Path, collect: Collect) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "file.pdf").write_bytes(b"%PDF")
    evidence = {"locator": {"document_id": "d1", "page_index": 4}, "text": "long", "metadata": {"by": "Ada"}}
    case = {
        **_CASE,
        "expected": {"answers": ["long", "very long"], "evidence": [evidence, {"reference_id": "d2"}], "value": 3.5},
        "labels": {"kind": "length"},
        "metadata": {"n": 1},
    }
    documents = _lines(
        {**_DOCUMENT, "metadata": {"place": "south"}},
        {
            "document_id": "b/64",
            "name": "b.bin",
            "media_type": "x/y",
            "data_base64": base64.b64encode(b"\0\1").decode(),
        },
        {"document_id": "p", "name": "p.pdf", "media_type": "application/pdf", "path": "sub/file.pdf"},
        {"document_id": "u", "name": "u.html", "media_type": "text/html", "source_uri": "https://127.0.0.1/u"},
        {"document_id": "e", "name": "e.txt", "media_type": "text/plain", "text": ""},
    )
    found = await collect(_benchmark(folder, documents, _lines(case, {"case_id": "c2", "query": "Why?"})))
    assert [one.document_id for one in found.documents] == ["d1", "b/64", "p", "u", "e"]
    text, encoded, file, address, empty = found.documents
    assert (text.data, text.metadata) == (b"The pier is long.", {"place": "south"})
    assert (encoded.data, file.path, address.source_uri, empty.data) == (
        b"\0\1",
        folder / "sub" / "file.pdf",
        "https://127.0.0.1/u",
        b"",
    )
    first, second = found.cases
    assert first.expected.answers == ("long", "very long")
    assert first.expected.evidence[0].locator == {"document_id": "d1", "page_index": 4}
    assert (first.expected.evidence[1].reference_id, first.expected.value) == ("d2", 3.5)
    assert (first.labels, first.metadata) == ({"kind": "length"}, {"n": 1})
    assert second.expected.answers == second.expected.evidence == ()
    assert found.units == [BenchmarkRunUnit(unit_id="corpus")]
    assert found.prepared.root_dir == folder


async def test_names_are_strings_as_well_and_the_defaults_are_documented(folder: Path, collect: Collect) -> None:
    made = _benchmark(folder, _lines(_DOCUMENT), _lines(_CASE))
    benchmark = JsonlBenchmark(
        manifest=_MANIFEST,
        documents_jsonl=str(made.documents_jsonl),  # type: ignore[arg-type]
        cases_jsonl=str(made.cases_jsonl),  # type: ignore[arg-type]
    )
    assert len((await collect(benchmark)).documents) == 1
    assert benchmark.evaluators() == (EvidenceRecallAtK(5), AnswerContains())
    assert benchmark.resources() == ()


async def test_a_byte_order_mark_crlf_and_empty_lines_do_not_count(folder: Path, collect: Collect) -> None:
    documents = b"\xef\xbb\xbf" + _lines(_DOCUMENT).encode().replace(b"\n", b"\r\n") + b"\r\n  \n"
    found = await collect(_benchmark(folder, documents, b"\xef\xbb\xbf\r\n" + _lines(_CASE).encode()))
    assert (len(found.documents), len(found.cases)) == (1, 1)


async def test_rows_are_read_when_they_are_asked_for(folder: Path, workspace: BenchmarkWorkspace) -> None:
    rows = [{**_DOCUMENT, "document_id": f"d{number}"} for number in range(600)]
    benchmark = _benchmark(folder, _lines(*rows) + "broken", _lines(_CASE))
    prepared = await benchmark.prepare(workspace)
    documents = benchmark.documents(prepared)
    assert [(await anext(documents)).document_id for _ in range(512)][-1] == "d511"
    with pytest.raises(DatasetFormatError, match=r"documents\.jsonl:601.*not valid JSON"):
        await anext(documents)


@pytest.mark.parametrize("missing", ["documents.jsonl", "cases.jsonl"])
async def test_a_missing_file_is_named(folder: Path, workspace: BenchmarkWorkspace, missing: str) -> None:
    benchmark = _benchmark(folder)
    (folder / missing).unlink()
    with pytest.raises(FileNotFoundError, match=missing):
        await benchmark.prepare(workspace)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"documentid": "x"}, r":2: documentid: .*did you mean 'document_id'"),
        ({"text": None}, r":2: found none of them; expected exactly one of text, data_base64, path, source_uri"),
        ({"data_base64": "QQ=="}, r":2: found text and data_base64; expected exactly one of"),
        ({"text": None, "data_base64": "Q!Q"}, r":2: data_base64: found 'Q!Q', which is no base64"),
        ({"text": None, "data_base64": "ä"}, r":2: data_base64: found 'ä', which is no base64"),
        ({"text": None, "path": "nowhere.txt"}, r":2: path: found 'nowhere.txt', where there is no file"),
        ({"document_id": 7}, r":2: document_id: found 7; must be text"),
        ({"document_id": " "}, r":2: document_id must not be empty"),
        ({"name": "../up.txt"}, r":2: name must be a file name, not a path"),
        ({"metadata": []}, r":2: metadata: "),
    ],
)
async def test_a_wrong_document_is_named_with_line_and_field(
    folder: Path, collect: Collect, change: dict[str, Any], message: str
) -> None:
    documents = _lines(_DOCUMENT, {**_DOCUMENT, "document_id": "d2", **change})
    with pytest.raises(ValueError, match=r"documents\.jsonl" + message):
        await collect(_benchmark(folder, documents, _lines(_CASE)))


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ([1], r":2: JSONL row must be an object; found \[1\]"),
        ({"case_id": "c2"}, r":2: query: "),
        ({"case_id": "c2", "query": "  "}, r":2: query must not be empty"),
        ({**_CASE, "expected": {"answer": ["x"]}}, r":2: expected, answer: .*did you mean 'answers'"),
        ({**_CASE, "expected": {"answers": "x"}}, r":2: expected, answers: "),
        ({**_CASE, "expected": {"evidence": [{"metadata": {}}]}}, r":2: evidence must set at least one of"),
        ({**_CASE, "expected": {"evidence": [{"page": 1}]}}, r":2: expected, evidence 0, page: "),
    ],
)
async def test_a_wrong_case_is_named_with_line_and_field(
    folder: Path, collect: Collect, row: Any, message: str
) -> None:
    with pytest.raises(ValueError, match=r"cases\.jsonl" + message):
        await collect(_benchmark(folder, _lines(_DOCUMENT), _lines(_CASE, row)))


@pytest.mark.parametrize("path", ["../secret.txt", "/etc/hostname", "link.txt", "dir/secret.txt", "a\0b", ".", ""])
async def test_a_path_stays_below_the_root_also_through_links(folder: Path, collect: Collect, path: str) -> None:
    (folder.parent / "secret.txt").write_text("secret")
    (folder / "link.txt").symlink_to(folder.parent / "secret.txt")
    (folder / "dir").symlink_to(folder.parent, target_is_directory=True)
    row = {"document_id": "d", "name": "d.txt", "media_type": "text/plain", "path": path}
    with pytest.raises(DatasetFormatError, match=r"documents\.jsonl:1: path: found .*expected a path below"):
        await collect(_benchmark(folder, _lines(row), _lines(_CASE)))


async def test_a_chosen_root_is_the_one_that_paths_are_relative_to(folder: Path, collect: Collect) -> None:
    (folder.parent / "elsewhere").mkdir()
    (folder.parent / "elsewhere" / "d.txt").write_text("content")
    row = {"document_id": "d", "name": "d.txt", "media_type": "text/plain", "path": "d.txt"}
    root = folder.parent / "elsewhere"
    found = await collect(_benchmark(folder, _lines(row), _lines(_CASE), root_dir=root))
    assert found.documents[0].path == root / "d.txt"
    assert found.prepared.root_dir == root


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text("ab/.\\_", max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from([*_DOCUMENT, "path", "case_id", "query", "expected"]), inner, max_size=4)
    ),
    max_leaves=8,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(st.lists(_JSON, max_size=3))
def test_any_rows_are_read_or_refused_with_their_line(tmp_path: Path, rows: list[Any]) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(_lines(*rows))
    for read in (lambda: read_documents(path, tmp_path), lambda: read_cases(path)):
        with suppress(DatasetFormatError):
            assert len(list(read())) == len(rows)
