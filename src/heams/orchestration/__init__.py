"""Orchestration: from a run file to durable results."""
