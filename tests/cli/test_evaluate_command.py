"""`heams evaluate`, as a user meets it: a recipe on a retrieval benchmark, its artifacts, its end and its mistakes."""

import asyncio
import json
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from village import CASES, GOLD, TEXTS, rows_of, write, write_lines, write_village

MODE = "full_text_search"
ALL = [case["case_id"] for case in CASES]
NAME = f"village__words__{MODE}"
Evaluate = Callable[..., Any]


@pytest.fixture
def village(tmp_path: Path) -> Path:
    """A project with one recipe and one retrieval benchmark."""
    return write_village(tmp_path / "village")


@pytest.fixture
def evaluate(village: Path, tmp_path: Path, heams: Callable[..., Any]) -> Evaluate:
    """`heams evaluate` on the project into `out`."""

    def call(*arguments: str | Path, recipe: str = "words", benchmark: str = "village") -> Any:
        files = (village / f"configs/recipes/{recipe}.yaml", village / f"configs/benchmarks/{benchmark}.yaml")
        where = ("--output-dir", tmp_path / "out", "--plain")
        return heams("evaluate", "--recipe", files[0], "--benchmark", files[1], *where, *arguments)

    return call


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """Where the experiment of the only mode lies."""
    return tmp_path / "out" / NAME


def test_each_mode_is_an_experiment_like_those_of_heams_run(evaluate: Evaluate, heams: Any, out: Path) -> None:
    said = evaluate("--modes", MODE)
    assert said.code == 0, said.err
    assert "recipe: mode" in said.out
    assert "note: no answer will be given, so these are 0 or unscored: answer_contains" in said.err
    assert {file.name for file in out.iterdir()} >= {"runs.jsonl", "texts.jsonl", "ingests.jsonl", "run_status.json"}
    status = json.loads((out / "run_status.json").read_text())
    assert (status["state"], status["total"], status["finished"], status["errors"]) == ("completed", 5, 5, 0)
    code, printed, _ = heams("generate-report", out.parent)
    assert code == 0
    assert str(out / "report.md") in printed
    report = (out / "report.md").read_text()
    assert "| Query mode | full_text_search (type query_mode) |" in report
    assert "| beir_recall@3 | 1.000 |" in report
    assert "| Results asked for | at least 10 |" in report
    assert "## Knowledge bases\n" in report
    assert not [word for word in ("Recall budget", "Isolation", "histories", "observed | reason") if word in report]
    _check_lines(out)


def _check_lines(out: Path) -> None:
    """A line has question, results, verdicts and labels; one build was recorded."""
    rows = {row["sample_id"]: row for row in rows_of(out / "runs.jsonl")}
    texts = {row["id"]: row["text"] for row in rows_of(out / "texts.jsonl")}
    assert sorted(rows) == ALL
    for case_id, gold in GOLD.items():
        (step,), records = rows[case_id]["transcript"], rows[case_id]["records"]
        (recall,) = step["recalls"]
        assert recall["ids"][0] == gold
        assert texts[recall["texts"][0]] == TEXTS[gold]
        assert len(recall["scores"]) == len(recall["ids"]) == len(recall["tokens"])
        assert [record["metric"] for record in records] == ["beir_ndcg@3", "beir_recall@3", "answer_contains"]
        assert records[0]["value"] == records[1]["value"] == 1.0
        assert records[0]["audit"]["ranks"] == {gold: 1}
        assert records[2]["value"] == 0.0
    assert rows["q5"]["tags"] == {"kind": "nowhere"}
    assert {record["outcome"] for record in rows["q5"]["records"]} == {"unscored"}
    (ingest,) = rows_of(out / "ingests.jsonl")
    assert (ingest["status"], ingest["events"], ingest["restored"]) == ("completed", len(TEXTS), False)


