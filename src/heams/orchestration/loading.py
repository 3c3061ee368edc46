"""Builds a benchmark and turns whatever its data makes it raise into words for the user."""

import traceback
from collections.abc import Sequence
from typing import cast

from heams.benchmarks.base import BaseBenchmark
from heams.orchestration.component_types import create_component
from heams.orchestration.errors import RunRefused
from heams.orchestration.experiment import Component
from heta_framework.common.data_files.errors import DatasetFormatError


def load_benchmark(component: Component) -> BaseBenchmark:
    """The benchmark of an experiment, with its data read.

    Raises:
        RunRefused: its data cannot be used, or it has no samples; the message names the files.
    """
    try:
        benchmark = cast("BaseBenchmark", create_component("benchmark", component.config))
        samples: Sequence[object] = benchmark.samples
        count = len(samples)
    except DatasetFormatError as error:
        raise RunRefused(str(error)) from error
    except Exception as cause:  # a benchmark may be anybody's code
        raise RunRefused(_describe(component, cause)) from cause
    if not count:
        skipped = len(benchmark.skipped)
        raise RunRefused(f"benchmark {component.label!r} has no samples{_files(component)} ({skipped} records skipped)")
    return benchmark


def _describe(component: Component, cause: Exception) -> str:
    place = traceback.extract_tb(cause.__traceback__)[-1]
    words = str(cause) or "no message"
    return (
        f"benchmark {component.label!r} cannot read its data{_files(component)}: {type(cause).__name__}: {words} "
        f"(raised in {place.filename}:{place.lineno})"
    )


def _files(component: Component) -> str:
    files = ", ".join(file.as_written for file in component.files)
    return f" in {files}" if files else ""
