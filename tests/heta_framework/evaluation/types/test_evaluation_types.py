"""The value types: what they refuse, how they become data, where their keys lead."""

import json
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heta_framework.common.stores.object.keys import check_key
from heta_framework.evaluation import (
    BenchmarkCase,
    BenchmarkDocument,
    BenchmarkEvidence,
    BenchmarkExpected,
    BenchmarkManifest,
    BenchmarkResource,
    BenchmarkRunUnit,
    EvaluationCaseResult,
    EvaluationError,
    EvaluationReport,
    EvaluationScore,
    default_report_key,
)
from heta_framework.evaluation.types.json_safe import json_safe
from heta_framework.kb.search.types import QueryInsight, QueryResponse, QueryResult

_MANIFEST = BenchmarkManifest("gulls", "v1", "test", "rag_qa")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: BenchmarkManifest(" ", "v1", "test", "rag"), "name must not be empty"),
        (lambda: BenchmarkManifest("n", "v1", "test", "rag", "all"), "build_scope must be one of: corpus, group, case"),  # type: ignore[arg-type]
        (lambda: BenchmarkResource("n", "u", "disk"), "kind must be one of: file, archive, dataset"),  # type: ignore[arg-type]
        (lambda: BenchmarkResource("n", "u", size_bytes=0), "size_bytes must be greater than zero"),
        (lambda: BenchmarkDocument("d", "a/b.txt", "text/plain", b""), "name must be a file name, not a path"),
        (lambda: BenchmarkDocument("d", "..", "text/plain", b""), "name must be a file name, not a path"),
        (lambda: BenchmarkDocument("d", "b.txt", "t"), "exactly one of data, path, or source_uri must be set"),
        (lambda: BenchmarkDocument("d", "b.txt", "t", b"", Path("x")), "exactly one of data, path, or source_uri"),
        (lambda: BenchmarkEvidence(), "evidence must set at least one of reference_id, locator, or text"),
        (lambda: BenchmarkExpected(("",)), "answers must not be empty"),
        (lambda: EvaluationScore("s", float("nan")), "the value of s must be finite"),
        (lambda: EvaluationScore("s", 1e308), r"the value of s must be at most 1e\+100 either way"),
        (lambda: EvaluationScore("s", -(10**200)), r"the value of s must be at most 1e\+100 either way"),
        (lambda: EvaluationScore("s", " "), "the value of s must not be empty"),
        (lambda: EvaluationCaseResult("c", "q", "m"), "either response or error must be set"),
        (lambda: EvaluationCaseResult("c", "q", "m", (), QueryResponse("m"), -1.0), "latency_ms must not be negative"),
    ],
)
def test_what_is_wrong_is_refused_by_name(make: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()


def test_a_score_takes_numbers_of_numpy_and_knows_whether_it_counts() -> None:
    assert EvaluationScore("s", cast("float", np.float32(0.5))).value == 0.5
    assert EvaluationScore("s", cast("bool", np.bool_(True))).value is True
    assert EvaluationScore("s", True).number == 1.0
    assert EvaluationScore("s", "blue").number is None
    assert EvaluationScore("s", 0.0, metadata={"skipped": True, "reason": "no label"}).is_unlabelled
    with pytest.raises(TypeError, match="found NoneType"):
        EvaluationScore("s", None)  # type: ignore[arg-type]


def test_keys_are_the_documented_ones() -> None:
    document = BenchmarkDocument("doc_001", "paper.pdf", "application/pdf", path=Path("paper.pdf"))
    assert document.raw_key(_MANIFEST) == "raw/benchmarks/gulls/test/doc_001/paper.pdf"
    assert default_report_key("kb-1", "eval_v1") == "_heta/knowledge_bases/kb-1/evaluations/eval_v1/report.json"
    assert BenchmarkRunUnit("u").is_corpus_level
    assert _MANIFEST.key == "gulls:v1:test"


@given(st.lists(st.text(min_size=1).filter(lambda t: t.strip() and t.isprintable()), min_size=2, max_size=2))
def test_any_two_ids_have_safe_keys_of_their_own(ids: list[str]) -> None:
    keys = [BenchmarkDocument(one, "d.txt", "text/plain", b"").raw_key(_MANIFEST) for one in ids]
    reports = [default_report_key("kb", one) for one in ids]
    for key in [*keys, *reports]:
        check_key(key)
    assert all(len(key.split("/")) == 6 for key in [*keys, *reports])
    if ids[0].strip() != ids[1].strip():
        assert keys[0] != keys[1]
        assert reports[0] != reports[1]


def test_names_that_differ_in_case_space_or_hyphen_have_reports_of_their_own() -> None:
    names = ("Marine KB", "marine kb", "marine-kb", "marine_kb")
    assert len({default_report_key(name, "r").lower() for name in names}) == 4


_ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()) | st.just(object()),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters()) | st.integers(), inner),
    max_leaves=8,
)


@given(_ANY)
def test_anything_becomes_strict_json(value: Any) -> None:
    json.dumps(json_safe(value), allow_nan=False).encode()


def test_values_that_json_cannot_hold_become_notes() -> None:
    deep: Any = 1
    for _ in range(100):
        deep = [deep]
    found = json_safe({"path": Path("a/b"), 3: {2, 1}, "deep": deep, "object": object(), "nan": float("nan")})
    assert found["path"] == "a/b"
    assert found["3"] == [1, 2]
    assert found["nan"] == "NaN"
    assert found["object"] == {"type": "object", "manifest_note": "value omitted because it is not JSON-safe"}
    assert "manifest_note" in json.dumps(found["deep"])


def test_a_report_becomes_data_in_the_documented_order_with_insights() -> None:
    response = QueryResponse(
        "vector_search", (QueryResult("c1", "A gull."),), insights=(QueryInsight("Gulls fly.", ("c1",)),)
    )
    result = EvaluationCaseResult(
        "c", "q", "vector_search", (EvaluationScore("s", 1.0),), response, 2.5, metadata={"set": {"x"}}
    )
    failed = EvaluationCaseResult("d", "q", "vector_search", error=EvaluationError("gone", "OSError"))
    report = EvaluationReport(
        "r", _MANIFEST, "kb", {}, {}, ("vector_search",), {"vector_search.s": 1.0}, [result, failed], "t0", "t1"
    )
    data = report.to_dict()
    assert " ".join([*data][:13]) == (
        "schema_version report_id report_key benchmark knowledge_base_name knowledge_base_manifest recipe_manifest"
        " query_modes score_summary case_results started_at finished_at metadata"
    )
    assert data["schema_version"] == "1"
    first, second = data["case_results"]
    assert first["response"]["insights"] == [{"text": "Gulls fly.", "evidence_ids": ["c1"]}]
    assert first["metadata"] == {"set": ["x"]}
    assert second["error"]["error_type"] == "OSError"
    json.dumps(data, allow_nan=False)


def test_a_lone_surrogate_in_a_question_costs_nothing() -> None:
    assert BenchmarkCase("c", "what \ud800 is").query == "what \ufffd is"
