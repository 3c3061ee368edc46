"""MemoryAgentBench: four competencies of a memory, each context heard once in chunks and asked about many times."""

from heams.benchmarks.memoryagentbench.benchmark import MemoryAgentBenchBenchmark
from heams.benchmarks.memoryagentbench.competencies import COMPETENCIES
from heams.benchmarks.memoryagentbench.config import MemoryAgentBenchBenchmarkConfig

__all__ = ["COMPETENCIES", "MemoryAgentBenchBenchmark", "MemoryAgentBenchBenchmarkConfig"]
