"""Says how to get the data of others where a configuration refers to its folder and the variable for it is not set."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

from heta_framework.common.config import ConfigError, ConfigProblem

DATA_VARIABLE: Final = "HEAMS_DATA_DIR"
_NOT_SET = f"the environment variable {DATA_VARIABLE} is not set"
_DATA_SET = re.compile(rf"\$\{{{DATA_VARIABLE}\}}/([^/\s'\"]+)/")


@contextmanager
def data_hints() -> Iterator[None]:
    """Add to every problem with the folder of data sets which of them to fetch.

    Raises:
        ConfigError: the one that was raised inside, with hints.
    """
    try:
        yield
    except ConfigError as error:
        raise ConfigError(_hinted(problem) for problem in error.problems) from error


def _hinted(problem: ConfigProblem) -> ConfigProblem:
    if _NOT_SET not in problem.message:
        return problem
    name = _data_set(problem) or "NAME"
    hint = (
        f"`heams datasets fetch {name}` fetches the data and prints what to set {DATA_VARIABLE} to: the folder that "
        f"holds {name}/"
    )
    return replace(problem, hint=f"{hint}; {problem.hint}" if problem.hint else hint)


def _data_set(problem: ConfigProblem) -> str | None:
    """The registered data set that the line of a problem refers to."""
    from heta_framework.common.datasets import registry

    if problem.file is None or problem.line is None:
        return None
    lines = Path(problem.file).read_text(encoding="utf-8", errors="replace").splitlines()
    found = _DATA_SET.search("\n".join(lines[problem.line - 1 : problem.line + 1]))
    return found[1] if found is not None and found[1] in registry() else None
