"""The code of a benchmark of one's own: part of what a run depends on, like a data file."""

from __future__ import annotations

from pathlib import Path

from heams.orchestration.experiment import DataFile
from heams.orchestration.plugin_code import code_file
from heams.retrieval_benchmarks.base import RetrievalBenchmarkConfig
from heams.retrieval_benchmarks.factory import retrieval_plugins
from heams.retrieval_benchmarks.python_code import PythonBenchmarkConfig


def code_of(config: RetrievalBenchmarkConfig, root: Path) -> tuple[DataFile, ...]:
    """The module or package behind a benchmark, with a hash over its Python files; nothing for built-in ones."""
    if isinstance(config, PythonBenchmarkConfig):
        return code_file(config.module(root).__name__)
    plugin = retrieval_plugins().get(str(getattr(config, "type", "")))
    return () if plugin is None else code_file(plugin.config.__module__)
