"""The peer of knowledge bases: the published heta-framework, in a virtual environment of its own."""

import json
import os
import subprocess
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from perf.places import ROOT, environment
from perf.virtual_environment import installed

PACKAGE = "heta-framework"
VERSION = "0.1.2"
NAME = f"{PACKAGE} {VERSION}"


@cache
def published_python() -> Path | None:
    """Its interpreter: ``HEAMS_PEER_PYTHON``, else one that is installed; None where that cannot be done.

    Beside it is wordllama, in our version, so that both embed with the same model.
    """
    chosen = os.environ.get("HEAMS_PEER_PYTHON")
    if chosen:
        return Path(chosen)
    found = installed(
        f"{PACKAGE}-{VERSION}",
        f"{PACKAGE}[sql]=={VERSION}",
        f"wordllama=={version('wordllama')}",
        imports="heta_framework.kb, wordllama",
    )
    return found / "python" if found else None


def run_program(*command: object) -> Any:
    """What a command prints as the last line of its output, read as JSON."""
    done = subprocess.run(
        list(map(str, command)), cwd=ROOT, env=environment(), stdout=subprocess.PIPE, text=True, check=True
    )
    return json.loads(done.stdout.splitlines()[-1])
