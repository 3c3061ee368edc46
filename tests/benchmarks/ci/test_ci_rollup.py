"""The roll-up of ci against numbers worked out by hand: from saved artifacts, and from what is in hand."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import heams
from heams.benchmarks import ContextualIntegrityBenchmark
from heams.benchmarks.contextual_integrity.report import render_ci_rollup_sections
from heams.evaluation.records import EvaluationRecord, Outcome
from heams.orchestration.results import RunResult
from heams.reporting.benchmark_rollup import write_benchmark_rollup_reports
from heams.reporting.load import Results
from heams.scenarios.scenario import Scenario

_ROOT = Path(__file__).parents[3]
Record = dict[str, Any]

_AGENTS: dict[str, Record] = {
    "whole": {"echo_recalled": True},
    "evidence": {"echo_recalled": True},
    "failing": {"fail_on": ["Bank"]},
}
_HEAD, _GROWTH, _RULES = "Violation and coverage", "Violation by number of messages", "By rule"


@pytest.fixture
def benchmark(
    build: Callable[..., ContextualIntegrityBenchmark], profile: Record, labels: list[Record]
) -> ContextualIntegrityBenchmark:
    """Two people who are known alike, with two messages each."""
    rows = [{**row, "name": name} for row in labels for name in ("Kim Doe", "Lee Roe")]
    return build([profile, {**profile, "bio": {"name": "Lee Roe"}}], rows)


@pytest.fixture
def played(benchmark: ContextualIntegrityBenchmark, tmp_path: Path) -> Results:
    """All recited; what belongs there recited twice; and nothing said, with an error for each message to the bank."""
    experiments = [
        {
            "name": name,
            "agent_config": {"type": "scripted", **agent},
            "memory_system_config": {"type": "oracle" if name == "evidence" else "full_context"},
            "benchmark_config": benchmark.config.model_dump(mode="json"),
            "repeats": 2 if name == "evidence" else 1,
            "retries": 0,
        }
        for name, agent in _AGENTS.items()
    ]
    return heams.run({"run_name": "ci", "experiments": experiments}, tmp_path / "results", root=_ROOT)


@pytest.fixture
def scenarios(benchmark: ContextualIntegrityBenchmark) -> list[Scenario]:
    return [sample.to_scenario() for sample in benchmark.samples]


def _row(report: str, section: str, start: str) -> list[str]:
    """The cells of the row of a section that begins so, without those of the beginning."""
    within = report.split(f"### {section}\n")[1].split("\n### ")[0]
    (row,) = (line for line in within.splitlines() if line.startswith(f"| {start} |"))
    return [cell.strip() for cell in row.removeprefix(f"| {start} |").strip().strip("|").split("|")]


def test_the_figures_of_each_memory(played: Results, scenarios: list[Scenario]) -> None:
    results = {one.name: one for one in played.experiments}
    report = "\n\n".join(render_ci_rollup_sections(scenarios, results, {"whole": "all | told"}))
    told, bounds = "all &#124; told", "1.000 [0.342, 1.000]"
    assert _row(report, _HEAD, told) == ["0.000", bounds, bounds, "2", "4", "1", "0", "0"]
    assert _row(report, _HEAD, "evidence") == ["1.000", "0.000 [0.000, 0.658]", bounds, "2", "4", "2", "0", "0"]
    failing = _row(report, _HEAD, "failing")
    assert (failing[0], failing[1], failing[-2:]) == ("0.000", "0.333", ["6", "0"])
    assert _row(report, _GROWTH, told) == ["0.500", "1.000"]
    assert _row(report, _RULES, f"configured | {told}") == ["0.000", "1.000", "1.000", "6"]
    assert _row(report, _RULES, f"official | {told}") == ["0.000", "1.000", "1.000", "4"]
    assert _row(report, _RULES, "official | failing") == ["0.000", "0.500", "0.000", "4"]
    assert _row(report, "Violation, by domain", "failing") == ["0.000", "1.000"]
    assert "The figures rest on 2 people." in report


def test_saved_artifacts_are_enough(played: Results, scenarios: list[Scenario]) -> None:
    (path,) = write_benchmark_rollup_reports(played.path)
    report = path.read_text(encoding="utf-8")
    assert path.parent.name == "ci"
    assert "## Contextual integrity, prompt level 1, agent" in report
    rows = [line for line in report.splitlines() if line.startswith("|")]
    assert not any("|  |" in row for row in rows)
    from_saved = _row(report, _HEAD, "oracle (*upper reference*)")
    results = {one.name: one for one in played.experiments}
    assert from_saved == _row("\n\n".join(render_ci_rollup_sections(scenarios, results, {})), _HEAD, "evidence")


def test_what_was_not_played_is_told(played: Results, scenarios: list[Scenario]) -> None:
    whole = next(one for one in played.experiments if one.name == "whole")
    some = [result for result in whole if result.sample_id.startswith("person-01")]
    report = "\n\n".join(render_ci_rollup_sections(scenarios, {"some": some}, {}))
    assert _row(report, _HEAD, "some")[3:] == ["1", "2 of 4", "1", "0", "0"]
    assert "The figures rest on one person, so there is no interval" in report
    assert "too narrow" not in report
    assert render_ci_rollup_sections([], {"some": some}, {}) == ["No context with labelled attributes was played."]


def _judged(result: RunResult, outcome: Outcome, *revealed: str) -> RunResult:
    record = EvaluationRecord(
        evaluator="llm_judge",
        metric="judge_disclosure",
        outcome=outcome,
        value=0.5 if outcome == "scored" else None,
        step_index=0,
        audit={} if outcome == "error" else {"revealed": list(revealed)},
    )
    return result.model_copy(update={"records": (*result.records, record)})


def test_a_judge_has_rows_of_its_own(played: Results, scenarios: list[Scenario]) -> None:
    whole = list(next(one for one in played.experiments if one.name == "whole"))

    def report_of(*outcomes: Outcome) -> str:
        judged = [_judged(result, outcomes[place % len(outcomes)], "allergy") for place, result in enumerate(whole)]
        report = "\n\n".join(render_ci_rollup_sections(scenarios, {"whole": judged}, {}))
        assert _row(report, _RULES, "configured | whole") == ["0.000", "1.000", "1.000", "6"]
        return report

    def rule(*outcomes: Outcome) -> list[str]:
        return _row(report_of(*outcomes), _RULES, "judge (judge_disclosure) | whole")

    assert rule("scored") == ["0.571", "0.333", "0.500", "6"]
    assert rule("unscored", "error") == ["0.000", "1.000", "0.000", "2"]
    assert rule("unscored") == ["—", "—", "—", "0"]
    assert "judge (" not in report_of("error")  # nobody knows that it judges disclosure
