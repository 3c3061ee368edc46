"""The benchmark's own document id is found wherever a result carries it."""

from __future__ import annotations

from typing import Any

import pytest

from heta_framework.evaluation.trec import document_ids_of
from heta_framework.kb import QueryResult

MADE = "doc_0123456789abcdef"


@pytest.mark.parametrize(
    ("source", "metadata", "ids"),
    [
        ({"document_id": "d1", "object_key": "raw/benchmarks/b/test/other/x.txt"}, {}, ("d1",)),
        ({"document_id": "doc_7"}, {}, ("doc_7",)),
        ({"document_id": "d1", "document_ids": ("d1", "d2")}, {}, ("d1", "d2")),
        ({"document_id": 7}, {}, ("7",)),
        ({"document_id": "internal", "beir_document_id": "d1"}, {}, ("d1",)),
        ({"document_id": "internal"}, {"benchmark_document_ids": ["d2", "d1"]}, ("d2", "d1")),
        ({"document_id": MADE, "origin": {"benchmark_document_id": "d1"}}, {}, ("d1",)),
        ({"document_id": MADE, "object_key": "raw/benchmarks/b/test/d1/d1.txt"}, {}, ("d1",)),
        ({"document_id": MADE, "origin": {"object_key": "raw/benchmarks/b/test/d1/d1.txt"}}, {}, ("d1",)),
        ({}, {"origin_source_key": "raw/benchmarks/b/test/d1/d1.txt"}, ("d1",)),
        ({"source_keys": ("raw/benchmarks/b/s/d1/f", "raw/benchmarks/b/s/d2/f")}, {}, ("d1", "d2")),
        ({"object_key": "raw/benchmarks/b/test/a/b/name.txt"}, {}, ("a/b",)),
        ({"object_key": "elsewhere/beir/scifact/d1/d1.txt"}, {}, ("d1",)),
        ({"object_key": "elsewhere/beir/scifact/d1"}, {}, ("d1",)),
        ({"document_id": MADE, "object_key": "raw/mine.txt"}, {}, (MADE,)),
        ({"document_id": "", "object_key": "raw/mine.txt"}, {}, ()),
        ({}, {}, ()),
    ],
)
def test_the_id_is_found(source: dict[str, Any], metadata: dict[str, Any], ids: tuple[str, ...]) -> None:
    assert document_ids_of(QueryResult("chunk_1", "text", 1.0, source=source, metadata=metadata)) == ids


@pytest.mark.parametrize("document", ["a/b", "/etc/x", "x" * 300, "a b", "漢/字"])
def test_ids_of_any_shape_are_kept_as_they_are(document: str) -> None:
    assert document_ids_of(QueryResult("chunk_1", "text", source={"document_id": document})) == (document,)
