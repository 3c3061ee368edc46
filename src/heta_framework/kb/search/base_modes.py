"""The modes that search on their own; the others combine them."""

from __future__ import annotations

VECTOR = "vector_search"
FULL_TEXT = "full_text_search"
GRAPH = "heta_graph_search"
HYBRID = "hybrid_search"
RERANK = "heta_rerank_search"

BASE_MODES = (VECTOR, FULL_TEXT, GRAPH)
"""Those that hybrid search and everything on top of it draw on, at least two of them."""

FEWEST_BASE_MODES = 2
