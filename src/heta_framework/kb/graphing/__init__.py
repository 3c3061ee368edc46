"""The graph of a knowledge base: extraction, deduplication, tables."""
