"""Rerankers: the protocol and its value types; implementations are in modules of their own."""

from heta_framework.common.models.rerank.protocol import RerankModelProtocol
from heta_framework.common.models.rerank.types import RerankItem, RerankOptions, RerankRequest, RerankResult

__all__ = ["RerankItem", "RerankModelProtocol", "RerankOptions", "RerankRequest", "RerankResult"]
