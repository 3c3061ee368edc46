"""Chunks in a SQL database, found by the words of a question: one table a knowledge base, one file a dialect."""
