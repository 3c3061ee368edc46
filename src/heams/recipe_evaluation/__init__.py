"""Evaluates recipes on retrieval benchmarks, and writes what comes of it as the artifacts of a run."""
