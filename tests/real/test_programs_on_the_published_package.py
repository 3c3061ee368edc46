"""The programs for the published package observe there what is recorded, so that ours is compared with the truth.

Needs HEAMS_PEER_PYTHON, the interpreter of an environment with heta-framework[sql]==0.1.2; skipped without.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

_PROGRAMS = Path(__file__).parents[1] / "heta_framework/programs"


@pytest.mark.parametrize("program", sorted(path.stem for path in (_PROGRAMS / "observed").glob("*.json")))
def test_the_published_package_does_what_is_recorded(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    python = os.environ.get("HEAMS_PEER_PYTHON")
    if not python:
        pytest.skip("HEAMS_PEER_PYTHON is not set: this test needs the published package in an environment of its own")
    monkeypatch.syspath_prepend(str(_PROGRAMS))
    import expectations

    sys.modules.pop("expectations", None)
    done = subprocess.run([python, _PROGRAMS / f"{program}.py"], capture_output=True, text=True, check=True)
    found = json.loads(done.stdout.splitlines()[-1])
    assert list(expectations.differences(found, expectations.published(program))) == []


def test_the_published_evaluation_has_the_interface_that_is_recorded() -> None:
    python = os.environ.get("HEAMS_PEER_PYTHON")
    if not python:
        pytest.skip("HEAMS_PEER_PYTHON is not set: this test needs the published package in an environment of its own")
    contract = Path(__file__).parents[1] / "heta_framework/evaluation/contract"
    done = subprocess.run([python, contract / "interface_facts.py"], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == json.loads((contract / "interface_0_1_2.json").read_text(encoding="utf-8"))
