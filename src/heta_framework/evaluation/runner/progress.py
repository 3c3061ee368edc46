"""How far a run has come: what it tells whoever watches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from heta_framework.evaluation.types import BenchmarkCase, EvaluationCaseResult

RunPhase = Literal["documents", "build", "query", "score"]


@dataclass(frozen=True, slots=True)
class RunProgress:
    """One step on the way.

    Attributes:
        phase: ``documents`` are put, knowledge bases are ``build``t, cases are asked (``query``), saved responses are
            scored anew (``score``).
        unit_id: of the unit that it is about; None where it is about all.
        done, total: documents; steps' own counts; cases times modes, with those of an earlier run. ``total`` is None
            while it is not known.
        failed: of those that are done.
        message: what is going on, e.g. the build step's name.
    """

    phase: RunPhase
    unit_id: str | None
    done: int
    total: int | None
    failed: int = 0
    message: str = ""


Watcher = Callable[[RunProgress], None]
CaseWatcher = Callable[[BenchmarkCase, EvaluationCaseResult], None]


def silent(_: RunProgress) -> None:
    """Nobody watches."""


BUILT = "built"
"""The message of the last progress of a build."""
