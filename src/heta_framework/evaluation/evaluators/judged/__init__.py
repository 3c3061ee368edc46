"""Scores that language models decide."""
