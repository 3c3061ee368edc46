"""``retention_policy``: does a memory forget what its policy says, when it says so, and nothing else?"""

from heams.benchmarks.retention_policy.benchmark import RetentionPolicyBenchmark
from heams.benchmarks.retention_policy.config import RetentionPolicyBenchmarkConfig

__all__ = ["RetentionPolicyBenchmark", "RetentionPolicyBenchmarkConfig"]
