"""All benchmark configurations as one union, and the benchmark that belongs to each."""

from typing import Annotated, assert_never

from pydantic import Field

from heams.benchmarks.base import BaseBenchmark
from heams.benchmarks.beam import BeamBenchmark, BeamBenchmarkConfig
from heams.benchmarks.contextual_integrity import ContextualIntegrityBenchmark, ContextualIntegrityBenchmarkConfig
from heams.benchmarks.ee import EEBenchmark, EEBenchmarkConfig
from heams.benchmarks.gatemem import GateMemBenchmark, GateMemBenchmarkConfig
from heams.benchmarks.jsonl_qa import JsonlQABenchmark, JsonlQABenchmarkConfig
from heams.benchmarks.locomo import LocomoBenchmark, LocomoBenchmarkConfig
from heams.benchmarks.longmemeval import LongMemEvalBenchmark, LongMemEvalBenchmarkConfig
from heams.benchmarks.memoryagentbench import MemoryAgentBenchBenchmark, MemoryAgentBenchBenchmarkConfig
from heams.benchmarks.mpbench import MPBenchBenchmark, MPBenchBenchmarkConfig
from heams.benchmarks.personamem import PersonaMemBenchmark, PersonaMemBenchmarkConfig
from heams.benchmarks.prefeval import PrefEvalBenchmark, PrefEvalBenchmarkConfig
from heams.benchmarks.retention_policy import RetentionPolicyBenchmark, RetentionPolicyBenchmarkConfig
from heams.benchmarks.stale import StaleBenchmark, StaleBenchmarkConfig
from heams.benchmarks.transparency import TransparencyBenchmark, TransparencyBenchmarkConfig

BenchmarkConfig = Annotated[
    LocomoBenchmarkConfig
    | BeamBenchmarkConfig
    | ContextualIntegrityBenchmarkConfig
    | EEBenchmarkConfig
    | JsonlQABenchmarkConfig
    | RetentionPolicyBenchmarkConfig
    | MPBenchBenchmarkConfig
    | MemoryAgentBenchBenchmarkConfig
    | GateMemBenchmarkConfig
    | PrefEvalBenchmarkConfig
    | PersonaMemBenchmarkConfig
    | StaleBenchmarkConfig
    | LongMemEvalBenchmarkConfig
    | TransparencyBenchmarkConfig,
    Field(discriminator="type"),
]


def create_benchmark(config: BenchmarkConfig) -> BaseBenchmark:  # noqa: C901 - one branch a type
    """The benchmark for a configuration.

    Raises:
        DatasetFormatError: its data is not in the documented format.
    """
    match config:
        case LocomoBenchmarkConfig():
            return LocomoBenchmark(config)
        case BeamBenchmarkConfig():
            return BeamBenchmark(config)
        case ContextualIntegrityBenchmarkConfig():
            return ContextualIntegrityBenchmark(config)
        case EEBenchmarkConfig():
            return EEBenchmark(config)
        case JsonlQABenchmarkConfig():
            return JsonlQABenchmark(config)
        case RetentionPolicyBenchmarkConfig():
            return RetentionPolicyBenchmark(config)
        case MemoryAgentBenchBenchmarkConfig():
            return MemoryAgentBenchBenchmark(config)
        case MPBenchBenchmarkConfig():
            return MPBenchBenchmark(config)
        case GateMemBenchmarkConfig():
            return GateMemBenchmark(config)
        case PrefEvalBenchmarkConfig():
            return PrefEvalBenchmark(config)
        case PersonaMemBenchmarkConfig():
            return PersonaMemBenchmark(config)
        case LongMemEvalBenchmarkConfig():
            return LongMemEvalBenchmark(config)
        case StaleBenchmarkConfig():
            return StaleBenchmark(config)
        case TransparencyBenchmarkConfig():
            return TransparencyBenchmark(config)
    assert_never(config)


__all__ = [
    "BeamBenchmark",
    "BeamBenchmarkConfig",
    "BenchmarkConfig",
    "ContextualIntegrityBenchmark",
    "ContextualIntegrityBenchmarkConfig",
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
    "RetentionPolicyBenchmark",
    "RetentionPolicyBenchmarkConfig",
    "StaleBenchmark",
    "StaleBenchmarkConfig",
    "TransparencyBenchmark",
    "TransparencyBenchmarkConfig",
    "create_benchmark",
]
