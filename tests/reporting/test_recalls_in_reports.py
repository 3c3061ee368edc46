"""What was recalled, withheld and missed: in the table of latencies, in cautions and in the worst cases."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from heams.orchestration.results import SavedRecall, TranscriptStep
from heams.reporting.reports import write_reports

Begin = Callable[..., Any]
Record = Callable[..., Any]


def _step(items: int, *, withheld: int = 0, evidence: tuple[str, ...] = (), waited: float = 0.0) -> TranscriptStep:
    recall = SavedRecall(
        query="?",
        ids=tuple(f"i{place}" for place in range(items)),
        scores=(1.0,) * items,
        tokens=(7,) * items,
        texts=tuple(f"key{place}" for place in range(items)),
        withheld=withheld,
    )
    action = {"type": "user_stimulus", "step_evaluation_markers": {"evidence": list(evidence)}}
    return TranscriptStep(index=0, action=action, recalls=(recall,), waited=waited)


def _report(folder: Any) -> str:
    return write_reports(folder.directory)[-1].read_text(encoding="utf-8")


def _row(report: str, name: str) -> list[str]:
    (line,) = [line for line in report.splitlines() if line.startswith(f"| {name} |")]
    return [cell.strip() for cell in line.strip("|").split("|")][1:]


@pytest.fixture
def budgeted(experiment: Begin, record: Record) -> Callable[..., Any]:
    """An experiment with a question for each (items, withheld)."""

    def fill(*recalls: tuple[int, int], name: str = "one", **config: Any) -> Any:
        one = experiment(name, settings={"recall_budget": {"items": 10, "tokens": 50}}, **config)
        for number, (items, withheld) in enumerate(recalls):
            one.add(f"q{number}", record(float(number % 2)), transcript=(_step(items, withheld=withheld),))
        one.status(total=len(recalls), finished=len(recalls))
        return one

    return fill


def test_withheld_items_have_a_row_and_a_share(budgeted: Callable[..., Any]) -> None:
    report = _report(budgeted((3, 0), (2, 4), (0, 8), (1, 0)))
    assert _row(report, "items withheld by the recall budget") == ["2", "7", "4"]
    assert "withheld items in 2 of 4 questions (50%), and every one in 1." in report
    assert "Next to nothing recalled" not in report
    assert "| 10 items and 50 tokens. Tokens are counted with wordllama:l2_supercat. |" in report


def test_a_budget_that_starves_the_agent_is_a_caution_everywhere(
    budgeted: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from heams.cli.summary import print_summary

    folder = budgeted((0, 10), (0, 10), (0, 0), (4, 0))
    words = "the recall budget withheld every item in 2 of 3 questions for which the memory recalled something"
    assert f"**Next to nothing recalled:** {words}" in _report(folder)
    assert f"- one: {words}" in _report_of_all(tmp_path)
    monkeypatch.setenv("COLUMNS", "400")
    print_summary(tmp_path / "results", ["one"], Path("results"))
    assert f"lexical: {words}" in capsys.readouterr().out


def _report_of_all(tmp_path: Path) -> str:
    return write_reports(tmp_path / "results")[-1].read_text(encoding="utf-8")


def test_half_of_the_questions_is_no_caution_yet(budgeted: Callable[..., Any]) -> None:
    assert "Next to nothing recalled" not in _report(budgeted((0, 10), (4, 10)))


def test_waiting_for_a_busy_program_is_shown_where_there_was_any(experiment: Begin, record: Record) -> None:
    one = experiment()
    for number, waited in enumerate((0.0, 2.0)):
        one.add(f"q{number}", record(1.0), transcript=(_step(1, waited=waited),))
    assert _row(_report(one), "waiting for a busy agent or memory") == ["1.00 s", "1.90 s", "2"]
    idle = experiment("idle")
    idle.add("q", record(1.0), transcript=(_step(1),))
    assert "waiting for a busy agent or memory" not in _report(idle)


def test_the_worst_cases_show_what_was_recalled_and_which_evidence_was_missed(
    experiment: Begin, record: Record
) -> None:
    one = experiment()
    texts = ["the first", "the | second", "the third", "the fourth"]
    one.append(
        "texts.jsonl", "".join(json.dumps({"id": f"key{n}", "text": text}) + "\n" for n, text in enumerate(texts))
    )
    (one.directory / "histories").mkdir()
    events = [
        {"type": "turn", "id": "D1", "content": "Found."},
        {"type": "turn", "id": "D2", "content": "Not <b>found</b>."},
    ]
    (one.directory / "histories" / "h.jsonl").write_text("".join(json.dumps(event) + "\n" for event in events))
    found = record(0.5, evaluator="evidence_recall", metric="mrr", audit={"ranks": {"D1": 2}, "recalled": 4})
    one.add("q", record(0.0), found, history_id="h", transcript=(_step(4, evidence=("D1", "D2", "D9")),))
    row = _row(_report(one).split("## Worst cases")[1], "q")
    assert row[-2] == "the first<br>the &#124; second<br>the third<br>… and 1 more"
    assert row[-1] == "D2: Not &lt;b&gt;found&lt;/b&gt;.<br>D9"


def test_texts_and_histories_that_are_gone_are_no_error(experiment: Begin, record: Record) -> None:
    one = experiment()
    found = record(0.0, evaluator="evidence_recall", metric="mrr", audit={"ranks": {}})
    one.add("q", record(0.0), found, history_id="gone", transcript=(_step(1, evidence=("D1",)),))
    one.add("all", record(0.0), record(1.0, metric="mrr", audit={"ranks": {"D1": 1}}),
            transcript=(_step(1, evidence=("D1",)),))  # fmt: skip
    one.add("odd", record(0.0, audit={"ranks": "none"}), transcript=(_step(0, evidence=("D1",)),))
    worst = _report(one).split("## Worst cases")[1]
    assert _row(worst, "q")[-2:] == ["(this text was not saved)", "D1"]
    assert _row(worst, "all")[-1] == "none"
    assert _row(worst, "odd")[-2:] == ["nothing", "—"]


def test_a_question_is_among_the_worst_once(experiment: Begin, record: Record) -> None:
    one = experiment(settings={"repeats": 3})
    for repeat in range(3):
        one.add("flaky", record(0.5 - repeat / 4), repeat=repeat, transcript=(_step(0),))
        one.add("poor", record(0.25), repeat=repeat, transcript=(_step(0),))
    lines = [line.split(" | ") for line in _report(one).split("## Worst cases")[1].splitlines() if line[:2] == "| "]
    assert [(line[0], line[2]) for line in lines[2:]] == [("| flaky, repeat 2", "0.000"), ("| poor", "0.250")]
