"""A canary key in the environment reaches the component, and no artifact, message or exception text."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import heams
from heams.orchestration.redaction import Redactor
from heams.orchestration.run_file import ExperimentSettings

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
    import sys

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


def test_short_values_are_no_secrets_to_hide() -> None:
    assert Redactor(["abc"]).text("abc abcdef") == "abc abcdef"
    assert Redactor(["secret-value", "secret-value-longer"]).text("x secret-value-longer y") == "x *** y"


def test_settings_hold_no_secrets() -> None:
    assert not [name for name in ExperimentSettings.model_fields if "key" in name or "token" in name.lower()]
