"""Benchmarks that are asked of knowledge bases, as configurations; one type a file."""
