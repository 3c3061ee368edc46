"""Benchmarks: data sets as ordered samples; one folder a type, all of them together in ``factory``."""

from heams.benchmarks.base import BaseBenchmark
from heams.benchmarks.factory import BenchmarkConfig, create_benchmark
from heams.benchmarks.info import BenchmarkInfo, ReportDimension
from heams.benchmarks.jsonl_qa import JsonlQABenchmark, JsonlQABenchmarkConfig
from heams.benchmarks.locomo import LocomoBenchmark, LocomoBenchmarkConfig
from heams.benchmarks.registry import report_info
from heams.benchmarks.retention_policy import RetentionPolicyBenchmark, RetentionPolicyBenchmarkConfig
from heams.benchmarks.sample import BenchmarkSample
from heams.benchmarks.skip import SkipReason
from heta_framework.common.data_files.errors import DatasetFormatError

__all__ = [
    "BaseBenchmark",
    "BenchmarkConfig",
    "BenchmarkInfo",
    "BenchmarkSample",
    "DatasetFormatError",
    "JsonlQABenchmark",
    "JsonlQABenchmarkConfig",
    "LocomoBenchmark",
    "LocomoBenchmarkConfig",
    "ReportDimension",
    "RetentionPolicyBenchmark",
    "RetentionPolicyBenchmarkConfig",
    "SkipReason",
    "create_benchmark",
    "report_info",
]
