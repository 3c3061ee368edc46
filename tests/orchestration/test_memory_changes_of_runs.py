"""A run saves what each action changed in the memory, changes no result by it, and can be told what to look into."""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import heams
from heams.memory.stored_memory import StoredMemory
from heams.orchestration.results import SavedMemoryChange, TranscriptStep
from heams.orchestration.run_file import ExperimentSettings

Build = Callable[..., Any]
_APART = {"seconds", "waited", "timings", "run_id", "started_at", "finished_at", "memory_change"}
_TRANSPARENCY = "testing/transparency_smoke.yaml"


def _experiment(benchmark: str, memory: Any, agent: str = "extractive.yaml", **settings: Any) -> dict[str, Any]:
    part = "memory_system_config_file" if isinstance(memory, str) else "memory_system_config"
    entry = {"name": "one", "agent_config_file": agent, part: memory, "benchmark_config_file": benchmark}
    return {"run_name": "changes", "experiments": [entry | settings]}


def _lines(folder: Path, name: str = "runs.jsonl") -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "one" / name).read_text(encoding="utf-8").splitlines()]


def _steps(folder: Path) -> Iterator[dict[str, Any]]:
    for line in _lines(folder):
        yield from line["transcript"]


def _changes(folder: Path) -> list[tuple[str, dict[str, Any]]]:
    return [(step["action"]["type"], step["memory_change"]) for step in _steps(folder) if "memory_change" in step]


def _without(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _without(one) for key, one in value.items() if key not in _APART}
    return [_without(one) for one in value] if isinstance(value, list) else value


def test_what_was_told_and_forgotten_is_saved_with_its_text(repository: Path, tmp_path: Path) -> None:
    heams.run(_experiment(_TRANSPARENCY, "lexical.yaml"), tmp_path, root=repository)
    texts = {row["id"]: row["text"] for row in _lines(tmp_path, "texts.jsonl")}
    came = [
        (step["action"]["content"], texts[item["text"]])
        for step in _steps(tmp_path)
        if step["action"]["type"] == "turn"
        for item in step["memory_change"]["added"]
    ]
    assert came
    assert all(content == text for content, text in came)
    (forgot,) = [change for kind, change in _changes(tmp_path) if kind == "forget_request"]
    assert len(forgot["removed"]) == forgot["items_before"] - forgot["items_after"] > 0
    assert {item["text"] for item in forgot["removed"]} <= texts.keys()
    assert {kind for kind, _ in _changes(tmp_path)} == {"turn", "forget_request"}


def test_what_is_recorded_changes_no_result(repository: Path, tmp_path: Path) -> None:
    for record in ("on", "off"):
        run_file = _experiment(_TRANSPARENCY, "knowledge_base.yaml", memory_changes=record)
        heams.run(run_file, tmp_path / record, root=repository)
    assert _changes(tmp_path / "on")
    assert not _changes(tmp_path / "off")
    assert _without(_lines(tmp_path / "on")) == _without(_lines(tmp_path / "off"))


def test_lessons_of_a_learner_are_recorded_where_they_are_learnt(repository: Path, tmp_path: Path) -> None:
    run_file = _experiment("testing/ee_smoke.yaml", "lexical.yaml", "learner.yaml")
    heams.run(run_file, tmp_path, root=repository)
    assert {kind for kind, _ in _changes(tmp_path)} == {"feedback"}
    assert all(len(change["added"]) == 1 for _, change in _changes(tmp_path))


