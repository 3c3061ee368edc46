"""Experiments that say what a test wants them to say about the same questions, saved as a run saves them."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from heams.evaluation.records import EvaluationRecord
from heams.orchestration.results import RunResult, RunStatus, SavedRecall, TranscriptStep
from heta_framework.common.config import dump_yaml

WHEN = datetime(2026, 1, 1, tzinfo=UTC)
RUN = "20260101T000000000Z-aaaaaa"
_SHA = "0" * 64


def save(
    root: Path,
    memory: str,
    values: Sequence[float | None],
    *,
    agent: str = "extractive",
    budget: int = 10,
    benchmark: str = "jsonl_qa",
    metrics: Mapping[str, Sequence[float]] | None = None,
    texts: Mapping[int, str] | None = None,
) -> str:
    """Save ``<agent>__<memory>__<benchmark>`` with a verdict a question; ``texts`` are answers by question.

    None is an unscored verdict. ``metrics`` are further, graded metrics with their values. Returns the name.
    """
    name = f"{agent}__{memory}__{benchmark}"
    folder = root / name
    folder.mkdir(parents=True)
    config = {
        "run_id": RUN,
        "name": name,
        "agent_config": {"type": agent},
        "memory_system_config": {"type": memory},
        "benchmark_config": {"type": benchmark, "data_file": "q.jsonl"},
        "settings": {"repeats": 1, "recall_budget": {"items": budget}, "ingestion": "direct", "seed": 0},
        "provenance": {
            "labels": {"agent": agent, "memory_system": memory, "benchmark": benchmark},
            "data": [{"component": "benchmark", "field": "data_file", "path": "q.jsonl", "sha256": _SHA}],
            "packages": {"heams": "0.1.0"},
        },
    }
    (folder / f"experiment_config.{RUN}.yaml").write_text(dump_yaml(config), encoding="utf-8")
    lines = []
    for place, value in enumerate(values):
        records = [_record("f1", place, value, (texts or {}).get(place, f"answer {place}"))]
        records += [_record(metric, place, of[place], "", graded=True) for metric, of in (metrics or {}).items()]
        lines.append(_result(name, place, records).model_dump_json(exclude_none=True))
    (folder / "runs.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    number = len(values)
    status = RunStatus(
        run_id=RUN, name=name, state="completed", started_at=WHEN, updated_at=WHEN, total=number, finished=number,
        errors=0, skipped=0,
    )  # fmt: skip
    (folder / "run_status.json").write_text(status.model_dump_json(exclude_none=True), encoding="utf-8")
    return name


def _record(metric: str, place: int, value: float | None, observed: str, *, graded: bool = False) -> EvaluationRecord:
    fields: dict[str, Any] = {} if graded or value is None else {"passed": value == 1}
    return EvaluationRecord(
        evaluator="own",
        metric=metric,
        step_index=0,
        outcome="scored" if value is not None else "unscored",
        value=value,
        expected=f"expected {place}",
        observed=observed,
        tags={"kind": "even" if place % 2 == 0 else "odd"},
        **fields,
    )


def _result(name: str, place: int, records: Sequence[EvaluationRecord]) -> RunResult:
    recall = SavedRecall(query="?", ids=("e1", "e2"), scores=(0.9, 0.1), tokens=(3, 4), texts=("0", "1"))
    step = TranscriptStep(
        index=0,
        action={"type": "user_stimulus", "content": f"Question {place}, in full?"},
        recalls=(recall,),
        reply=records[0].observed,
    )
    return RunResult(
        run_id=RUN, experiment=name, sample_id=f"s{place}", sample_name=f"Question {place}?", status="completed",
        transcript=(step,), records=tuple(records), started_at=WHEN, finished_at=WHEN,
    )  # fmt: skip
