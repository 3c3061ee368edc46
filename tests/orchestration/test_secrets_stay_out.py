"""A canary key in the environment reaches the component, and no artifact, message or exception text."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import heams
from heams.orchestration.redaction import Redactor
from heams.orchestration.run_file import ExperimentSettings

PARROT = Path(__file__).parents[2] / "docs/examples/command_agent.py"
CANARY = 'canary-"9f3c"-\u00e9-do-not-print'
PROGRAM = """
import json, os, sys
key = os.environ["SERVICE_API_KEY"]
for line in sys.stdin:
    request = json.loads(line)
    operation = request["op"]
    answer = {"id": request["id"], "ok": True, "result": {}}
    if operation == "hello":
        answer["result"] = {"protocol": 1, "name": "leaky", "version": "1", "capabilities": {}}
    elif operation == "respond" and "1" in json.dumps(request["stimulus"]):
        answer = {"id": request["id"], "ok": False, "error": {"kind": "failed", "message": "401 for " + key}}
    elif operation == "respond":
        answer["result"] = {"text": "my key is " + key}
    print(json.dumps(answer), flush=True)
"""


@pytest.mark.parametrize("typed", [True, False])
def test_a_key_stays_out_of_everything(
    questions: Callable[..., Path],
    one_experiment: Callable[..., dict[str, Any]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    typed: bool,
) -> None:
    monkeypatch.setenv("CANARY", CANARY)
    program = tmp_path / "leaky.py"
    program.write_text(PROGRAM, encoding="utf-8")
    agent = {
        "type": "command",
        "command": [sys.executable, str(program)],
        "env": {"SERVICE_API_KEY": CANARY if typed else "${CANARY}"},
    }
    results = list(heams.run(one_experiment(questions(2), agent=agent, retries=0), tmp_path / "out"))
    assert {result.status for result in results} == {"completed", "error"}
    (answered,) = [result for result in results if result.status == "completed"]
    assert answered.transcript[0].reply == "my key is ***"
    for file in (tmp_path / "out").rglob("*"):
        if file.is_file():
            content = file.read_text(encoding="utf-8", errors="replace")
            assert "9f3c" not in content, file


@pytest.mark.parametrize("secret", ["completed", "202611", "sample_id", "kettle 0", "000000"])
def test_a_secret_that_looks_like_a_field_damages_nothing(
    questions: Callable[..., Path], one_experiment: Callable[..., dict[str, Any]], tmp_path: Path, secret: str
) -> None:
    agent = {"type": "command", "command": [sys.executable, str(PARROT)], "env": {"API_KEY": secret}}
    config = one_experiment(questions(3), agent=agent)
    results = heams.run(config, tmp_path / "out")
    assert [(result.sample_id, result.status) for result in results] == [(f"q{n}", "completed") for n in range(3)]
    assert not results.experiments[0].damaged
    heams.run(config, tmp_path / "out")
    assert len((tmp_path / "out/one/runs.jsonl").read_text(encoding="utf-8").splitlines()) == 3


def test_a_key_of_many_lines_is_hidden_line_by_line_and_escaped() -> None:
    key = "-----BEGIN-----\nabcdefgh\nijklmnop\n-----END-----"
    redactor = Redactor([key])
    assert "abcdefgh" not in redactor.text("it said:\n  abcdefgh\n  ijklmnop")
    assert "ijklmnop" not in redactor.text(json.dumps({"key": key}))


def test_short_values_are_no_secrets_to_hide() -> None:
    assert Redactor(["abc"]).text("abc abcdef") == "abc abcdef"
    assert Redactor(["secret-value", "secret-value-longer"]).text("x secret-value-longer y") == "x *** y"


def test_settings_hold_no_secrets() -> None:
    assert not [name for name in ExperimentSettings.model_fields if "key" in name or "token" in name.lower()]
