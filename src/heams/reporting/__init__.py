"""Reporting: reads saved artifacts, never a benchmark, an agent or a memory."""
