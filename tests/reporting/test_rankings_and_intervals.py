"""Rankings need whole runs of the same questions; tables say how intervals were made, and why some are missing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from heams.reporting.reports import write_reports

Begin = Callable[..., Any]
Record = Callable[..., Any]


@pytest.fixture
def play(experiment: Begin, record: Record) -> Callable[..., Any]:
    """An experiment of one memory: its values by history."""

    def fill(memory: str, histories: list[list[float]], *, total: int | None = None, **status: Any) -> Any:
        one = experiment(memory, memory=memory)
        for number, values in enumerate(histories):
            for question, value in enumerate(values):
                one.add(f"{number}-{question}", record(value), history_id=f"h{number}")
        played = sum(map(len, histories))
        state = "completed" if total is None else "interrupted"
        one.status(state, **({"total": total or played, "finished": played} | status))
        return one

    return fill


def _report(tmp_path: Path) -> str:
    return write_reports(tmp_path / "results")[-1].read_text(encoding="utf-8")


def test_partial_runs_are_not_ranked(play: Callable[..., Any], tmp_path: Path) -> None:
    play("cut", [[1.0, 1.0]], total=4)
    play("good", [[1.0, 0.0], [1.0, 0.5]])
    play("poor", [[0.0, 0.0], [0.5, 0.25]])
    assert (
        "- **f1**: highest is good (0.625); its interval does not overlap with poor; not ranked, because their "
        "runs are not complete: cut." in _report(tmp_path)
    )


def test_one_whole_run_is_no_ranking(play: Callable[..., Any], tmp_path: Path) -> None:
    play("cut", [[1.0, 1.0]], total=4)
    play("good", [[1.0, 0.0], [1.0, 0.5]])
    report = _report(tmp_path)
    assert "- **f1**: no ranking, because there are no results of a whole run of cut." in report
    assert "highest is" not in report


def test_other_questions_are_no_ranking(play: Callable[..., Any], tmp_path: Path) -> None:
    play("few", [[1.0, 0.5]])
    play("many", [[1.0, 0.0], [1.0, 0.5]])
    assert "- **f1**: no ranking, because n is not the same (few: 2, many: 4)." in _report(tmp_path)


def test_the_table_says_how_much_was_played(play: Callable[..., Any], tmp_path: Path) -> None:
    play("cut", [[1.0, 1.0]], total=4)
    play("limited", [[1.0, 0.0]], limit=2)
    report = _report(tmp_path)
    assert "| 2 of 4, interrupted |" in report
    assert "| 2 of 2, first 2 samples |" in report


def test_methods_and_cautions_of_intervals_are_in_the_common_report(play: Callable[..., Any], tmp_path: Path) -> None:
    play("none", [[0.0, 0.0], [0.0, 0.0]])
    play("some", [[1.0, 0.0], [1.0, 0.5]])
    report = _report(tmp_path)
    assert "Methods of the intervals: f1: wilson over clusters (none), clustered bootstrap (some)." in report
    assert "The questions share 2 histories. Intervals from so few clusters are too narrow" in report


def test_cautions_name_their_rows_where_these_rest_on_different_histories(
    play: Callable[..., Any], tmp_path: Path
) -> None:
    play("lone", [[1.0, 0.0]], total=4)
    play("pair", [[1.0, 0.0], [1.0, 0.5]])
    play("many", [[1.0, 0.0], [1.0, 0.5]] * 6)
    report = _report(tmp_path)
    assert "The questions of lone share one history, so there is no interval" in report
    assert "The questions share few histories (pair: 2). Intervals" in report
    assert "No interval for" not in report


def test_a_missing_interval_has_its_reason(experiment: Begin, record: Record, tmp_path: Path) -> None:
    experiment("single").add("a", record(1.0))
    report = _report(tmp_path)
    assert "No interval for f1 of lexical: there is a single value." in report
    assert "Methods of the intervals" not in report


def test_a_reason_that_holds_for_all_rows_names_none(experiment: Begin, record: Record, tmp_path: Path) -> None:
    for name, memory in (("first", "lexical"), ("second", "vector")):
        experiment(name, memory=memory).add("a", record(1.0), record(1.0, metric="mrr"))
    assert "No interval for f1; mrr: there is a single value." in _report(tmp_path)


def test_equal_means_share_the_first_place(experiment: Begin, record: Record, tmp_path: Path) -> None:
    for name, value in (("first", 1.0), ("second", 1.0), ("third", 0.0)):
        one = experiment(name, memory=name)
        one.add("a", record(value))
        one.add("b", record(0.0))
        one.status(total=2, finished=2)
    assert "**f1**: highest are first and second (0.500);" in _report(tmp_path)


def test_three_equal_means_are_listed_as_one_lists_three(experiment: Begin, record: Record, tmp_path: Path) -> None:
    for name in ("first", "second", "third"):
        one = experiment(name, memory=name)
        one.add("a", record(1.0))
        one.status()
    assert "**f1**: highest are first, second and third (1.000)." in _report(tmp_path)


def test_metrics_are_explained_in_the_words_of_their_benchmark(
    experiment: Begin, record: Record, tmp_path: Path
) -> None:
    one = experiment("one", benchmark={"type": "retention_policy"})
    one.add("a", record(1.0, metric="retained"))
    for path in write_reports(tmp_path / "results"):
        assert "*retained* is the share of probes for what must be kept" in path.read_text(encoding="utf-8")


def test_abbreviations_are_spelled_out(experiment: Begin, record: Record, tmp_path: Path) -> None:
    one = experiment("one")
    one.add("a", record(1.0), record(1.0, metric="mrr"), record(1.0, metric="recall@5"))
    for path in write_reports(tmp_path / "results"):
        report = path.read_text(encoding="utf-8")
        assert "*mrr* is the mean reciprocal rank" in report
        assert "*recall@k* is the share" in report


def test_the_terminal_claims_no_brackets_where_there_are_none(
    play: Callable[..., Any], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from heams.cli.summary import print_summary

    monkeypatch.setenv("COLUMNS", "200")
    play("lone", [[1.0, 0.0]])
    print_summary(tmp_path / "results", ["lone"], Path("results"))
    out = capsys.readouterr().out
    assert "Brackets" not in out
    assert "n counts questions." in out
    assert "The questions share one history, so there is no interval" in out
    play("pair", [[1.0, 0.0], [1.0, 0.5]])
    print_summary(tmp_path / "results", ["lone", "pair"], Path("results"))
    assert "Brackets hold 95 % intervals, n counts questions." in capsys.readouterr().out
