"""What is printed after a run: readable at 80 columns, in logs, and when something went wrong."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import heams.api
from heams.cli.summary import print_summary

NAMES = ["lexical", "no_memory", "oracle"]


@pytest.fixture
def played(tmp_path: Path, questions: Callable[..., Path]) -> Path:
    """The results of three memory systems on five questions."""
    benchmark = {
        "type": "jsonl_qa",
        "data_file": str(questions(5, history=8)),
        "question_prompt": "{question}",
        "evaluators": [{"type": "task_qa", "match_mode": "contains"}, {"type": "evidence_recall", "k": [1, 10]}],
    }
    experiments = [
        {
            "name": name,
            "agent_config": {"type": "extractive"},
            "memory_system_config": {"type": name},
            "benchmark_config": benchmark,
        }
        for name in NAMES
    ]
    heams.api.run({"run_name": "test", "experiments": experiments}, tmp_path / "results", root=tmp_path)
    return tmp_path / "results"


@pytest.fixture
def summary(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Prints a summary and returns what was printed."""

    def show(output: Path, names: list[str], *, shown: str = "results", columns: int = 80) -> str:
        monkeypatch.setenv("COLUMNS", str(columns))
        monkeypatch.delenv("NO_COLOR", raising=False)
        capsys.readouterr()
        print_summary(output, names, Path(shown))
        return capsys.readouterr().out

    return show


def test_eighty_columns_hold_names_metrics_errors_and_latency(played: Path, summary: Callable[..., str]) -> None:
    out = summary(played, NAMES)
    assert max(len(line) for line in out.splitlines()) <= 80
    for word in ("lexical", "no_memory", "oracle", "lower reference", "upper reference", "contains", "recall@1", "n 5"):
        assert word in out, word
    assert "errors" in out
    assert "…" not in out
    assert "Also measured: mrr (in the reports)." in out


def test_a_log_holds_no_colours_and_a_wide_one_all_metrics(played: Path, summary: Callable[..., str]) -> None:
    out = summary(played, NAMES, columns=140)
    assert "\x1b" not in out
    assert "mrr" in out
    assert "Also measured" not in out


def test_bounds_stand_around_the_competitors(played: Path, summary: Callable[..., str]) -> None:
    out = summary(played, NAMES)
    assert out.index("no_memory") < out.index("lexical") < out.index("oracle")


def test_next_steps_can_be_copied(played: Path, summary: Callable[..., str]) -> None:
    out = summary(played, NAMES, shown="my results/" + "long/" * 30)
    (line,) = [line for line in out.splitlines() if line.startswith("Reports:")]
    assert line == f"Reports:  heams generate-report 'my results/{'/'.join(['long'] * 30)}'"


def test_narrow_terminals_fold_instead_of_cutting(played: Path, summary: Callable[..., str]) -> None:
    out = summary(played, NAMES, columns=40)
    assert "…" not in out
    assert "contains" in out


def test_errors_are_named_with_the_way_to_play_them_again(
    tmp_path: Path, questions: Callable[..., Path], one_experiment: Callable[..., dict[str, Any]],
    summary: Callable[..., str],
) -> None:  # fmt: skip
    mapping = one_experiment(questions(3), agent={"type": "scripted", "fail_on": ["box"]}, retries=0)
    heams.api.run(mapping, tmp_path / "results", root=tmp_path)
    out = summary(tmp_path / "results", ["one"])
    assert "one: 3 errors, most often RuntimeError: " in out
    assert "Run the same command again to play what is missing or ended in an error." in out


def test_an_experiment_without_results_is_said_to_be_incomplete(played: Path, summary: Callable[..., str]) -> None:
    (played / "lexical" / "runs.jsonl").unlink()
    (played / "lexical" / "run_status.json").unlink()
    out = summary(played, ["lexical"])
    assert "lexical: how many scenarios the run has was not saved; 0 results found." in out


def test_nothing_played_prints_nothing(tmp_path: Path, summary: Callable[..., str]) -> None:
    assert summary(tmp_path, []) == ""


def test_long_names_are_folded_and_markup_in_names_is_text(played: Path, summary: Callable[..., str]) -> None:
    config = next((played / "lexical").glob("experiment_config.*.yaml"))
    config.write_text(
        config.read_text().replace("memory_system: lexical", "memory_system: '[red]x[/red]" + "y" * 40 + "'")
    )
    shutil.rmtree(played / "oracle")
    out = summary(played, ["lexical", "no_memory"])
    assert max(len(line) for line in out.splitlines()) <= 80
    assert "[red]x[/red]" in out


def test_names_are_broken_between_their_words(
    summary: Callable[..., str], tmp_path: Path, questions: Callable[..., Path]
) -> None:
    benchmark = {
        "type": "jsonl_qa",
        "data_file": str(questions(3, history=8)),
        "question_prompt": "{question}",
        "evaluators": [{"type": "task_qa", "match_mode": "contains"}, {"type": "evidence_recall", "k": [1, 10]}],
    }
    agents = tmp_path / "configs/agents"
    agents.mkdir(parents=True)
    names = ["extractive_first_wording", "extractive_second_wording"]
    for name in names:
        (agents / f"{name}.yaml").write_text("type: extractive\n")
    matrix = {
        "agents": [f"{name}.yaml" for name in names],
        "memory_systems": [{"type": "lexical"}],
        "benchmarks": [benchmark],
    }
    heams.api.run({"run_name": "test", "matrix": matrix}, tmp_path / "results", root=tmp_path)
    folders = sorted(path.name for path in (tmp_path / "results").iterdir() if path.is_dir())
    out = summary(tmp_path / "results", folders)
    lines = [line.split("  ")[0].rstrip() for line in out.splitlines()]
    assert {"lexical with", "extractive_", "first_wording", "second_wording"} <= set(lines)
    assert "lexical with extractive_first_wording" in summary(tmp_path / "results", folders, columns=160)
