"""Saved experiments, written through the models that a run saves with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from heams.evaluation.records import EvaluationRecord
from heams.orchestration.results import IngestRecord, RunResult, RunStatus, SavedRecall, TranscriptStep
from heta_framework.common.config import dump_yaml

WHEN = datetime(2026, 1, 1, tzinfo=UTC)
RUN = "20260101T000000000Z-aaaaaa"


class SavedExperiment:
    """An experiment folder under construction."""

    def __init__(self, root: Path, name: str, **config: Any) -> None:
        self.directory = root / name
        self.name = name
        self.run_id = config.pop("run_id", RUN)
        self.directory.mkdir(parents=True, exist_ok=True)
        self.write_config(_config(self.run_id, name, **config))

    def write_config(self, config: Mapping[str, Any]) -> None:
        """Save (or replace) the configuration of the run."""
        (self.directory / f"experiment_config.{self.run_id}.yaml").write_text(dump_yaml(config), encoding="utf-8")

    def add(self, sample_id: str, *records: EvaluationRecord, recalled: Sequence[int] = (), **fields: Any) -> None:
        """Append a result; ``recalled`` are the token counts of one recall."""
        recall = SavedRecall(
            query="?",
            ids=tuple(f"i{place}" for place in range(len(recalled))),
            scores=(None,) * len(recalled),
            tokens=tuple(recalled),
            texts=("0",) * len(recalled),
        )
        step = TranscriptStep(index=0, action={"type": "user_stimulus"}, recalls=(recall,) if recalled else None)
        whole = {"status": "completed", "sample_name": f"Question {sample_id}?", "transcript": (step,)} | fields
        result = RunResult(
            run_id=self.run_id, experiment=self.name, sample_id=sample_id, records=records,
            started_at=WHEN, finished_at=WHEN, **whole,
        )  # fmt: skip
        self.append("runs.jsonl", result.model_dump_json(exclude_none=True) + "\n")

    def ingest(self, history_id: str, **fields: Any) -> None:
        """Append an ingest record."""
        whole = {
            "status": "completed",
            "ingestion": "direct",
            "isolation": "fork",
            "events": 10,
            "seconds": 1.0,
        } | fields
        record = IngestRecord(run_id=self.run_id, history_id=history_id, started_at=WHEN, finished_at=WHEN, **whole)
        self.append("ingests.jsonl", record.model_dump_json(exclude_none=True) + "\n")

    def status(self, state: str = "completed", **fields: Any) -> None:
        """Write ``run_status.json``."""
        counts = {"total": 1, "finished": 1, "errors": 0, "skipped": 0} | fields
        status = RunStatus.model_validate(
            {"run_id": self.run_id, "name": self.name, "state": state, "started_at": WHEN, "updated_at": WHEN} | counts
        )
        (self.directory / "run_status.json").write_text(status.model_dump_json(exclude_none=True))

    def append(self, name: str, text: str) -> None:
        """Append raw text to a file of the folder."""
        with (self.directory / name).open("a", encoding="utf-8") as file:
            file.write(text)


def _config(
    run_id: str,
    name: str,
    *,
    memory: str = "lexical",
    agent: str = "extractive",
    benchmark: Mapping[str, Any] | None = None,
    label: str = "questions",
    settings: Mapping[str, Any] | None = None,
    sha256: str = "0" * 64,
    provenance: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    return {
        "run_id": run_id,
        "name": name,
        "agent_config": {"type": agent},
        "memory_system_config": {"type": memory},
        "benchmark_config": {"type": "jsonl_qa", "data_file": "data/questions.jsonl"} | dict(benchmark or {}),
        "settings": {"repeats": 1, "recall_budget": {"items": 10, "tokens": None}, "ingestion": "direct", "seed": 0}
        | dict(settings or {}),
        "provenance": {
            "labels": {"agent": agent, "memory_system": memory, "benchmark": label},
            "data": [
                {"component": "benchmark", "field": "data_file", "path": "data/questions.jsonl", "sha256": sha256}
            ],
            "packages": {"heams": "0.1.0"},
            "python": "3.12.0",
            "platform": "Linux x86_64",
        }
        | dict(provenance or {}),
    }


@pytest.fixture
def experiment(tmp_path: Path) -> Callable[..., SavedExperiment]:
    """Begins an experiment folder below ``tmp_path/results``."""

    def begin(name: str = "one", **config: Any) -> SavedExperiment:
        return SavedExperiment(tmp_path / "results", name, **config)

    return begin


@pytest.fixture
def record() -> Callable[..., EvaluationRecord]:
    """An evaluation record: ``record(0.5)``, ``record(outcome="error")``, ``record(1, metric="recall@10")``."""

    def build(value: float | None = None, **fields: Any) -> EvaluationRecord:
        whole = {"evaluator": "judge", "metric": "f1", "step_index": 0, "value": value} | fields
        return EvaluationRecord(**whole)

    return build