def test_the_same_command_again_asks_nothing_twice(evaluate: Evaluate, out: Path) -> None:
    assert evaluate("--modes", MODE, "--limit", "2").code == 0
    assert _ids(out / "runs.jsonl") == ["q1", "q2"]
    assert evaluate("--modes", MODE).code == 0
    before = (out / "runs.jsonl").read_bytes()
    assert _ids(out / "runs.jsonl") == ALL
    said = evaluate("--modes", MODE)
    assert (said.code, (out / "runs.jsonl").read_bytes()) == (0, before)
    assert "5 finished before" in said.err


def test_cases_that_were_not_written_down_are_taken_from_the_evaluation(evaluate: Evaluate, out: Path) -> None:
    evaluate("--modes", MODE)
    whole = rows_of(out / "runs.jsonl")
    write_lines(out / "runs.jsonl", whole[:2])
    assert evaluate("--modes", MODE).code == 0
    mended = rows_of(out / "runs.jsonl")
    assert _ids(out / "runs.jsonl") == ALL
    assert {row["sample_id"]: row["records"] for row in mended} == {row["sample_id"]: row["records"] for row in whole}
    assert {row["attempt"] for row in mended} == {1}
    assert len(rows_of(out / "ingests.jsonl")) == 1, "nothing was built for it"


