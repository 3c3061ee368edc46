"""Tables of a small experiment whose records differ in everything that a filter can ask for."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from heams.browse.queries import Metric
from heams.evaluation.records import EvaluationRecord
from heams.orchestration.results import ErrorInfo, RunResult, Timings
from heams.reporting.load import ExperimentResults
from heams.reporting.tables import ExperimentTables, Tables
from heta_framework.common.models.usage import Usage

F1 = Metric("judge", "f1")
_RUN = "20260101T000000000Z-aaaaaa"
_WHEN = datetime(2026, 1, 1, tzinfo=UTC)
_TEXTS = ("Paris", "paris\nFrance", "100% sure", "a_b", None, "", 'say "É"')
_VALUES = (0.0, 0.15, 0.5, 1.0, 0.3)


def _record(number: int, **fields: Any) -> EvaluationRecord:
    outcome = "scored" if number % 5 else ("error", "unscored", "skipped")[number // 5 % 3]
    tags = {"kind": ("Temporal", "place", "two words")[number % 3]} if number % 4 else {}
    whole: dict[str, Any] = {
        "evaluator": "judge",
        "metric": "f1",
        "outcome": outcome,
        "value": _VALUES[number % 5] if outcome == "scored" else None,
        "passed": (None, True, False)[number % 3] if outcome == "scored" and number > 10 else None,
        "step_index": None if number == 7 else number % 2,
        "expected": _TEXTS[number % 7],
        "observed": _TEXTS[number % 6],
        "reason": ("none", "because")[number % 2],
        "tags": tags | ({"criterion": "recall"} if number % 6 == 0 else {}) | {"my tag": str(number % 2)},
    }
    return EvaluationRecord(**whole | fields)


def _result(number: int) -> RunResult:
    usage = {
        "agent": Usage(calls=1, input_tokens=number, output_tokens=1, cost_usd=number / 10 if number % 2 else None)
    }
    failed = number % 8 == 0
    return RunResult(
        run_id=_RUN,
        experiment="one",
        sample_id=f"s{number // 2}",
        repeat=number % 2,
        status="error" if failed else "completed",
        sample_name=_TEXTS[(number + 2) % 4] or "",
        history_id=None if number % 3 else "h1",
        records=(_record(number), _record(number, metric="recall", value=None, passed=None, outcome="unsupported")),
        usage={} if number % 5 == 0 else usage,
        timings=Timings(total=number / 4),
        error=ErrorInfo(phase="step 1", type="TimeoutError", message="too slow") if failed else None,
        started_at=_WHEN,
        finished_at=_WHEN,
    )


@pytest.fixture(scope="session")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tables]:
    """24 plays of 12 samples, each with a record under ``judge/f1`` and one under ``judge/recall``."""
    folder: Path = tmp_path_factory.mktemp("queries")
    lines = (_result(number).model_dump_json(exclude_none=True) + "\n" for number in range(24))
    (folder / "runs.jsonl").write_text("".join(lines), encoding="utf-8")
    (folder / f"experiment_config.{_RUN}.yaml").write_text(f"run_id: {_RUN}\nname: one\n", encoding="utf-8")
    with ExperimentTables(ExperimentResults(folder, _RUN)) as found:
        yield found


@pytest.fixture
def f1() -> Metric:
    """The metric under which records differ."""
    return F1
