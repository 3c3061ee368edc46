"""Saved results in the formats of others: TREC run files with relevance labels, and flat rows."""
