"""``report.json``: strict, small, read back as it was, also where the published package wrote it."""

import json
import math
from pathlib import Path
from typing import Any

import pytest

from heta_framework.common.stores import LocalObjectStore
from heta_framework.evaluation import EvaluationReport
from heta_framework.evaluation.errors import ReportFileError
from heta_framework.evaluation.records import SavedCases, load_report, save_report
from heta_framework.evaluation.types import BenchmarkManifest, EvaluationCaseResult, EvaluationScore
from heta_framework.kb.search.types import QueryInsight, QueryResponse

pytestmark = pytest.mark.anyio
KEY = "_heta/knowledge_bases/kb/evaluations/r1/report.json"


def _report(*cases: Any, **changes: Any) -> EvaluationReport:
    fields: dict[str, Any] = {
        "report_id": "r1",
        "benchmark": BenchmarkManifest("b", "1", "test", "retrieval", metadata={"license": "CC0"}),
        "knowledge_base_name": "kb",
        "knowledge_base_manifest": {"name": "kb", "path": Path("a/b")},
        "recipe_manifest": {"steps": ("parse",)},
        "query_modes": ("vector_search",),
        "score_summary": {"vector_search.recall@5": 0.5},
        "case_results": cases,
        "started_at": "2026-01-01T00:00:00+00:00",
        "finished_at": "2026-01-01T00:01:00+00:00",
        "report_key": KEY,
        "score_details": {"vector_search.recall@5": {"mean": 0.5, "n": 2}},
    }
    return EvaluationReport(**(fields | changes))


def _refused(name: str) -> Any:
    raise AssertionError(f"{name} is no JSON")


async def test_a_report_is_read_back_as_its_dict_says(tmp_path: Path, make_result: Any) -> None:
    objects = LocalObjectStore(tmp_path)
    report = _report(make_result("c1"), make_result("c2", failed=True))
    await save_report(objects, report)
    loaded = await EvaluationReport.load(objects, KEY)
    assert isinstance(loaded.case_results, SavedCases)
    assert loaded.case_results == report.case_results
    assert loaded.to_dict() == report.to_dict()
    assert json.loads((tmp_path / KEY).read_bytes())["case_results"] == {
        "file": "cases.jsonl",
        "texts": "texts.jsonl",
        "count": 2,
    }


async def test_what_json_cannot_hold_loses_no_run(tmp_path: Path, make_result: Any) -> None:
    odd = {"nan": math.nan, "object": object(), "half": "\ud800", "set": {1}, "huge": 10**5_000}
    report = _report(make_result("c1", metadata=odd), metadata=odd)
    await save_report(LocalObjectStore(tmp_path), report)
    for file in (tmp_path / KEY).parent.glob("*.json*"):
        for line in file.read_text(encoding="utf-8").splitlines() if file.suffix == ".jsonl" else [file.read_text()]:
            json.loads(line or "null", parse_constant=_refused)
    loaded = await load_report(LocalObjectStore(tmp_path), KEY)
    assert loaded.metadata == loaded.case_results[0].metadata
    assert {name: value for name, value in loaded.metadata.items() if name not in ("huge", "object")} == {
        "nan": "NaN",
        "half": "\ufffd",
        "set": [1],
    }


async def test_insights_are_in_the_report(tmp_path: Path) -> None:
    said = QueryResponse("vector_search", insights=(QueryInsight("they agree", ("e1", "e2")),))
    await save_report(
        LocalObjectStore(tmp_path), _report(EvaluationCaseResult("c", "q", "vector_search", response=said))
    )
    loaded = await load_report(LocalObjectStore(tmp_path), KEY)
    assert loaded.case_results[0].response == said
    assert loaded.to_dict()["case_results"][0]["response"]["insights"] == [
        {"text": "they agree", "evidence_ids": ["e1", "e2"]}
    ]


async def test_a_report_with_its_cases_inside_is_read(tmp_path: Path, make_result: Any) -> None:
    row = _report(make_result("c1"), make_result("c2", failed=True)).to_dict()
    del row["score_details"]
    for case in row["case_results"]:
        if case["response"]:
            del case["response"]["insights"]
    row["case_results"][0]["scores"].append({"name": "broken", "value": math.nan, "passed": None, "metadata": {}})
    objects = LocalObjectStore(tmp_path)
    await objects.put(KEY, json.dumps(row).encode())  # a bare NaN, as it could be written there
    loaded = await load_report(objects, KEY)
    assert loaded.case_results == (make_result("c1"), make_result("c2", failed=True))
    assert loaded.case_results[0].scores == (EvaluationScore("recall@5", 1.0),)
    assert loaded.score_details == {}


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b'{"report_id": "r1"', "is cut or altered"),
        (b"[]", "holds a list, not an object"),
        (b'{"report_id": "r1"}', "no report of a run .*case_results is NoneType"),
        (b'{"case_results": []}', "no report of a run .*'benchmark'"),
        (b'{"case_results": [{}], "benchmark": {}}', "no report of a run .*'response'"),
        (b'{"case_results": {"count": 3}, "benchmark": {}}', "about 3 cases, and cases.jsonl beside it holds 0"),
    ],
)
async def test_what_is_no_report_is_told(tmp_path: Path, data: bytes, said: str) -> None:
    objects = LocalObjectStore(tmp_path)
    await objects.put(KEY, data)
    with pytest.raises(ReportFileError, match=f"{KEY}.* {said}"):
        await load_report(objects, KEY)


async def test_a_report_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"report\.json"):
        await load_report(LocalObjectStore(tmp_path), KEY)


async def test_a_report_without_a_key_cannot_be_saved(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="see default_report_key"):
        await save_report(LocalObjectStore(tmp_path), _report(report_key=None))
