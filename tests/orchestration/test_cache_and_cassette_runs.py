"""Runs that need no model any more: resumed with a cache after a kill, replayed from a cassette in a clean folder."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

import heams
from heams.orchestration.errors import RunRefused
from heams.reporting.digest import opened
from heams.reporting.spending import total

if TYPE_CHECKING:
    from model_server import LocalServer

Build = Callable[..., Any]
Server = Callable[..., "LocalServer"]
QUESTIONS = 30
ANSWERED_BY = {"usage", "timings", "seconds", "waited", "started_at", "finished_at", "run_id", "attempt"}
"""What differs between equal runs: who answered, how fast, and when."""


def _stable(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _stable(item) for key, item in value.items() if key not in ANSWERED_BY}
    return [_stable(item) for item in value] if isinstance(value, list) else value


def _records(lines: Build, output: str) -> list[Any]:
    return sorted((_stable(line) for line in lines(output=output)), key=lambda line: str(line["sample_id"]))


def _killed(run_file: Path, output: Path, *options: str) -> int:
    """Start a run, kill it when some results are there, and return how many."""
    main = "from heams.cli.main import main; main()"
    arguments = ["run", "--config", str(run_file), "--output-dir", str(output), "--plain", "--max-concurrency", "4"]
    process = subprocess.Popen(
        [sys.executable, "-c", main, *arguments, *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        start_new_session=True,
    )  # fmt: skip
    file, deadline = output / "one/runs.jsonl", time.monotonic() + 60
    while process.poll() is None and time.monotonic() < deadline:
        if file.is_file() and file.read_bytes().count(b"\n") >= 5:
            break
        time.sleep(0.01)
    assert process.poll() is None, "the run should have been killed in its midst"
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    return file.read_bytes().count(b"\n")


@pytest.fixture
def config(questions: Build, one_experiment: Build, searcher: dict[str, Any]) -> dict[str, Any]:
    found = one_experiment(questions(QUESTIONS, history=8), agent=searcher, memory={"type": "lexical"})
    return dict(found)


def test_a_killed_run_is_never_paid_twice_and_replays_the_same_without_a_key(
    openai_server: Server, config: dict[str, Any], lines: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = openai_server(latency=0.05)
    run_file = tmp_path / "run.yaml"
    run_file.write_text(yaml.safe_dump(config), encoding="utf-8")
    cache, cassette = tmp_path / "cache", tmp_path / "cassette.jsonl.zst"
    done = _killed(run_file, tmp_path / "out", "--cache-dir", str(cache), "--record", str(cassette))
    assert 0 < done < QUESTIONS
    before = server.summary()
    heams.run(run_file, tmp_path / "out", cache_dir=cache, record=cassette)
    assert len(lines()) == QUESTIONS
    asked = server.summary()
    assert asked.whole.calls + asked.cut <= 2 * QUESTIONS + 4, "at most what was under way at the kill is asked again"
    assert asked.whole.calls > before.whole.calls

    results = list(heams.run(run_file, tmp_path / "again", cache_dir=cache))
    assert server.summary().requests == asked.requests, "everything comes from the cache"
    used = [result.usage["agent"] for result in results]
    assert [(usage.calls, usage.cache_hits, usage.cost_usd) for usage in used] == [(0, 2, 0.0)] * QUESTIONS
    assert all(usage.saved_cost_usd for usage in used)
    assert _records(lines, "again") == _records(lines, "out")

    monkeypatch.delenv("OPENAI_API_KEY")
    monkeypatch.delenv("OPENAI_BASE_URL")
    server.stop()
    replayed = list(heams.run(run_file, tmp_path / "replayed", replay=cassette))
    assert [result.usage["agent"].replayed for result in replayed] == [2] * QUESTIONS
    assert _records(lines, "replayed") == _records(lines, "out")


def test_the_report_says_what_the_cache_saved(
    openai_server: Server, config: dict[str, Any], cost_of: Build, tmp_path: Path
) -> None:
    from heams.reporting.reports import write_reports

    server = openai_server()
    for name in ("first", "second"):
        heams.run(config, tmp_path / name, cache_dir=tmp_path / "cache")
    (experiment,) = heams.load_results(tmp_path / "second").experiments
    with opened(experiment) as (digest, _):
        everything = total(digest.spent)
    assert (everything.usage.cost_usd, everything.hit_rate) == (0.0, 1.0)
    assert everything.full_cost_usd == pytest.approx(cost_of(server))
    own, common = (path.read_text(encoding="utf-8") for path in write_reports(tmp_path / "second"))
    assert "| answering | agent | — | 0 | 0 | 60 | 100.0% |" in own
    assert "cost without cache, USD" in common


def test_a_miss_in_replay_is_the_error_of_its_scenario_and_names_the_nearest_call(
    openai_server: Server, questions: Build, one_experiment: Build, reader: dict[str, Any], tmp_path: Path
) -> None:
    openai_server(brain={"fixed": "kettle 0"})
    cassette = tmp_path / "calls.jsonl.zst"
    heams.run(one_experiment(questions(2), agent=reader), tmp_path / "out", record=cassette)
    config = one_experiment(questions(3), agent=reader, retries=0)
    results = {result.sample_id: result for result in heams.run(config, tmp_path / "other", replay=cassette)}
    assert [results[name].status for name in ("q0", "q1", "q2")] == ["completed", "completed", "error"]
    error = results["q2"].error
    assert error is not None
    assert "The nearest recorded one is in line" in error.message
    assert "number 2" in error.message


def test_experiment_config_says_how_calls_were_answered(
    openai_server: Server, questions: Build, one_experiment: Build, reader: dict[str, Any], tmp_path: Path
) -> None:
    openai_server(brain={"fixed": "kettle 0"})
    config = one_experiment(questions(1), agent=reader)
    cassette = tmp_path / "calls.jsonl"
    heams.run(config, tmp_path / "out", record=cassette, cache_dir=tmp_path / "cache")
    heams.run(config, tmp_path / "other", replay=cassette)
    provenance = [heams.load_results(tmp_path / name).experiments[0].config["provenance"] for name in ("out", "other")]
    assert [entry["model_calls"] for entry in provenance] == [
        {"cache": True, "record": "calls.jsonl"},
        {"cache": False, "replay": "calls.jsonl"},
    ]
    (model,) = provenance[0]["models"]
    assert (model["model"], model["component"], model["price_known"]) == ("openai:reader", "agent", True)
    assert {"pydantic-ai-slim", "openai", "genai-prices"} <= provenance[0]["packages"].keys()


def test_options_about_calls_are_no_part_of_an_experiment(
    openai_server: Server, questions: Build, one_experiment: Build, reader: dict[str, Any], lines: Build, tmp_path: Path
) -> None:
    openai_server(brain={"fixed": "kettle 0"})
    config = one_experiment(questions(3), agent=reader)
    heams.run(config, tmp_path / "out", limit=1)
    heams.run(config, tmp_path / "out", limit=2, cache_dir=tmp_path / "cache", max_cost=1)
    heams.run(config, tmp_path / "out", record=tmp_path / "calls.jsonl.zst")
    assert len(lines()) == 3
    assert len({line["run_id"] for line in lines()}) == 1


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"record": "a.jsonl", "replay": "b.jsonl"}, "exclude each other"),
        ({"replay": "missing.jsonl.zst"}, "no cassette"),
        ({"record": "cassette.txt"}, "is named"),
        ({"cache_dir": "questions.jsonl"}, "needs a folder"),
    ],
)
def test_what_cannot_be_used_is_refused_with_words(
    questions: Build, one_experiment: Build, tmp_path: Path, options: dict[str, str], words: str
) -> None:
    config = one_experiment(questions(1))
    with pytest.raises(RunRefused, match=words):
        heams.run(config, tmp_path / "out", **{name: tmp_path / file for name, file in options.items()})


def test_the_environment_names_the_cache(
    openai_server: Server, questions: Build, one_experiment: Build, reader: dict[str, Any], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    openai_server(brain={"fixed": "kettle 0"})
    monkeypatch.setenv("HEAMS_MODEL_CACHE_DIR", str(tmp_path / "cache"))
    heams.run(one_experiment(questions(1), agent=reader), tmp_path / "out")
    assert list((tmp_path / "cache").glob("*.sqlite"))


def test_a_cassette_that_cannot_be_written_ends_the_run_and_not_its_scenarios(
    openai_server: Server, questions: Build, one_experiment: Build, reader: dict[str, Any], lines: Build,
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    from heta_framework.common.models.calls.cassette_writer import CassetteWriter

    openai_server(brain={"fixed": "kettle 0"})
    append, written = CassetteWriter.append, []

    def full(self: CassetteWriter, line: bytes) -> None:
        written.append(line)
        if len(written) > 3:
            raise OSError(28, "No space left on device")
        append(self, line)

    monkeypatch.setattr(CassetteWriter, "append", full)
    with pytest.raises(heams.StoreError, match="No space left"):
        heams.run(one_experiment(questions(20), agent=reader), tmp_path / "out", record=tmp_path / "c.jsonl",
                  max_concurrency=1)  # fmt: skip
    assert {line["status"] for line in lines()} == {"completed"}
    status = json.loads((tmp_path / "out/one/run_status.json").read_bytes())
    assert status["state"] == "failed"
