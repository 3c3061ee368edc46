"""Embedding: the protocol, its value types, and wordllama as the offline default."""

from heta_framework.common.models.embedding.protocol import EmbeddingModelProtocol
from heta_framework.common.models.embedding.types import EmbeddingRequest, EmbeddingResult
from heta_framework.common.models.embedding.wordllama import WordLlamaEmbedding

__all__ = ["EmbeddingModelProtocol", "EmbeddingRequest", "EmbeddingResult", "WordLlamaEmbedding"]
