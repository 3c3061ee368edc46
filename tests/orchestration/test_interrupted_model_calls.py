"""A signal ends a run whose models do not answer: soon, and without results for what was under way."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

if TYPE_CHECKING:
    from model_server import LocalServer

Build = Callable[..., Any]


@pytest.mark.parametrize("signals", [1, pytest.param(2, marks=pytest.mark.long)])
def test_a_run_that_waits_for_models_ends_when_asked(
    openai_server: "Callable[..., LocalServer]",
    questions: Build,
    one_experiment: Build,
    reader: dict[str, Any],
    lines: Build,
    tmp_path: Path,
    signals: int,
) -> None:
    server = openai_server(brain={"fixed": "kettle 0"}, faults=[{"fault": "hang", "text": "number [1-9]"}])
    run_file = tmp_path / "run.yaml"
    run_file.write_text(yaml.safe_dump(one_experiment(questions(6), agent=reader)), encoding="utf-8")
    main = "from heams.cli.main import main; main()"
    arguments = ["run", "--config", str(run_file), "--output-dir", str(tmp_path / "out"), "--plain"]
    process = subprocess.Popen(
        [sys.executable, "-c", main, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    deadline = time.monotonic() + 60
    while (server.log.concurrent < 5 or not lines()) and time.monotonic() < deadline:
        time.sleep(0.02)
    for _ in range(signals):
        process.send_signal(signal.SIGINT)
        time.sleep(0.1)
    _, said = process.communicate(timeout=60)  # the calls themselves would hang for minutes
    assert process.returncode == 130
    assert "Traceback" not in said
    assert "Resume with" in said
    assert [(line["sample_id"], line["status"]) for line in lines()] == [("q0", "completed")]
    status = json.loads((tmp_path / "out/one/run_status.json").read_bytes())
    assert (status["state"], status["finished"]) == ("interrupted", 1)
