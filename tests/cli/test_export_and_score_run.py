"""Results go to other tools as TREC files, and runs of other engines are scored here."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import anyio
import pytest

import heams.api
from heams.reporting.load import load_results
from heta_framework.common.stores import LocalObjectStore
from heta_framework.evaluation import EvaluationCaseResult, EvaluationError
from heta_framework.evaluation.records import CaseLog
from heta_framework.evaluation.trec import Measure, read_qrels, read_run, score_run
from heta_framework.kb import QueryResponse, QueryResult

Heams = Callable[..., tuple[int, str, str]]


@pytest.fixture
def played(tmp_path: Path, questions: Callable[..., Path]) -> Path:
    """The results of a memory on five questions, each asked twice."""
    benchmark = {
        "type": "jsonl_qa",
        "data_file": str(questions(5, history=8)),
        "question_prompt": "{question}",
        "evaluators": [{"type": "evidence_recall", "k": [1, 10]}],
    }
    experiment = {
        "name": "by_words",
        "agent_config": {"type": "extractive"},
        "memory_system_config": {"type": "lexical"},
        "benchmark_config": benchmark,
    }
    heams.api.run({"run_name": "t", "experiments": [{**experiment, "repeats": 2}]}, tmp_path / "results", root=tmp_path)
    return tmp_path / "results"


def test_an_exported_run_scores_what_the_experiment_scored(played: Path, heams: Heams, tmp_path: Path) -> None:
    code, out, err = heams("export", played, "--format", "trec", "--output-dir", tmp_path / "out")
    assert code == 0, err
    (folder,) = (tmp_path / "out").iterdir()
    files = {path.name for path in folder.iterdir()}
    assert files == {"run.trec", "run.repeat-1.trec", "qrels.trec"}
    assert f"{folder / 'qrels.trec'}: 5 documents, 5 questions" in out
    records = [record for result in load_results(played) for record in result.records if record.metric == "recall@10"]
    recalls = [record.value for record in records]
    for name in ("run.trec", "run.repeat-1.trec"):
        scores = score_run(read_run(folder / name), read_qrels(folder / "qrels.trec"), [Measure("recall", 10)])
        assert scores.values("recall@10") == recalls[:5] == recalls[5:]
        assert sum(scores.values("recall@10")) > 0
    assert {line.split()[5] for line in (folder / "run.trec").read_text().splitlines()} == {"by_words"}


def test_records_are_exported_as_rows(played: Path, heams: Heams, tmp_path: Path) -> None:
    for layout in ("csv", "jsonl"):
        assert heams("export", played, "--format", layout, "--output-dir", tmp_path / "it's here")[0] == 0
    with (tmp_path / "it's here/records.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    lines = [json.loads(line) for line in (tmp_path / "it's here/records.jsonl").read_text().splitlines()]
    assert len(rows) == len(lines) == 5 * 2 * 3
    assert {row["metric"] for row in rows} == {row["metric"] for row in lines} == {"recall@1", "recall@10", "mrr"}
    assert [float(row["value"]) for row in rows] == [row["value"] for row in lines]


def test_a_report_is_exported_mode_by_mode(heams: Heams, tmp_path: Path) -> None:
    anyio.run(partial(_saved_report, tmp_path))
    code, out, err = heams("export", tmp_path / "reports/first", "--format", "trec", "--output-dir", tmp_path / "out")
    assert code == 0, err
    assert (tmp_path / "out/first/run.words.trec").read_text() == (
        "q1 Q0 b 1 0.5 first:words\nq1 Q0 a 2 0.25 first:words\n"
    )
    assert "run.words.trec: 2 documents, 1 question" in out
    assert "run.vectors.trec: 0 documents, 0 questions" in out


async def _saved_report(root: Path) -> None:
    async with await CaseLog.open(LocalObjectStore(root), "reports/first", modes=("words", "vectors")) as log:
        results = tuple(
            QueryResult(f"chunk_{place}", "text", score, source={"document_id": document})
            for place, (document, score) in enumerate([("a", 0.25), ("b", 0.5), ("a", 0.125)])
        )
        log.submit(EvaluationCaseResult("q1", "?", "words", response=QueryResponse("words", results)), 0, "corpus")
        failed = EvaluationError("no answer", "TimeoutError")
        log.submit(EvaluationCaseResult("q1", "?", "vectors", error=failed), 1, "corpus")
        await log.finish()


def test_ids_with_white_space_are_refused_with_the_way_out(heams: Heams, tmp_path: Path) -> None:
    anyio.run(partial(_report_of_a_spaced_id, tmp_path))
    asked = ("export", tmp_path / "reports/first", "--format", "trec", "--output-dir", tmp_path / "out")
    code, _, err = heams(*asked)
    assert code == 2
    assert "'a b' holds white space" in err
    assert "--escape-ids" in err
    assert heams(*asked, "--escape-ids")[0] == 0
    assert read_run(tmp_path / "out/first/run.words.trec") == {"q1": {"a%20b": 1.0}}


async def _report_of_a_spaced_id(root: Path) -> None:
    async with await CaseLog.open(LocalObjectStore(root), "reports/first", modes=("words",)) as log:
        found = (QueryResult("chunk", "text", 1.0, source={"document_id": "a b"}),)
        log.submit(EvaluationCaseResult("q1", "?", "words", response=QueryResponse("words", found)), 0, "corpus")
        await log.finish()


def test_two_experiments_of_one_name_are_not_written_over_each_other(
    played: Path, heams: Heams, tmp_path: Path
) -> None:
    code, _, err = heams("export", played, played, "--format", "trec", "--output-dir", tmp_path / "out")
    assert code == 2
    assert "are both called by_words" in err


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, Path, str, Path]:
    """A run and labels of somebody else, as options."""
    (tmp_path / "run.trec").write_text(
        "q1 Q0 d1 1 9.5 bm25\nq1 Q0 d2 2 8.5 bm25\nq2 Q0 d3 1 7.0 bm25\nq9 Q0 d1 1 1.0 bm25\n"
    )
    (tmp_path / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td2\t2\nq2\td3\t1\nq3\td1\t1\nq4\td1\t0\n")
    return "--run", tmp_path / "run.trec", "--qrels", tmp_path / "qrels.tsv"


def test_a_run_of_another_engine_is_scored_with_n(heams: Heams, files: tuple[str, Path, str, Path]) -> None:
    code, out, err = heams("score-run", *files, "--metrics", "mrr@10,recall@1", "--metrics", "ndcg@10")
    assert code == 0, err
    rows = [line.split() for line in out.splitlines() if "@" in line]
    assert [(row[0], row[1], row[-1]) for row in rows] == [
        ("mrr@10", "0.5000", "3"), ("recall@1", "0.3333", "3"), ("ndcg@10", "0.5436", "3")
    ]  # fmt: skip
    assert "\n1 question with labels but without a result: counted as 0, as trec_eval does with -c (q3).\n" in out
    assert "\n1 question without a positive label: left out; trec_eval counts 0 for every system (q4).\n" in out
    assert "\n1 question of the run without labels: left out (q9).\n" in out


def test_all_25_metrics_are_the_default(heams: Heams, files: tuple[str, Path, str, Path]) -> None:
    code, out, _ = heams("score-run", *files)
    assert code == 0
    assert sum("@" in line for line in out.splitlines()) == 25


def test_the_scores_of_each_question_are_lines_of_json(heams: Heams, files: tuple[str, Path, str, Path]) -> None:
    code, out, _ = heams("score-run", *files, "--metrics", "recall@1", "--per-question")
    assert code == 0
    assert [json.loads(line) for line in out.splitlines()] == [
        {"question": "q1", "recall@1": 0.0},
        {"question": "q2", "recall@1": 1.0},
        {"question": "q3", "recall@1": 0.0},
        {"question": "q4", "recall@1": 0.0},
    ]


def test_what_cannot_be_scored_is_said_with_file_and_line(
    heams: Heams, files: tuple[str, Path, str, Path], tmp_path: Path
) -> None:
    code, _, err = heams("score-run", *files, "--metrics", "ndgc@10")
    assert code == 2
    assert "did you mean ndcg@10" in " ".join(err.replace("│", " ").split())
    (tmp_path / "run.trec").write_text("q1 Q0 d1 1 high bm25\n")
    code, _, err = heams("score-run", *files)
    assert (code, err) == (2, f"error: {tmp_path / 'run.trec'}:1: score is 'high'; expected a number\n")
    (tmp_path / "run.trec").write_text("other Q0 d1 1 1.0 bm25\n")
    code, _, err = heams("score-run", *files)
    assert code == 2
    assert f"no question in common: {tmp_path / 'run.trec'} has other; {tmp_path / 'qrels.tsv'} has q1, q2, q3" in err
