"""Entities and relations without a model: noun-phrase-like spans, and what stands together in a sentence."""
