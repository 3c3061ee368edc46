"""LoCoMo's roll-up, against numbers worked out by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from heams.benchmarks.locomo.report import render_locomo_rollup_sections
from heams.evaluation.records import EvaluationRecord
from heams.orchestration.results import RunResult, RunStatus
from heams.reporting.load import load_results
from heta_framework.common.config import dump_yaml

WHEN = datetime(2026, 1, 1, tzinfo=UTC)
RUN = "20260101T000000000Z-aaaaaa"
Scores = Mapping[str, tuple[str, float, float | None]]
"""By question: category, score, and recall@10 (None: unscored)."""

QUESTIONS: Scores = {
    "m1": ("multi_hop", 0.25, 0.5), "m2": ("multi_hop", 0.75, 1.0), "t1": ("temporal", 1.0, 1.0),
    "o1": ("open_domain", 0.0, None), "s1": ("single_hop", 0.5, 0.0), "s2": ("single_hop", 0.5, 1.0),
    "a1": ("adversarial", 1.0, None), "a2": ("adversarial", 0.0, None),
}  # fmt: skip
PERFECT: Scores = {
    "m1": ("multi_hop", 0.75, 1.0), "m2": ("multi_hop", 0.75, 1.0), "t1": ("temporal", 1.0, 1.0),
    "o1": ("open_domain", 0.5, None), "s1": ("single_hop", 1.0, 1.0), "s2": ("single_hop", 0.5, 1.0),
    "a1": ("adversarial", 0.0, None), "a2": ("adversarial", 0.0, None),
}  # fmt: skip


@pytest.fixture
def play(tmp_path: Path) -> Callable[..., None]:
    """Saves an experiment of a memory with scores."""

    def save(
        memory: str, scores: Scores = QUESTIONS, *, name: str = "", gold: str = "official", **benchmark: Any
    ) -> None:
        name = name or f"{memory}_{gold}"
        folder = tmp_path / name
        folder.mkdir()
        config = {
            "run_id": RUN,
            "name": name,
            "agent_config": {"type": "extractive"},
            "memory_system_config": {"type": memory},
            "benchmark_config": {"type": "locomo", "data_file": "data/locomo10.json", "gold": gold} | benchmark,
        }
        (folder / f"experiment_config.{RUN}.yaml").write_text(dump_yaml(config))
        lines = [_line(name, sample_id, *row) for sample_id, row in scores.items()]
        (folder / "runs.jsonl").write_text("".join(lines))
        status = RunStatus(
            run_id=RUN, name=name, state="completed", total=len(scores), finished=len(scores), errors=0, skipped=0,
            started_at=WHEN, updated_at=WHEN,
        )  # fmt: skip
        (folder / "run_status.json").write_text(status.model_dump_json())

    return save


def _line(name: str, sample_id: str, category: str, score: float, recall: float | None) -> str:
    tags = {"category": category}
    metric = "adversarial_accuracy" if category == "adversarial" else "f1"
    records = [EvaluationRecord(evaluator="locomo_qa", metric=metric, value=score, step_index=0, tags=tags)]
    for found, value in (("recall@10", recall), ("mrr", recall)):
        outcome = "unscored" if value is None else "scored"
        records.append(
            EvaluationRecord(
                evaluator="evidence_recall", metric=found, value=value, outcome=outcome, step_index=0, tags=tags
            )
        )
    result = RunResult(
        run_id=RUN, sample_id=sample_id, status="completed", experiment=name, sample_name=sample_id,
        records=tuple(records), started_at=WHEN, finished_at=WHEN,
    )  # fmt: skip
    return result.model_dump_json(exclude_none=True) + "\n"


def _sections(tmp_path: Path) -> str:
    return "\n\n".join(render_locomo_rollup_sections(load_results(tmp_path).experiments))


def _table(sections: str, title: str) -> dict[str, dict[str, str]]:
    """Cells by row and column; cells are cut at their mean."""
    lines = [line for line in sections.split(f"### {title}\n", 1)[1].split("###")[0].splitlines() if line[:1] == "|"]
    head, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {row[0]: dict(zip(head, (cell.split(" ")[0].strip(",") for cell in row), strict=True)) for row in rows}


def test_categories_1_to_4_are_averaged_over_questions_and_category_5_stays_apart(
    play: Callable[..., None], tmp_path: Path
) -> None:
    play("lexical")
    sections = _sections(tmp_path)
    row = _table(sections, "Answers (official gold)")["lexical"]
    assert (row["multi_hop (1)"], row["temporal (2)"]) == ("0.500", "1.000")
    assert (row["open_domain (3)"], row["single_hop (4)"]) == ("0.000", "0.500")
    assert row["1–4"] == "0.500"  # (0.25 + 0.75 + 1 + 0 + 0.5 + 0.5) / 6
    assert row["adversarial (5)"] == "0.500"
    assert "| 0.500 [" in sections
    assert ", n 6 |" in sections


def test_retrieval_leaves_questions_without_evidence_out(play: Callable[..., None], tmp_path: Path) -> None:
    play("lexical")
    sections = _sections(tmp_path)
    row = _table(sections, "Retrieval (official gold)")["lexical"]
    assert row["recall@10 multi_hop (1)"] == "0.750"
    assert row["recall@10 open_domain (3)"] == "—"
    assert row["recall@10 1–4"] == "0.700"  # (0.5 + 1 + 1 + 0 + 1) / 5
    assert row["mrr 1–4"] == "0.700"
    assert "n 5, 1 left out" in sections


def test_losses_are_taken_against_the_oracle_question_by_question(play: Callable[..., None], tmp_path: Path) -> None:
    play("lexical")
    play("oracle", PERFECT)
    rows = _table(_sections(tmp_path), "Where points are lost (official gold)")
    lexical, oracle = rows["lexical"], rows["oracle"]
    assert (lexical["F1"], lexical["retrieval loss"], lexical["reading loss"]) == ("0.500", "0.250", "0.250")
    assert (lexical["F1, evidence recalled"], lexical["F1, evidence missed"]) == ("0.750", "0.375")
    assert (oracle["F1"], oracle["retrieval loss"], oracle["reading loss"]) == ("0.750", "0", "0.250")


def test_losses_compare_only_questions_that_both_answered(play: Callable[..., None], tmp_path: Path) -> None:
    play("lexical", {key: QUESTIONS[key] for key in ("m1", "t1")})
    play("oracle", PERFECT)
    row = _table(_sections(tmp_path), "Where points are lost (official gold)")["lexical"]
    assert (row["F1"], row["retrieval loss"], row["reading loss"], row["n"]) == ("0.625", "0.250", "0.125", "2")


def test_without_an_oracle_there_are_no_losses(play: Callable[..., None], tmp_path: Path) -> None:
    play("lexical")
    assert "Where points are lost" not in _sections(tmp_path)


def test_bounds_come_first_and_last(play: Callable[..., None], tmp_path: Path) -> None:
    for memory in ("full_context", "oracle", "vector", "no_memory", "hybrid"):
        play(memory)
    rows = _table(_sections(tmp_path), "Answers (official gold)")
    assert list(rows) == ["no_memory", "hybrid", "vector", "full_context", "oracle"]
    assert (rows["no_memory"]["reference"], rows["hybrid"]["reference"]) == ("*lower", "—")
    assert "Where declining to answer is right, a lower one may lead." in _sections(tmp_path)


def test_competitors_alone_need_no_word_on_references(play: Callable[..., None], tmp_path: Path) -> None:
    play("lexical")
    assert "References are no competitors" not in _sections(tmp_path)


def test_official_and_audited_gold_stand_beside_each_other(play: Callable[..., None], tmp_path: Path) -> None:
    play("lexical")
    play("lexical", PERFECT, gold="audited")
    play("vector")
    sections = _sections(tmp_path)
    assert sections.count("## LoCoMo, agent extractive") == 1
    rows = _table(sections, "Official and audited gold")
    assert list(rows) == ["lexical"]
    assert (rows["lexical"]["official"], rows["lexical"]["audited"]) == ("0.500", "0.750")
    assert (rows["lexical"]["difference"], rows["lexical"]["n"]) == ("0.250", "6")
    assert list(_table(sections, "Answers (audited gold)")) == ["lexical"]


def test_other_questions_are_another_group(play: Callable[..., None], tmp_path: Path) -> None:
    play("lexical")
    play("lexical", name="mini", data_file="data/locomo_mini.json")
    titles = [line for line in _sections(tmp_path).splitlines() if line.startswith("## ")]
    assert titles == ["## LoCoMo format: locomo_mini, agent extractive", "## LoCoMo, agent extractive"]


def test_the_same_memory_twice_is_told_apart(play: Callable[..., None], tmp_path: Path) -> None:
    play("lexical", name="first")
    play("lexical", name="second")
    assert list(_table(_sections(tmp_path), "Answers (official gold)")) == ["lexical (first)", "lexical (second)"]


def test_the_wider_refusal_rule_has_a_column_of_its_own(play: Callable[..., None], tmp_path: Path) -> None:
    play("lexical")
    assert "wider rule" not in _sections(tmp_path)
    record = EvaluationRecord(
        evaluator="locomo_qa", metric="adversarial_refusal", value=1.0, step_index=0, tags={"category": "adversarial"}
    )
    result = RunResult(
        run_id=RUN, sample_id="a3", status="completed", experiment="x", sample_name="a3", records=(record,),
        started_at=WHEN, finished_at=WHEN,
    )  # fmt: skip
    with (tmp_path / "lexical_official" / "runs.jsonl").open("a") as file:
        file.write(result.model_dump_json(exclude_none=True) + "\n")
    row = _table(_sections(tmp_path), "Answers (official gold)")["lexical"]
    assert (row["adversarial (5)"], row["adversarial (5), wider rule"]) == ("0.500", "1.000")
