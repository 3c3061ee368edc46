"""Benchmarks: data sets as ordered samples; one folder a type, all of them together in ``factory``."""

from heams.benchmarks.base import BaseBenchmark
from heams.benchmarks.beam import BeamBenchmark, BeamBenchmarkConfig
from heams.benchmarks.contextual_integrity import ContextualIntegrityBenchmark, ContextualIntegrityBenchmarkConfig
from heams.benchmarks.ee import EEBenchmark, EEBenchmarkConfig
from heams.benchmarks.factory import BenchmarkConfig, create_benchmark
from heams.benchmarks.gatemem import GateMemBenchmark, GateMemBenchmarkConfig
from heams.benchmarks.info import BenchmarkInfo, ReportDimension
from heams.benchmarks.jsonl_qa import JsonlQABenchmark, JsonlQABenchmarkConfig
from heams.benchmarks.locomo import LocomoBenchmark, LocomoBenchmarkConfig
from heams.benchmarks.longmemeval import LongMemEvalBenchmark, LongMemEvalBenchmarkConfig
from heams.benchmarks.memoryagentbench import MemoryAgentBenchBenchmark, MemoryAgentBenchBenchmarkConfig
from heams.benchmarks.mpbench import MPBenchBenchmark, MPBenchBenchmarkConfig
from heams.benchmarks.personamem import PersonaMemBenchmark, PersonaMemBenchmarkConfig
from heams.benchmarks.prefeval import PrefEvalBenchmark, PrefEvalBenchmarkConfig
from heams.benchmarks.registry import report_info
from heams.benchmarks.retention_policy import RetentionPolicyBenchmark, RetentionPolicyBenchmarkConfig
from heams.benchmarks.sample import BenchmarkSample
from heams.benchmarks.skip import SkipReason
from heams.benchmarks.stale import StaleBenchmark, StaleBenchmarkConfig
from heams.benchmarks.transparency import TransparencyBenchmark, TransparencyBenchmarkConfig
from heta_framework.common.data_files.errors import DatasetFormatError

__all__ = [
    "BaseBenchmark",
    "BeamBenchmark",
    "BeamBenchmarkConfig",
    "BenchmarkConfig",
    "BenchmarkInfo",
    "BenchmarkSample",
    "ContextualIntegrityBenchmark",
    "ContextualIntegrityBenchmarkConfig",
    "DatasetFormatError",
    "EEBenchmark",
    "EEBenchmarkConfig",
    "GateMemBenchmark",
    "GateMemBenchmarkConfig",
    "JsonlQABenchmark",
    "JsonlQABenchmarkConfig",
    "LocomoBenchmark",
    "LocomoBenchmarkConfig",
    "LongMemEvalBenchmark",
    "LongMemEvalBenchmarkConfig",
    "MPBenchBenchmark",
    "MPBenchBenchmarkConfig",
    "MemoryAgentBenchBenchmark",
    "MemoryAgentBenchBenchmarkConfig",
    "PersonaMemBenchmark",
    "PersonaMemBenchmarkConfig",
    "PrefEvalBenchmark",
    "PrefEvalBenchmarkConfig",
    "ReportDimension",
    "RetentionPolicyBenchmark",
    "RetentionPolicyBenchmarkConfig",
    "SkipReason",
    "StaleBenchmark",
    "StaleBenchmarkConfig",
    "TransparencyBenchmark",
    "TransparencyBenchmarkConfig",
    "create_benchmark",
    "report_info",
]
