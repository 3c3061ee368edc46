"""Reports show what components were set to, and tell components of one type apart by it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from heams.reporting.markdown import fenced
from heams.reporting.reports import write_reports

Begin = Callable[..., Any]
Record = Callable[..., Any]


def _save(one: Any, **changes: Any) -> None:
    path = one.directory / f"experiment_config.{one.run_id}.yaml"
    one.write_config(yaml.safe_load(path.read_text(encoding="utf-8")) | changes)


def _report(folder: Path) -> str:
    return write_reports(folder)[-1].read_text(encoding="utf-8")


def test_the_configurations_of_all_components_are_shown(experiment: Begin, record: Record) -> None:
    one = experiment()
    _save(one, memory_system_config={"type": "lexical", "k1": 1.5, "api_key": "${KEY}"})
    one.add("a", record(1.0))
    block = _report(one.directory).split("```yaml\n")[1].split("\n```")[0]
    assert yaml.safe_load(block) == {
        "agent": {"type": "extractive"},
        "memory_system": {"type": "lexical", "k1": 1.5, "api_key": "${KEY}"},
        "benchmark": {"type": "jsonl_qa", "data_file": "data/questions.jsonl"},
    }


def test_settings_cannot_leave_their_block(experiment: Begin, record: Record) -> None:
    one = experiment()
    evil = "~~~\n```\n# Owned\n````\n<script>alert(1)</script>\u202e"
    _save(one, agent_config={"type": "scripted", "prompt": evil, "`````": evil})
    one.add("a", record(1.0))
    report = _report(one.directory)
    fence = "`" * 6
    before, block, after = report.split(f"\n{fence}", 2)
    assert "Owned" in block
    assert "\n" + fence not in block
    assert "Owned" not in before + after
    assert "\u202e" not in report


def test_long_settings_are_cut_and_say_so(experiment: Begin, record: Record) -> None:
    one = experiment()
    _save(one, agent_config={"type": "scripted", "prompt": "x" * 5_000, "answers": {f"q{n}": "a" for n in range(500)}})
    one.add("a", record(1.0))
    report = _report(one.directory)
    assert "x ... (5,000 characters)" in report
    assert f"more lines in experiment_config.{one.run_id}.yaml" in report
    assert len(report.split("```yaml")[1].splitlines()) < 150


def test_a_fence_is_longer_than_any_in_its_text() -> None:
    assert fenced("a ```` b\n", "yaml") == "`````yaml\na ```` b\n`````"
    assert fenced("") == "```\n\n```"


def test_memories_of_one_type_are_told_apart_by_their_settings(
    experiment: Begin, record: Record, tmp_path: Path
) -> None:
    for name, memory, config in (
        ("a", "lexical", {"type": "lexical", "k1": 0.9, "b": 0.4, "analysis": {"stemmer": "english"}}),
        ("b", "lexical-2", {"type": "lexical", "k1": 1.2, "b": 0.4, "analysis": {"stemmer": None}}),
        ("c", "vector", {"type": "vector", "k1": 7}),
    ):
        one = experiment(name, memory=memory)
        _save(one, memory_system_config=config)
        one.add("q", record(1.0))
    section = _report(tmp_path / "results").split("## Like with like")[1]
    assert "| memory system lexical: k1 | 0.9: lexical<br>1.2: lexical-2 |" in section
    assert '| memory system lexical: analysis.stemmer | "english": lexical<br>null: lexical-2 |' in section
    assert "lexical: b" not in section
    assert "vector" not in section


def test_recipes_are_told_apart_step_by_step(experiment: Begin, record: Record, tmp_path: Path) -> None:
    for name, size in (("a", {"chunk_size": 256}), ("b", {"chunk_size": 64, "overlap": 8})):
        one = experiment(name, memory=name)
        recipe = {"type": "recipe", "steps": ["parse_documents", {"split_documents": size}, "index_full_text"]}
        _save(one, memory_system_config=recipe, agent_config={"type": "query_mode", "mode": "full_text_search"})
        one.add("q", record(1.0))
    section = _report(tmp_path / "results").split("## Like with like")[1]
    assert "| recipe: steps.split_documents.chunk_size | 256: a<br>64: b |" in section
    assert "| recipe: steps.split_documents.overlap | the default: a<br>8: b |" in section
    assert "recipe: steps |" not in section


def test_one_label_for_two_configurations_is_replaced_by_the_experiments(
    experiment: Begin, record: Record, tmp_path: Path
) -> None:
    for name, model in (("a", "small"), ("b", "large"), ("c", "large")):
        one = experiment(name, agent="mine")
        _save(one, agent_config={"type": "mine", "model": model})
        one.add("q", record(1.0))
    assert '| agent mine: model | "small": a<br>"large": b, c |' in _report(tmp_path / "results")


def test_files_are_compared_by_content(experiment: Begin, record: Record, tmp_path: Path) -> None:
    for name, path, sha256 in (("a", "here/x", "1" * 64), ("b", "there/x", "1" * 64), ("c", "here/x", "2" * 64)):
        data = [{"component": "agent", "field": "files.script", "path": path, "sha256": sha256}]
        one = experiment(name, provenance={"data": data})
        _save(one, agent_config={"type": "scripted", "files": {"script": path}})
        one.add("q", record(1.0))
    report = _report(tmp_path / "results")
    assert "| agent scripted: files.script | sha256 111111111111: a, b<br>sha256 222222222222: c |" in report
