"""Virtual environments of the suite's own: each holds a peer, installed once into the cache folder."""

import shutil
import subprocess
from pathlib import Path

from perf.places import cache_folder, environment


def installed(name: str, *requirements: str, imports: str) -> Path | None:
    """The environment's ``bin`` folder; made where it does not work yet, None where that cannot be done.

    Args:
        name: of its folder.
        requirements: what is installed.
        imports: a module that can be imported when it works.
    """
    venv = cache_folder() / name
    python = venv / "bin/python"
    try:
        if not _works(python, imports):
            shutil.rmtree(venv, ignore_errors=True)
            _run("uv", "venv", "--quiet", str(venv))
            _run("uv", "pip", "install", "--quiet", "--python", str(python), *requirements)
    except (OSError, subprocess.CalledProcessError) as cause:
        reason = cause.stderr.strip().splitlines()[-1:] if isinstance(cause, subprocess.CalledProcessError) else cause
        print(f"{requirements[0]} cannot be installed ({reason}): our figures stand alone", flush=True)
        return None
    return venv / "bin"


def _works(python: Path, module: str) -> bool:
    return (
        python.exists()
        and subprocess.run([python, "-c", f"import {module}"], env=environment(), check=False).returncode == 0
    )


def _run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True, text=True)
