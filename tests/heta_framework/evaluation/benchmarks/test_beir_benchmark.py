"""Datasets in BEIR's format: from a folder and from archives; ids, labels, what is left out and what is counted."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from heta_framework.common.data_files import DatasetFormatError
from heta_framework.common.datasets import ArchiveError, DownloadError, LicenceNotAccepted
from heta_framework.evaluation import (
    BEIR_RECOMMENDED_DATASETS,
    BeirBenchmark,
    BeirRetrievalMetric,
    BenchmarkRunUnit,
    BenchmarkWorkspace,
    beir_default_metrics,
)
from heta_framework.kb.search.types import QueryResponse, QueryResult

pytestmark = pytest.mark.anyio

_LONG_ID = "long " * 60
_CORPUS = [
    {"_id": "1", "title": "Piers", "text": "A pier stands in the sea.", "metadata": {"url": "x"}},
    {"_id": "a/b", "title": "", "text": "Boats."},
    {"_id": 3, "text": "Ropes."},
    {"_id": "empty", "title": "", "text": ""},
    {"_id": f" {_LONG_ID}", "title": "Only a title", "text": None},
]
_QUERIES = [
    {"_id": "q1", "text": "piers"},
    {"_id": "q2", "text": "not judged"},
    {"_id": "3", "text": "ropes"},
    {"_id": "q4", "text": "nothing relevant"},
]
_QRELS = "query-id\tcorpus-id\tscore\nq1\t1\t2\nq1\ta/b\t0\nq1\tempty\t-1\n3\t3\t1\nq4\t1\t0\nq9\t1\t1\n"

Collect = Callable[..., Awaitable[Any]]


def _files(**changed: str) -> dict[str, str]:
    files = {
        "corpus.jsonl": "".join(json.dumps(row) + "\n" for row in _CORPUS),
        "queries.jsonl": "".join(json.dumps(row) + "\n" for row in _QUERIES),
        "qrels/test.tsv": _QRELS,
    }
    return files | {name.replace("__", "/").replace("_DOT_", "."): content for name, content in changed.items()}


def _write(folder: Path, files: Mapping[str, str]) -> Path:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")
    return folder


def _zip(files: Mapping[str, str], folder: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            archive.writestr(f"{folder}/{name}", content)
    return buffer.getvalue()


async def test_documents_keep_their_own_ids(tmp_path: Path, collect: Collect) -> None:
    found = await collect(BeirBenchmark("toy", data_root=_write(tmp_path / "toy", _files())))
    assert [one.document_id for one in found.documents] == ["1", "a/b", "3", "empty", _LONG_ID.strip()]
    assert [one.data for one in found.documents] == [
        b"Piers\n\nA pier stands in the sea.",
        b"Boats.",
        b"Ropes.",
        b"",
        b"Only a title",
    ]
    first = found.documents[0]
    assert (first.name, first.media_type) == ("1.txt", "text/plain")
    assert first.metadata == {"beir_doc_id": "1", "beir_document_id": "1", "dataset": "toy", "title": "Piers"}
    assert len({one.raw_key(found.prepared.manifest) for one in found.documents}) == 5
    assert all(len(one.name) < 130 and "/" not in one.name for one in found.documents)


async def test_queries_without_labels_are_no_cases_and_are_counted(tmp_path: Path, collect: Collect) -> None:
    found = await collect(BeirBenchmark("toy", data_root=_write(tmp_path / "toy", _files())))
    assert [case.case_id for case in found.cases] == ["q1", "3", "q4"]
    assert found.cases[0].query == "piers"
    assert found.cases[0].labels == {"dataset": "toy", "split": "test"}
    counts = {
        "queries": 4,
        "cases": 3,
        "queries_without_qrels": 1,
        "cases_without_positive_qrels": 1,
        "qrels": 6,
        "qrels_without_query": 1,
    }
    assert counts.items() <= found.prepared.metadata.items()
    assert found.units == [BenchmarkRunUnit("corpus", metadata={"dataset": "toy", "split": "test"})]


async def test_graded_zero_and_negative_labels_are_kept(tmp_path: Path, collect: Collect) -> None:
    found = await collect(BeirBenchmark("toy", data_root=_write(tmp_path / "toy", _files())))
    labels = {
        case.case_id: {one.reference_id: one.metadata["relevance"] for one in case.expected.evidence}
        for case in found.cases
    }
    assert labels == {"q1": {"1": 2, "a/b": 0, "empty": -1}, "3": {"3": 1}, "q4": {"1": 0}}
    assert found.cases[0].expected.metadata == {"beir_query_id": "q1", "positive_qrels": 1}
    by_id = {one.document_id: one for one in found.documents}
    for evidence in found.cases[0].expected.evidence:
        key = by_id[evidence.reference_id].raw_key(found.prepared.manifest)
        assert key.startswith(evidence.locator["source_key_prefix"])


async def test_the_folder_of_the_datasets_name_is_found_too(tmp_path: Path, collect: Collect) -> None:
    _write(tmp_path / "toy", _files())
    assert len((await collect(BeirBenchmark("Toy ", data_root=tmp_path))).documents) == 5


async def test_other_splits_have_their_own_labels(tmp_path: Path, collect: Collect) -> None:
    root = _write(tmp_path / "toy", _files(qrels__dev_DOT_tsv="q2 0 1 1\nq2 0 3 2.0\n"))
    found = await collect(BeirBenchmark("toy", "dev", root))
    assert [case.case_id for case in found.cases] == ["q2"]
    assert found.prepared.manifest.split == "dev"
    with pytest.raises(FileNotFoundError, match=r"'qrels/deb\.tsv'.*splits dev, test; did you mean 'dev'"):
        await collect(BeirBenchmark("toy", "deb", root))


async def test_missing_files_are_named_and_datasets_nearby_too(tmp_path: Path, collect: Collect) -> None:
    with pytest.raises(FileNotFoundError, match=r"missing required files: \['corpus\.jsonl', 'queries\.jsonl', 'qrels"):
        await collect(BeirBenchmark("toy", data_root=tmp_path))
    _write(tmp_path / "forums" / "android", _files())
    with pytest.raises(FileNotFoundError, match="in its folders android: give one of them as data_root"):
        await collect(BeirBenchmark("cqa", data_root=tmp_path / "forums"))


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"qrels__test_DOT_tsv": "q1\t1\t1\nq1\t1\tmany\n"}, r"test\.tsv:2: label: found 'many'; expected a finite"),
        ({"qrels__test_DOT_tsv": "q1\t1\tnan\nq1\t1\tinf\n"}, r"test\.tsv:2: label: found 'inf'"),
        ({"qrels__test_DOT_tsv": "q1\t1\n"}, r"test\.tsv:1: found 2 columns; expected query, document, label"),
        ({"qrels__test_DOT_tsv": "q1\t \t1\n"}, r"test\.tsv:1: found an empty id"),
        ({"qrels__test_DOT_tsv": "q7\t1\t1\n"}, r"no query of .*queries\.jsonl has a label"),
        ({"corpus_DOT_jsonl": '{"id": "1"}\n'}, r"corpus\.jsonl:1: _id: "),
        ({"corpus_DOT_jsonl": '{"_id": " ", "text": "x"}\n'}, r"corpus\.jsonl:1: _id: "),
        ({"corpus_DOT_jsonl": "[]\n"}, r"corpus\.jsonl:1: found no object"),
        ({"queries_DOT_jsonl": '{"_id": "q1"}\n'}, r"queries\.jsonl:1: text: found nothing; expected the text of"),
    ],
)
async def test_wrong_rows_are_named_with_file_and_line(
    tmp_path: Path, collect: Collect, changed: dict[str, str], message: str
) -> None:
    with pytest.raises(DatasetFormatError, match=message):
        await collect(BeirBenchmark("toy", data_root=_write(tmp_path / "toy", _files(**changed))))


async def test_an_archive_is_downloaded_once_recorded_and_unpacked(
    web: Any, workspace: BenchmarkWorkspace, collect: Collect
) -> None:
    web["/toy.zip"] = _zip(_files(), "toy")
    benchmark = BeirBenchmark("toy", dataset_url=f"{web.url}/toy.zip?token=hidden1234", accept_licence=True)
    web["/toy.zip?token=hidden1234"] = web["/toy.zip"]
    found = await collect(benchmark)
    assert len(found.documents) == 5
    again = BeirBenchmark("toy", dataset_url=f"{web.url}/toy.zip?token=hidden1234", download=False)
    assert len((await collect(again)).documents) == 5
    assert len(web.asked) == 1
    folder = workspace.cache_dir / "beir_toy"
    digest = hashlib.sha256(web["/toy.zip"]).hexdigest()
    assert (folder / "toy.zip.sha256").read_text().startswith(digest)
    assert "hidden1234" not in json.dumps(benchmark.manifest.to_dict()) + json.dumps(benchmark.resources()[0].to_dict())


async def test_another_archive_than_the_first_is_refused(
    web: Any, workspace: BenchmarkWorkspace, collect: Collect
) -> None:
    web["/toy.zip"] = _zip(_files(), "toy")
    benchmark = BeirBenchmark("toy", dataset_url=f"{web.url}/toy.zip", accept_licence=True)
    await collect(benchmark)
    (workspace.cache_dir / "beir_toy" / "toy.zip").unlink()
    web["/toy.zip"] = _zip(_files(qrels__test_DOT_tsv="q1\t1\t1\n"), "toy")
    with pytest.raises(DownloadError, match="is not the file that was downloaded first"):
        await collect(benchmark)


async def test_a_registered_dataset_must_have_the_published_checksum_also_at_another_place(
    web: Any, collect: Collect
) -> None:
    web["/quora.zip"] = _zip(_files(), "quora")
    benchmark = BeirBenchmark("quora", dataset_url=f"{web.url}/quora.zip", accept_licence=True)
    with pytest.raises(DownloadError, match=r"is not the registered file: .*md5:18fb154900ba42a600f84b839c173167"):
        await collect(benchmark)


async def test_nothing_is_downloaded_before_its_licence_is_accepted(web: Any, collect: Collect) -> None:
    benchmark = BeirBenchmark("fiqa", dataset_url=f"{web.url}/fiqa.zip")
    with pytest.raises(LicenceNotAccepted, match=r"unnamed, non-commercial.*\n.*\n  commercial use: not allowed"):
        await collect(benchmark)
    assert web.asked == []


async def test_without_the_network_it_says_where_to_put_the_archive(
    workspace: BenchmarkWorkspace, collect: Collect
) -> None:
    place = workspace.cache_dir / "beir_scifact" / "scifact.zip"
    with pytest.raises(FileNotFoundError, match=f"{place} \\(missing\\); put https://.*scifact.zip there by hand"):
        await collect(BeirBenchmark("scifact", download=False))


async def test_an_archive_put_by_hand_is_used_and_so_is_the_data_cache(
    workspace: BenchmarkWorkspace, collect: Collect, tmp_path: Path
) -> None:
    place = tmp_path / "data_cache" / "beir_toy"
    place.mkdir(parents=True)
    (place / "toy.zip").write_bytes(_zip(_files(), "toy"))
    assert len((await collect(BeirBenchmark("toy", download=False))).documents) == 5
    assert not (workspace.cache_dir / "beir_toy" / "toy.zip").exists()


async def test_an_archive_that_leads_out_of_its_folder_is_refused(
    web: Any, workspace: BenchmarkWorkspace, collect: Collect
) -> None:
    web["/toy.zip"] = _zip({"../../evil.txt": "x"}, "toy")
    with pytest.raises(ArchiveError, match="unsafe zip member path"):
        await collect(BeirBenchmark("toy", dataset_url=f"{web.url}/toy.zip", accept_licence=True))
    assert not list(workspace.root_dir.rglob("evil.txt"))


@pytest.mark.parametrize("name", ["a/b", "a\\b", "..", " "])
def test_a_dataset_is_an_id_and_no_path(name: str) -> None:
    with pytest.raises(ValueError, match="dataset must"):
        BeirBenchmark(name)
    with pytest.raises(ValueError, match="split must"):
        BeirBenchmark("toy", name)
    with pytest.raises(ValueError, match="dataset_url must be an address"):
        BeirBenchmark("toy", dataset_url=f"ftp://{name}")


def test_what_it_says_of_itself() -> None:
    benchmark = BeirBenchmark("SciFact")
    manifest = benchmark.manifest
    assert (manifest.key, manifest.task_type) == ("beir_scifact:official:test", "scientific_fact_retrieval")
    assert manifest.metadata["recommended"]
    assert BEIR_RECOMMENDED_DATASETS[0] == "scifact"
    (resource,) = benchmark.resources()
    assert resource.kind == "archive"
    assert str(resource.checksum).startswith("sha256:")
    assert benchmark.evaluators() == beir_default_metrics()
    assert BeirBenchmark("unheard-of").manifest.license == "unknown"


@pytest.mark.parametrize(
    ("dataset", "chosen", "ignored"),
    [
        ("toy", None, False),
        ("quora", None, True),
        ("arguana", None, True),
        ("toy", True, True),
        ("quora", False, False),
    ],
)
async def test_the_querys_own_document_is_left_out_where_queries_are_documents(
    tmp_path: Path, collect: Collect, dataset: str, chosen: bool | None, ignored: bool
) -> None:
    files = _files(qrels__test_DOT_tsv="3\t1\t1\n")
    benchmark = BeirBenchmark(dataset, data_root=_write(tmp_path / "x", files), ignore_identical_ids=chosen)
    (case,) = (await collect(benchmark)).cases
    response = QueryResponse(
        "m", tuple(QueryResult(name, "t", 1.0 - rank, source={"document_id": name}) for rank, name in enumerate("31"))
    )
    score = await BeirRetrievalMetric("mrr", 10).evaluate(case=case, response=response)
    assert score.value == (1.0 if ignored else 0.5)
    assert benchmark.manifest.metadata["ignore_identical_ids"] is ignored