def test_an_interrupted_evaluation_says_how_to_go_on(
    evaluate: Evaluate, village: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from heta_framework.evaluation.runner.asking import Asker

    asked = Asker.ask

    async def ask(self: Asker, question: str) -> Any:
        if "lantern" in question:
            os.kill(os.getpid(), signal.SIGINT)
            await asyncio.sleep(60)  # until the stop reaches it
        return await asked(self, question)

    monkeypatch.setattr(Asker, "ask", ask)
    many = [{"case_id": f"more{n}", "query": f"Where is mill {n}?"} for n in range(60)]
    write_lines(village / "data/cases.jsonl", [*rows_of(village / "data/cases.jsonl"), *many])
    said = evaluate("--modes", MODE, "--max-concurrent-queries", "1")
    assert said.code == 130, said.err
    assert "Resume with:\n  heams evaluate --recipe" in said.err
    done = len(rows_of(out / "runs.jsonl"))
    assert done < 65
    monkeypatch.undo()
    monkeypatch.setenv("COLUMNS", "160")
    assert evaluate("--modes", MODE).code == 0
    ids = [row["sample_id"] for row in rows_of(out / "runs.jsonl")]
    assert (len(ids), len(set(ids))) == (65, 65)


def test_modes_that_began_together_go_on_together_and_others_join(evaluate: Evaluate, village: Path, out: Path) -> None:
    recipe = village / "configs/recipes/words.yaml"
    write(recipe, recipe.read_text() + "  - persist_chunks: {chunk_keys_artifact: chunk_keys}\n")
    write(recipe, recipe.read_text().replace("text_index: memory}", "text_index: memory, sql: memory}"))
    assert evaluate("--modes", f"{MODE},sql_text_search", "--limit", "3").code == 0
    assert evaluate("--modes", MODE).code == 0
    for mode in (MODE, "sql_text_search"):
        assert _ids(out.with_name(f"village__words__{mode}") / "runs.jsonl") == ALL


def test_a_changed_benchmark_is_not_mixed_with_what_was_found_before(
    evaluate: Evaluate, village: Path, out: Path
) -> None:
    evaluate("--modes", MODE)
    rows = rows_of(village / "data/cases.jsonl")
    write_lines(village / "data/cases.jsonl", [*rows, {"case_id": "q6", "query": "When does the mill grind?"}])
    said = evaluate("--modes", MODE)
    assert said.code == 2
    assert "cases_jsonl" in said.err
    assert "--new-run" in said.err
    assert evaluate("--modes", MODE, "--new-run").code == 0
    assert len({row["run_id"] for row in rows_of(out / "runs.jsonl")}) == 2


def test_a_run_that_is_refused_takes_nothing_back(evaluate: Evaluate, village: Path, tmp_path: Path, out: Path) -> None:
    assert evaluate("--modes", MODE).code == 0
    assert evaluate("--modes", MODE, "--top-k", "2").code == 2
    (run_file,) = (place for folder in (village, tmp_path) for place in folder.rglob("evaluations/*/run.json"))
    write(run_file, run_file.read_text().replace('"over_fetch_rounds": 3', '"over_fetch_rounds": 4'))
    said = evaluate("--modes", MODE)
    assert said.code == 2
    assert "asking.over_fetch_rounds: 4 before, 3 now" in said.err
    assert "--new-run" in said.err
    assert json.loads((out / "run_status.json").read_text())["state"] == "completed"


def test_every_case_failing_is_told_by_the_exit_code(evaluate: Evaluate, village: Path, out: Path) -> None:
    benchmark = village / "configs/benchmarks/village.yaml"
    write(benchmark, benchmark.read_text() + "query_timeout_s: 0.0000001\nretries: 0\n")
    said = evaluate("--modes", MODE)
    rows = rows_of(out / "runs.jsonl")
    assert said.code == 1, said.err
    assert {row["status"] for row in rows} == {"error"}
    outcomes = {row["sample_id"]: {record["outcome"] for record in row["records"]} for row in rows}
    assert outcomes == {**{case_id: {"error"} for case_id in GOLD}, "q5": {"unscored"}}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--modes", "full_text_serch"], ["full_text_serch", "did you mean full_text_search", "serves: full_text"]),
        (["--modes", "vector_search"], ["chunk_vector_index", "recipe 'words' serves: full_text_search"]),
        (["--modes", ","], ["a query mode is empty"]),
        (["--max-cost", "-1"], ["max cost"]),
    ],
)
def test_what_cannot_be_asked_is_refused(evaluate: Evaluate, out: Path, arguments: list[str], told: list[str]) -> None:
    said = evaluate(*arguments)
    assert said.code == 2
    assert "Traceback" not in said.err
    for part in told:
        assert part in said.err
    assert not out.exists()


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        ("benchmarks/village", "type: jsonl", "type: jsonnl", ["village.yaml:2: type", "jsonnl", "'jsonl'"]),
        ("benchmarks/village", "cases.jsonl", "casses.jsonl", ["village.yaml:5: cases_jsonl", "did you mean"]),
        ("benchmarks/village", "k: [3]", "k: [0]", ["village.yaml:7", "k.0", "0"]),
        (
            "benchmarks/village",
            "{type: answer_contains}",
            "{type: answer_contain}",
            ["village.yaml:8", "answer_contain"],
        ),
        ("recipes/words", "index_full_text", "index_ful_text", ["words.yaml:7", "'index_full_text'"]),
    ],
)
def test_mistakes_in_both_files_have_their_line(
    evaluate: Evaluate, village: Path, file: str, old: str, new: str, told: list[str]
) -> None:
    path = village / f"configs/{file}.yaml"
    assert old in path.read_text()
    write(path, path.read_text().replace(old, new))
    said = evaluate("--modes", MODE)
    assert said.code == 2
    for part in told:
        assert part in said.err, said.err


def test_files_of_another_kind_are_told_apart(evaluate: Evaluate, village: Path, heams: Any) -> None:
    write(village / "configs/benchmarks/talk.yaml", "type: jsonl_qa\ndata_file: x.jsonl\n")
    assert "`heams run` plays it" in evaluate(benchmark="talk").err
    assert "this seems to be a recipe" in evaluate(benchmark="../recipes/words").err
    assert "a retrieval benchmark" in evaluate(recipe="../benchmarks/village").err
    assert "there is no such file; did you mean 'words.yaml'" in evaluate(recipe="wrods").err
    run = "run_name: r\nmatrix:\n  agents: [{type: scripted}]\n  memory_systems: [{type: no_memory}]\n"
    write(village / "configs/runs/r.yaml", f"{run}  benchmarks: [village.yaml]\n")
    for config in ("runs/r", "benchmarks/village"):
        said = heams("run", "--config", village / f"configs/{config}.yaml", "--output-dir", "out")
        assert said.code == 2
        assert "`heams evaluate --recipe ... --benchmark ...` runs a recipe on it" in said.err