def test_questions_about_a_shared_history_are_never_looked_around(
    questions: Build, one_experiment: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def looked(self: StoredMemory) -> Any:
        raise AssertionError("looked")

    monkeypatch.setattr(StoredMemory, "glance", looked)
    config = one_experiment(questions(3, history=4), memory={"type": "lexical"})
    assert [result.status for result in heams.run(config, tmp_path / "out")] == ["completed"] * 3
    assert not _changes(tmp_path / "out")


def test_labels_of_evaluators_are_in_no_change(repository: Path, tmp_path: Path) -> None:
    heams.run(_experiment("testing/mpbench_smoke.yaml", "lexical.yaml"), tmp_path, root=repository)
    held = {row["text"] for row in _lines(tmp_path, "texts.jsonl")}
    markers = [step["action"].get("step_evaluation_markers") for step in _steps(tmp_path)]
    assert any(markers)
    fields = {field for _, change in _changes(tmp_path) for item in change.get("added", ()) for field in item}
    assert fields <= {"id", "text", "event_ids"}
    said = {step["action"]["content"] for step in _steps(tmp_path) if "content" in step["action"]}
    assert all(any(text in content or content in text for content in said) for text in held)


@pytest.mark.parametrize(("record", "looks"), [("on", False), ("all", True)])
def test_a_memory_in_another_program_is_looked_into_when_that_is_asked_for(
    repository: Path, tmp_path: Path, record: str, looks: bool
) -> None:
    run_file = _experiment(_TRANSPARENCY, "testing/command.yaml", memory_changes=record)
    heams.run(run_file, tmp_path, root=repository)
    told = [change for kind, change in _changes(tmp_path) if kind == "turn"]
    assert told
    assert all(("added" in change) is looks for change in told)
    assert all(("memory_changes: all" in change.get("reason", "")) is not looks for change in told)


def test_secrets_stay_out_of_what_a_look_says(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hidden = "a-secret-of-the-memory"

    async def fails(self: StoredMemory) -> Any:
        raise RuntimeError(f"cannot reach the store with {hidden}")

    monkeypatch.setattr(StoredMemory, "glance", fails)
    monkeypatch.setenv("STORE_API_KEY", hidden)
    run_file = _experiment(_TRANSPARENCY, "lexical.yaml")
    del run_file["experiments"][0]["agent_config_file"]
    run_file["experiments"][0]["agent_config"] = {"type": "scripted", "default": "${STORE_API_KEY}"}
    (result,) = heams.run(run_file, tmp_path, root=repository)
    assert result.status == "completed"
    reasons = {change["reason"] for _, change in _changes(tmp_path)}
    assert reasons == {"looking into the memory failed: RuntimeError: cannot reach the store with ***"}


@pytest.mark.parametrize(
    ("written", "record", "most"),
    [("off", "off", 500), ("all", "all", 500), ({"max_items": 7}, "on", 7), ({"record": "all"}, "all", 500)],
)
def test_the_setting_is_a_word_or_a_mapping(written: Any, record: str, most: int) -> None:
    settings = ExperimentSettings.model_validate({"memory_changes": written}).memory_changes
    assert (settings.record, settings.max_items) == (record, most)


def test_the_size_that_is_looked_into_is_a_setting(repository: Path, tmp_path: Path) -> None:
    run_file = _experiment(_TRANSPARENCY, "lexical.yaml", memory_changes={"max_items": 2})
    heams.run(run_file, tmp_path, root=repository)
    changes = [change for _, change in _changes(tmp_path)]
    large = [change for change in changes if max(change["items_before"], change["items_after"]) > 2]
    assert large
    assert all("more than the 2" in change["reason"] for change in large)
    assert all("reason" not in change for change in changes if change not in large)


def test_a_wrong_word_is_answered_with_the_right_ones(repository: Path, tmp_path: Path) -> None:
    with pytest.raises(heams.ConfigError, match='memory_changes: found "none"; allowed: off, on, all'):
        heams.run(_experiment(_TRANSPARENCY, "lexical.yaml", memory_changes="none"), tmp_path, root=repository)


def test_a_folder_from_before_changes_were_recorded_is_resumed(
    questions: Build, one_experiment: Build, tmp_path: Path
) -> None:
    config = one_experiment(questions(3))
    heams.run(config, tmp_path / "out", limit=1)
    (saved,) = (tmp_path / "out/one").glob("experiment_config.*.yaml")
    text = saved.read_text(encoding="utf-8")
    now = "  memory_changes:\n    record: on\n    max_items: 500\n"
    assert now in text.replace("'on'", "on").replace('"on"', "on")
    saved.write_text(text.replace("'on'", "on").replace('"on"', "on").replace(now, ""))
    assert len(heams.run(config, tmp_path / "out")) == 3
    with pytest.raises(heams.RunRefused, match="memory_changes"):
        heams.run(one_experiment(questions(3), memory_changes="off"), tmp_path / "out")


def test_a_step_of_an_older_version_has_no_change_and_a_new_one_comes_back_as_it_was() -> None:
    assert TranscriptStep(index=0, action={"type": "turn"}).memory_change is None
    written = {"added": [{"id": "t", "text": "00"}], "items_before": 0, "items_after": 1, "seconds": 0.0}
    change = SavedMemoryChange.model_validate(written)
    assert json.loads(change.model_dump_json(exclude_none=True)) == written
