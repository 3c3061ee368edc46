"""One of the two experiments that are compared."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from heams.benchmarks.info import BenchmarkInfo
from heams.benchmarks.registry import report_info

if TYPE_CHECKING:
    from heams.reporting.load import ExperimentResults
    from heams.reporting.tables import Tables


@dataclass(frozen=True, slots=True)
class Side:
    """The saved results of an experiment, and their tables, which stay open while they are compared."""

    results: "ExperimentResults"
    tables: "Tables"

    @property
    def config(self) -> Mapping[str, Any]:
        """The saved configuration."""
        return self.results.config

    @property
    def info(self) -> BenchmarkInfo:
        """How its benchmark is reported."""
        return report_info(self.results.benchmark_type)