def test_a_build_that_fails_names_the_step(evaluate: Evaluate, village: Path, out: Path) -> None:
    recipe = village / "configs/recipes/words.yaml"
    write(recipe, recipe.read_text().replace("parse_documents", "parse_documents: {skip_unsupported: false}"))
    rows = rows_of(village / "data/documents.jsonl")
    rows[0] |= {"name": "tides.xyz", "media_type": "application/x-unheard-of"}
    write_lines(village / "data/documents.jsonl", rows)
    said = evaluate("--modes", MODE)
    assert said.code == 2
    assert "recipe (words.yaml) cannot be built" in said.err
    assert "parse_documents" in said.err
    assert rows_of(out / "ingests.jsonl")[0]["status"] == "error"
    assert json.loads((out / "run_status.json").read_text())["state"] == "failed"


def test_a_benchmark_of_ones_own_is_named_by_its_factory(evaluate: Evaluate, village: Path, tmp_path: Path) -> None:
    code = """
from heta_framework.evaluation import BenchmarkManifest, EvaluationScore, EvidenceRecallAtK, JsonlBenchmark

class Breaks:
    name = "breaks"

    async def evaluate(self, *, case, response):
        if case.case_id == "q1":
            raise RuntimeError("broken")
        return EvaluationScore(self.name, 1.0)

def village_benchmark(folder):
    manifest = BenchmarkManifest("own", "1", "test", "qa")
    evaluators = (EvidenceRecallAtK(), Breaks())
    return JsonlBenchmark(manifest, f"{folder}/documents.jsonl", f"{folder}/cases.jsonl", evaluator_list=evaluators)
"""
    write(village / "own_benchmarks_of_the_village.py", code)
    yaml = "type: python\nfactory: own_benchmarks_of_the_village:village_benchmark\n"
    own = village / "configs/benchmarks/own.yaml"
    write(own, f"{yaml}arguments: {{folder: {village / 'data'}}}\ndata: [data]\n")
    said = evaluate("--modes", MODE, benchmark="own")
    assert said.code == 0, said.err
    assert said.out.count("1 counted as 0") == 1, "only its own score"
    records = rows_of(tmp_path / f"out/own__words__{MODE}/runs.jsonl")[0]["records"]
    assert [record["metric"] for record in records] == ["evidence_recall@5", "breaks"]
    write(own, f"{yaml}arguments: {{holder: x}}\n")
    assert "failed: TypeError" in evaluate(benchmark="own").err
    write(own, yaml.replace(":village_benchmark", ":village_benchmarks"))
    assert "did you mean 'village_benchmark'" in evaluate(benchmark="own").err


def test_list_and_validate_know_retrieval_benchmarks(village: Path, heams: Any) -> None:
    listed = heams("list", "retrieval-benchmarks")
    assert [line.split()[0] for line in listed.out.splitlines()] == ["beir", "jsonl", "multihop_rag", "uda", "python"]
    assert json.loads(heams("list", "--schema", "uda").out)["additionalProperties"] is False
    files = (
        "--recipe",
        village / "configs/recipes/words.yaml",
        "--benchmark",
        village / "configs/benchmarks/village.yaml",
    )
    checked = heams("validate", *files)
    assert checked.code == 0, checked.err
    assert "serves full_text_search" in checked.out
    assert f"{NAME}: 10 results a query" in checked.out
    assert "needs " not in checked.out, "nothing has to be downloaded"
    assert "The recipe has no language model." in checked.out
    assert heams("validate", *files, "--modes", "vector_search").code == 2
    assert heams("validate").code == 2


def _ids(path: Path) -> list[str]:
    """Whose lines there are; they come in the order in which cases ended."""
    return sorted(row["sample_id"] for row in rows_of(path))
