"""Running the server as a process of its own, steered over HTTP."""

import json
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.request import Request, urlopen

from .script import Script

PROGRAM = Path(__file__).parents[1] / "openai_server.py"


class ServerProcess:
    """A server in a process of its own, for measurements; it ends with its starter. A context manager.

    Its script cannot hold Python functions.
    """

    def __init__(self, script: Script | dict[str, Any] | None = None, port: int = 0) -> None:
        self._script = script or {}
        self._port = port
        self.base_url = ""

    def __enter__(self) -> Self:
        command = [sys.executable, str(PROGRAM), "--port", str(self._port), "--until-eof"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self.base_url = self._process.stdout.readline().strip()
        self.play(self._script)
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._process.terminate()
        self._process.communicate(timeout=30)

    @property
    def pid(self) -> int:
        """The process, for measuring it."""
        return self._process.pid

    def log(self) -> list[dict[str, Any]]:
        """All entries so far."""
        entries: list[dict[str, Any]] = self._call("GET", "/_log")
        return entries

    def summary(self) -> dict[str, Any]:
        """The sums so far."""
        sums: dict[str, Any] = self._call("GET", "/_summary")
        return sums

    def reset(self) -> None:
        """Forget the log."""
        self._call("POST", "/_reset")

    def play(self, script: Script | dict[str, Any]) -> None:
        """Follow another script from the next request on."""
        changed = script if isinstance(script, Script) else Script.model_validate(script)
        self._call("POST", "/_script", changed.model_dump_json(exclude_defaults=True))

    def _call(self, method: str, path: str, body: str | None = None) -> Any:
        root = self.base_url.removesuffix("/v1")
        request = Request(root + path, method=method, data=body.encode() if body else None)  # noqa: S310
        with urlopen(request, timeout=60) as response:  # noqa: S310
            return json.load(response)
