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

_PROGRAMS = Path(__file__).parents[1] / "heta_framework/kb/programs"


@pytest.mark.parametrize("program", ["text_to_answer", "vector_and_sql_text", "graph_and_multihop", "parts_alone"])
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
