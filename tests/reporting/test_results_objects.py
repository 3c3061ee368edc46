"""Saved results as objects: what they look like in a console, what was recalled, and whose history it is."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from heams.orchestration.results import SavedRecall, TranscriptStep
from heams.reporting.load import load_results

Begin = Callable[..., Any]
Record = Callable[..., Any]


def test_a_console_shows_path_names_and_counts(experiment: Begin, record: Record, tmp_path: Path) -> None:
    for name in ("one", "two"):
        experiment(name).add("a", record(1.0))
    experiment("two").add("b", record(1.0))
    root = tmp_path / "results"
    results = load_results(root)
    assert repr(results) == f"<Results {str(root)!r}: 2 experiments (one, two), 3 results>"
    first = results.experiments[0]
    assert repr(first) == f"<ExperimentResults 'one': 1 result of run {first.run_id} in {str(root / 'one')!r}>"
    assert repr(load_results(root / "one")).endswith("1 experiment (one), 1 result>")


def test_many_experiments_are_not_all_named(experiment: Begin, tmp_path: Path) -> None:
    for number in range(12):
        experiment(f"e{number:02}")
    assert "12 experiments (e00, e01, e02, e03, e04, e05, e06, e07, ...), 0 results" in repr(
        load_results(tmp_path / "results")
    )


def test_recalled_items_come_with_their_texts(experiment: Begin, record: Record) -> None:
    one = experiment()
    one.append("texts.jsonl", json.dumps({"id": "k1", "text": "hello"}) + "\n")
    recalls = tuple(
        SavedRecall(query="?", ids=(item,), scores=(score,), tokens=(1,), texts=(key,))
        for item, score, key in (("i1", 0.5, "k1"), ("i2", None, "gone"))
    )
    steps = (TranscriptStep(index=0, action={"type": "turn"}),
             TranscriptStep(index=1, action={"type": "user_stimulus"}, recalls=recalls))  # fmt: skip
    one.add("a", record(1.0), transcript=steps)
    (results,) = load_results(one.directory).experiments
    (result,) = results
    assert results.recalled(result) == [("i1", 0.5, "hello"), ("i2", None, None)]
    assert results.recalled(result)[0].text == "hello"


def test_a_history_is_the_one_that_the_run_heard(experiment: Begin) -> None:
    old, new = experiment(run_id="2025-a"), experiment(run_id="2026-b")
    folder = old.directory / "histories"
    folder.mkdir()
    (folder / "h.jsonl").write_text('{"id": "old"}\n')
    (folder / "h.2026-b.jsonl").write_text('{"id": "new"}\n')
    heard = [load_results(new.directory, run_id=run_id).experiments[0].history("h") for run_id in ("2025-a", "2026-b")]
    assert heard == [[{"id": "old"}], [{"id": "new"}]]
