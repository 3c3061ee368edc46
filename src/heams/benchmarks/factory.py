"""All benchmark configurations as one union, and the benchmark that belongs to each."""

from typing import Annotated, assert_never

from pydantic import Field

from heams.benchmarks.base import BaseBenchmark
from heams.benchmarks.jsonl_qa import JsonlQABenchmark, JsonlQABenchmarkConfig
from heams.benchmarks.locomo import LocomoBenchmark, LocomoBenchmarkConfig
from heams.benchmarks.retention_policy import RetentionPolicyBenchmark, RetentionPolicyBenchmarkConfig

BenchmarkConfig = Annotated[
    LocomoBenchmarkConfig | JsonlQABenchmarkConfig | RetentionPolicyBenchmarkConfig,
    Field(discriminator="type"),
]


def create_benchmark(config: BenchmarkConfig) -> BaseBenchmark:
    """The benchmark for a configuration.

    Raises:
        DatasetFormatError: its data is not in the documented format.
    """
    match config:
        case LocomoBenchmarkConfig():
            return LocomoBenchmark(config)
        case JsonlQABenchmarkConfig():
            return JsonlQABenchmark(config)
        case RetentionPolicyBenchmarkConfig():
            return RetentionPolicyBenchmark(config)
    assert_never(config)


__all__ = [
    "BenchmarkConfig",
    "JsonlQABenchmark",
    "JsonlQABenchmarkConfig",
    "LocomoBenchmark",
    "LocomoBenchmarkConfig",
    "RetentionPolicyBenchmark",
    "RetentionPolicyBenchmarkConfig",
    "create_benchmark",
]
