"""Stores: a protocol each, an embedded default each; nothing heavy is imported before a store is."""
