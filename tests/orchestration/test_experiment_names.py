"""Names of experiments become folders: safe on any file system, readable where the file names are, and distinct."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heams.orchestration.naming import (
    LONGEST_NAME,
    NAME_PATTERN,
    allowed_name,
    distinct_labels,
    joined_name,
    safe_label,
)
from heams.orchestration.resolve import resolve_run_mapping
from heta_framework.common.config import ConfigError


@pytest.mark.parametrize("label", ["extractive", "locomo_mini", "gpt-4o.mini", "A1", "x"])
def test_normal_labels_stay_as_they_are(label: str) -> None:
    assert safe_label(label) == label


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("_x", "x-"),
        (".y", "y-"),
        ("ü", "u-"),
        ("名前", "component-"),
        ("a b", "a_b-"),
        ("a__b", "a_b-"),
        ("a.md", "a_md-"),
    ],
)
def test_other_labels_become_slugs_with_a_hash(text: str, begins: str) -> None:
    assert re.fullmatch(re.escape(begins) + "[0-9a-f]{6}", safe_label(text))


@given(st.lists(st.text(min_size=1, max_size=300), min_size=3, max_size=3))
def test_names_of_a_matrix_are_names_that_a_run_file_may_give(texts: list[str]) -> None:
    name = joined_name([safe_label(text) for text in texts])
    assert re.fullmatch(NAME_PATTERN, name)
    assert len(name) <= LONGEST_NAME
    assert allowed_name(name) == name


@given(st.lists(st.text(min_size=1, max_size=300), min_size=2, max_size=2, unique=True))
def test_different_texts_have_different_labels(texts: list[str]) -> None:
    assert len({safe_label(text) for text in texts}) == 2


@given(st.lists(st.sampled_from(["a", "A", "a-2", "A-2", "b"]), max_size=6))
def test_labels_of_an_axis_are_told_apart_without_looking_at_case(labels: list[str]) -> None:
    found = distinct_labels(labels)
    assert len({str(label).casefold() for label in found}) == len(labels)


def test_a_long_name_is_cut_and_still_its_own() -> None:
    first, second = joined_name(["a" * 80, "b" * 80, "c"]), joined_name(["a" * 80, "b" * 80, "d"])
    assert first != second
    assert len(first) == LONGEST_NAME


@pytest.mark.parametrize("name", ["report.md", "REPORT.MD", "x.md", "ends."])
def test_names_of_reports_and_unstable_names_are_refused(name: str, tmp_path: Path) -> None:
    entry = {"name": name, "agent_config": {}, "memory_system_config": {}, "benchmark_config": {}}
    with pytest.raises(ConfigError, match=r"experiments\.0\.name.*must not end in") as caught:
        resolve_run_mapping({"run_name": "x", "experiments": [entry]}, root=tmp_path)
    assert repr(name)[1:-1] in str(caught.value)


@pytest.mark.parametrize("name", ["_rollup", ".lock", "..", "a/b", ""])
def test_names_of_other_entries_are_refused(name: str, tmp_path: Path) -> None:
    entry = {"name": name, "agent_config": {}, "memory_system_config": {}, "benchmark_config": {}}
    with pytest.raises(ConfigError, match=r"experiments\.0\.name"):
        resolve_run_mapping({"run_name": "x", "experiments": [entry]}, root=tmp_path)


def test_component_files_of_any_name_can_meet(
    tmp_path: Path, questions: Callable[..., Path], one_experiment: Callable[..., dict[str, Any]]
) -> None:
    agents = ["_x.yaml", "x.yaml", "ü.yaml", ".y.yaml", "X.yaml", "n" * 200 + ".yaml", "testing/x.yaml"]
    (tmp_path / "configs/agents/testing").mkdir(parents=True)
    for name in agents:
        (tmp_path / "configs/agents" / name).write_text("type: scripted\n", encoding="utf-8")
    (entry,) = one_experiment(questions(1))["experiments"]
    matrix = {
        "agents": agents,
        "memory_systems": [{"type": "no_memory"}],
        "benchmarks": [entry["benchmark_config"]],
    }
    run = resolve_run_mapping({"run_name": "x", "matrix": matrix}, root=tmp_path)
    names = [experiment.name for experiment in run.experiments]
    assert names[1] == "x__no_memory__jsonl_qa"
    assert len({name.casefold() for name in names}) == len(agents)
    for name in names:
        (tmp_path / "out" / name).mkdir(parents=True)
