"""Queries with their labels as cases, and how many there are of what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from heta_framework.common.data_files import DatasetFormatError
from heta_framework.evaluation.benchmarks.beir.corpus import read_queries
from heta_framework.evaluation.benchmarks.beir.folder import BeirFolder
from heta_framework.evaluation.benchmarks.beir.qrels import read_qrels
from heta_framework.evaluation.types import BenchmarkCase, BenchmarkEvidence, BenchmarkExpected, BenchmarkManifest
from heta_framework.evaluation.types.raw_keys import segment


class CaseShape(NamedTuple):
    """What all cases of a dataset share.

    Attributes:
        manifest: of the benchmark, for the raw keys of documents.
        dataset: its id.
        ignores_query: whether the document with the query's id is left out of every ranking.
    """

    manifest: BenchmarkManifest
    dataset: str
    ignores_query: bool


def read_judged_cases(folder: BeirFolder, shape: CaseShape) -> Iterator[BenchmarkCase]:
    """The queries that have any label, in the order of their file.

    Every label becomes evidence, zero and negative ones too: its ``metadata["relevance"]`` is the label.

    Raises:
        DatasetFormatError: a file is not in the format, or a labelled query is empty.
    """
    qrels = read_qrels(folder.qrels)
    raw_folder = f"raw/benchmarks/{segment(shape.manifest.name)}/{segment(shape.manifest.split)}"
    for place, query_id, text in read_queries(folder.queries):
        labels = qrels.get(query_id)
        if labels is None:
            continue
        if not text:
            raise DatasetFormatError(place, "text", f"found nothing; expected the text of the query {query_id!r}")
        yield _case(query_id, text, labels, raw_folder, shape)


def tally(folder: BeirFolder) -> dict[str, Any]:
    """Counts of queries and labels, after a look at all of them.

    Raises:
        DatasetFormatError: a file is not in the format, or no query has a label.
    """
    qrels = read_qrels(folder.qrels)
    queries = {query_id for _, query_id, _ in read_queries(folder.queries)}
    judged = queries & qrels.keys()
    if not judged:
        message = f"no query of {folder.queries} has a label; expected the same ids in both files"
        raise DatasetFormatError(folder.qrels, "", message)
    return {
        "queries": len(queries),
        "cases": len(judged),
        "queries_without_qrels": len(queries) - len(judged),
        "cases_without_positive_qrels": sum(max(qrels[query].values()) <= 0 for query in judged),
        "qrels": sum(len(labels) for labels in qrels.values()),
        "qrels_without_query": sum(len(labels) for query, labels in qrels.items() if query not in queries),
    }


def _case(query_id: str, text: str, labels: Mapping[str, int], raw_folder: str, shape: CaseShape) -> BenchmarkCase:
    evidence = tuple(_evidence(document, level, raw_folder) for document, level in labels.items())
    facts = {"beir_query_id": query_id, "positive_qrels": sum(level > 0 for level in labels.values())}
    metadata: dict[str, Any] = {"beir_query_id": query_id, "dataset": shape.dataset}
    if shape.ignores_query:
        metadata["ignored_document_ids"] = [query_id]
    return BenchmarkCase(
        query_id,
        text,
        BenchmarkExpected(evidence=evidence, metadata=facts),
        {"dataset": shape.dataset, "split": shape.manifest.split},
        metadata,
    )


def _evidence(document: str, level: int, raw_folder: str) -> BenchmarkEvidence:
    return BenchmarkEvidence(
        document,
        {"source_key_prefix": f"{raw_folder}/{segment(document)}/"},
        metadata={"beir_doc_id": document, "beir_document_id": document, "relevance": level},
    )
