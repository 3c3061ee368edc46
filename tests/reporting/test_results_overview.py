"""The overview of a results folder: both dimensions, and privacy never without what it costs."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from heams.reporting.reports import write_reports


def test_privacy_has_a_table_of_its_own_with_both_axes(
    experiment: Callable[..., Any], record: Callable[..., Any], tmp_path: Path
) -> None:
    experiment("plain", benchmark={"type": "made_up"}).add("q", record(1.0))
    guarded = experiment("guarded", benchmark={"type": "retention_policy"})
    guarded.add("q", record(1.0, metric="no_leak"), record(0.0, metric="retained"))
    report = {path.parent.name: path for path in write_reports(tmp_path / "results")}["results"].read_text("utf-8")
    performance, privacy = report.split("## Overview")[1].split("## Performance")[0].split("**Privacy**")
    assert "| made_up: f1 |" in performance
    assert "no_leak" not in performance
    assert "| Retention policy: no_leak | Retention policy: retained |" in privacy


def test_nothing_takes_the_place_of_an_axis_that_was_not_measured(
    experiment: Callable[..., Any], record: Callable[..., Any], tmp_path: Path
) -> None:
    experiment("plain", benchmark={"type": "made_up"}).add("q", record(1.0))
    guarded = experiment("guarded", benchmark={"type": "retention_policy"})
    guarded.add("q", record(1.0, metric="no_leak"), record(1.0, metric="honest_erasure"))
    report = {path.parent.name: path for path in write_reports(tmp_path / "results")}["results"].read_text("utf-8")
    privacy = report.split("**Privacy**")[1].split("## Performance")[0]
    assert "| Retention policy: no_leak |" in privacy
    assert "honest_erasure" not in privacy


def test_rules_that_others_lack_are_one_difference(
    experiment: Callable[..., Any], record: Callable[..., Any], tmp_path: Path
) -> None:
    for name, rules in (("free", None), ("ruled", {"rules": [1], "hold": ["contract"]})):
        one = experiment(name, memory=name)
        config = yaml.safe_load((one.directory / f"experiment_config.{one.run_id}.yaml").read_text("utf-8"))
        one.write_config(config | {"memory_system_config": {"type": "hybrid", "retention": rules}})
        one.add("q", record(1.0))
    report = {path.parent.name: path for path in write_reports(tmp_path / "results")}["results"].read_text("utf-8")
    assert 'retention | null: free<br>rules: \\[1\\]; hold: \\["contract"\\]: ruled |' in report
    assert "not saved: free" not in report
