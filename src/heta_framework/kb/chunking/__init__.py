"""Splitting: from pages of text to chunks of a size."""
