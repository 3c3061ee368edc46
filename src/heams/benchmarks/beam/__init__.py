"""BEAM: ten memory abilities over chats of up to ten million tokens (Tavakoli et al. 2025, arXiv 2510.27246)."""

from heams.benchmarks.beam.abilities import ABILITIES
from heams.benchmarks.beam.benchmark import BeamBenchmark
from heams.benchmarks.beam.config import BeamBenchmarkConfig

__all__ = ["ABILITIES", "BeamBenchmark", "BeamBenchmarkConfig"]
