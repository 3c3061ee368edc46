"""Asking a knowledge base: what is asked and answered, the engines, and their registry; imported at first use."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from heta_framework.kb.search.assets import SearchAsset, SearchAssetCollection, SearchAssetRef
    from heta_framework.kb.search.context import QueryContext
    from heta_framework.kb.search.protocol import QueryEngineProtocol
    from heta_framework.kb.search.registry import QueryEngineRegistry
    from heta_framework.kb.search.types import (
        QueryCitation,
        QueryInsight,
        QueryRequest,
        QueryResponse,
        QueryResult,
        QueryTraceEvent,
    )

__all__ = [
    "QueryCitation",
    "QueryContext",
    "QueryEngineProtocol",
    "QueryEngineRegistry",
    "QueryInsight",
    "QueryRequest",
    "QueryResponse",
    "QueryResult",
    "QueryTraceEvent",
    "SearchAsset",
    "SearchAssetCollection",
    "SearchAssetRef",
]

_HOMES = {
    "assets": ("SearchAsset", "SearchAssetCollection", "SearchAssetRef"),
    "context": ("QueryContext",),
    "protocol": ("QueryEngineProtocol",),
    "registry": ("QueryEngineRegistry",),
    "types": ("QueryCitation", "QueryInsight", "QueryRequest", "QueryResponse", "QueryResult", "QueryTraceEvent"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)
