"""How a program is started: what it sees of the environment, and what to say when it cannot be started."""

import errno
import os
import shlex
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from heams.external.protocol import ProgramRole
from heams.external.settings import ProgramSettings
from heta_framework.common.config import ConfigError, ConfigProblem

_PASSED_ON = ("PATH", "HOME", "LANG")
_LONGEST_NAME = 80


@dataclass(frozen=True, slots=True)
class Launch:
    """A command with its folder and its whole environment."""

    command: tuple[str, ...]
    cwd: Path
    environment: Mapping[str, str]

    @property
    def display_name(self) -> str:
        """The program and its first argument, without their folders if it is long; others may hold secrets."""
        more = " …" if len(self.command) > 2 else ""
        shown = shlex.join(self.command[:2]) + more
        if len(shown) > _LONGEST_NAME:
            shown = shlex.join(Path(part).name for part in self.command[:2]) + more
        return shown if len(shown) <= _LONGEST_NAME else shown[: _LONGEST_NAME - 1] + "…"

    def label(self, role: ProgramRole) -> str:
        """How messages name the program."""
        return f"{role} program '{self.display_name}'"


def plan_launch(settings: ProgramSettings) -> Launch:
    """The launch that settings describe, in the present environment."""
    kept = os.environ if settings.inherit_env else {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    return Launch(tuple(settings.command), settings.cwd, {**kept, **settings.env})


def launch_problem(launch: Launch, error: OSError) -> ConfigError:
    """Why the system refused to start a program, worded for whoever wrote the configuration."""
    if not launch.cwd.is_dir():
        return _problem("cwd", f"found '{launch.cwd}'; there is no such folder")
    return _problem("command", f"found '{launch.command[0]}'; {_reason(launch, error)}")


def _reason(launch: Launch, error: OSError) -> str:
    path = launch.cwd / launch.command[0] if os.sep in launch.command[0] else None
    match error.errno:
        case errno.ENOENT if path is not None and path.exists():
            return "the interpreter that its first line names does not exist"
        case errno.ENOENT:
            return f"there is no such program {f'at {path.absolute()}' if path else 'on PATH'}{_here(launch)}"
        case errno.EACCES:
            return "it may not be executed; make it executable (chmod +x), or name its interpreter first"
        case errno.ENOEXEC:
            return "it is no program that this system can run; name its interpreter first, or begin it with a '#!' line"
        case _:
            return f"it cannot be started ({error.strerror or error})"


def _here(launch: Launch) -> str:
    """A program in the working folder is not found by its bare name."""
    name = launch.command[0]
    is_here = os.sep not in name and shutil.which(name, path=str(launch.cwd.absolute())) is not None
    return f"; did you mean './{name}'?" if is_here else ""


def _problem(field: str, message: str) -> ConfigError:
    return ConfigError([ConfigProblem(None, None, field, message)])
