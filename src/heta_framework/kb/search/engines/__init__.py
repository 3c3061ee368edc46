"""Query engines, one a file; each is imported at its first use."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from heta_framework.kb.search.protocol import QueryEngineProtocol

if TYPE_CHECKING:
    from heta_framework.kb.search.engines.full_text import FullTextSearchEngine
    from heta_framework.kb.search.engines.heta_graph import HetaGraphSearch
    from heta_framework.kb.search.engines.hybrid import HybridSearchEngine
    from heta_framework.kb.search.engines.multihop import MultiHopSearchEngine
    from heta_framework.kb.search.engines.ppr import PprSearch
    from heta_framework.kb.search.engines.rerank import RerankSearchEngine
    from heta_framework.kb.search.engines.rewrite import RewriteSearchEngine
    from heta_framework.kb.search.engines.sql_text import SqlTextSearchEngine
    from heta_framework.kb.search.engines.vector import VectorSearchEngine

__all__ = [
    "FullTextSearchEngine",
    "HetaGraphSearch",
    "HybridSearchEngine",
    "MultiHopSearchEngine",
    "PprSearch",
    "RerankSearchEngine",
    "RewriteSearchEngine",
    "SqlTextSearchEngine",
    "VectorSearchEngine",
    "default_engines",
]

_HOMES = {
    "VectorSearchEngine": "vector",
    "FullTextSearchEngine": "full_text",
    "SqlTextSearchEngine": "sql_text",
    "HetaGraphSearch": "heta_graph",
    "PprSearch": "ppr",
    "HybridSearchEngine": "hybrid",
    "RerankSearchEngine": "rerank",
    "RewriteSearchEngine": "rewrite",
    "MultiHopSearchEngine": "multihop",
}


def default_engines() -> tuple[QueryEngineProtocol, ...]:
    """One new engine of each built-in mode: those of `QueryEngineRegistry.defaults`."""
    return tuple(__getattr__(name)() for name in _HOMES)


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)
