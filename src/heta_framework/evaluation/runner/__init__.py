"""Runs a benchmark on a recipe: documents in, knowledge bases built, cases asked, responses scored, a report out."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from heta_framework.evaluation.runner.benchmark_runner import BenchmarkRunner
    from heta_framework.evaluation.runner.config import BenchmarkRunConfig
    from heta_framework.evaluation.runner.progress import RunProgress
    from heta_framework.evaluation.runner.result import BenchmarkRunResult
    from heta_framework.evaluation.runner.terminal_bars import progress_bar

_HOMES = {
    "BenchmarkRunConfig": "config",
    "BenchmarkRunResult": "result",
    "BenchmarkRunner": "benchmark_runner",
    "RunProgress": "progress",
    "progress_bar": "terminal_bars",
}

__all__ = ["BenchmarkRunConfig", "BenchmarkRunResult", "BenchmarkRunner", "RunProgress", "progress_bar"]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)
