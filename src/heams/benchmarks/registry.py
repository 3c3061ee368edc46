"""How results of a benchmark type are reported, whether this installation knows the type or not."""

from typing import get_args

from pydantic import BaseModel

from heams.benchmarks.info import BenchmarkInfo, ReportDimension
from heams.plugins import PluginError, component_plugins, type_name


def report_info(benchmark_type: str) -> BenchmarkInfo:
    """The ``report_info`` that a benchmark type declares.

    A type that is not installed, or declares none, is shown under its own name: saved results stay readable.
    """
    config = _built_in().get(benchmark_type) or _from_plugins(benchmark_type) or _retrieval().get(benchmark_type)
    declared = getattr(config, "report_info", None)
    if isinstance(declared, BenchmarkInfo):
        return declared
    return BenchmarkInfo(display_name=benchmark_type, dimension=ReportDimension.PERFORMANCE)


def _built_in() -> dict[str, type[BaseModel]]:
    from heams.benchmarks.factory import BenchmarkConfig

    return {type_name(config): config for config in get_args(get_args(BenchmarkConfig)[0])}


def _retrieval() -> dict[str, type[BaseModel]]:
    from heams.retrieval_benchmarks.factory import retrieval_types

    try:
        return retrieval_types()
    except PluginError:
        return {}


def _from_plugins(name: str) -> type[BaseModel] | None:
    try:
        plugin = component_plugins("heams.benchmarks").get(name)
    except PluginError:
        return None
    return plugin.config if plugin else None
