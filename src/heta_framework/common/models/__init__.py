"""Models: language, embedding and reranker; a protocol each, one implementation over endpoints, one or more offline.

Everything below is imported at its first use, so that naming this package costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from heta_framework.common.models.embedding.minilm import MiniLmEmbedding
    from heta_framework.common.models.embedding.opening import EmbeddingConfig, open_embedding_model
    from heta_framework.common.models.embedding.protocol import EmbeddingModelProtocol
    from heta_framework.common.models.embedding.remote import EmbeddingModel
    from heta_framework.common.models.embedding.types import EmbeddingRequest, EmbeddingResult
    from heta_framework.common.models.embedding.wordllama import WordLlamaEmbedding
    from heta_framework.common.models.errors import (
        EmbeddingError,
        EmbeddingRequestError,
        EmbeddingResponseError,
        ModelError,
        ModelRequestError,
        ModelResponseError,
        ModelSetupError,
        RerankError,
        RerankRequestError,
        RerankResponseError,
    )
    from heta_framework.common.models.language.function import FunctionLanguageModel
    from heta_framework.common.models.language.model import LanguageModel, ToolCallingLanguageModel
    from heta_framework.common.models.language.opening import open_language_model
    from heta_framework.common.models.language.protocol import LanguageModelProtocol, ToolCallingLanguageModelProtocol
    from heta_framework.common.models.language.types import (
        ContentPart,
        ModelChunk,
        ModelOptions,
        ModelRequest,
        ModelResult,
        TokenUsage,
        ToolCall,
        ToolCallingResult,
        ToolSpec,
        ToolTurn,
    )
    from heta_framework.common.models.rerank.embedding_reranker import EmbeddingReranker
    from heta_framework.common.models.rerank.opening import open_rerank_model
    from heta_framework.common.models.rerank.protocol import RerankModelProtocol
    from heta_framework.common.models.rerank.remote import RerankModel
    from heta_framework.common.models.rerank.types import RerankItem, RerankOptions, RerankRequest, RerankResult
    from heta_framework.common.models.settings import (
        EmbeddingModelConfig,
        LanguageModelConfig,
        Prices,
        RerankModelConfig,
    )

__all__ = [
    "ContentPart",
    "EmbeddingConfig",
    "EmbeddingError",
    "EmbeddingModel",
    "EmbeddingModelConfig",
    "EmbeddingModelProtocol",
    "EmbeddingRequest",
    "EmbeddingRequestError",
    "EmbeddingReranker",
    "EmbeddingResponseError",
    "EmbeddingResult",
    "FunctionLanguageModel",
    "LanguageModel",
    "LanguageModelConfig",
    "LanguageModelProtocol",
    "MiniLmEmbedding",
    "ModelChunk",
    "ModelError",
    "ModelOptions",
    "ModelRequest",
    "ModelRequestError",
    "ModelResponseError",
    "ModelResult",
    "ModelSetupError",
    "Prices",
    "RerankError",
    "RerankItem",
    "RerankModel",
    "RerankModelConfig",
    "RerankModelProtocol",
    "RerankOptions",
    "RerankRequest",
    "RerankRequestError",
    "RerankResponseError",
    "RerankResult",
    "TokenUsage",
    "ToolCall",
    "ToolCallingLanguageModel",
    "ToolCallingLanguageModelProtocol",
    "ToolCallingResult",
    "ToolSpec",
    "ToolTurn",
    "WordLlamaEmbedding",
    "open_embedding_model",
    "open_language_model",
    "open_rerank_model",
]

_HOMES = {
    "embedding.minilm": ("MiniLmEmbedding",),
    "embedding.opening": ("EmbeddingConfig", "open_embedding_model"),
    "embedding.protocol": ("EmbeddingModelProtocol",),
    "embedding.remote": ("EmbeddingModel",),
    "embedding.types": ("EmbeddingRequest", "EmbeddingResult"),
    "embedding.wordllama": ("WordLlamaEmbedding",),
    "errors": (
        "EmbeddingError",
        "EmbeddingRequestError",
        "EmbeddingResponseError",
        "ModelError",
        "ModelRequestError",
        "ModelResponseError",
        "ModelSetupError",
        "RerankError",
        "RerankRequestError",
        "RerankResponseError",
    ),
    "language.function": ("FunctionLanguageModel",),
    "language.model": ("LanguageModel", "ToolCallingLanguageModel"),
    "language.opening": ("open_language_model",),
    "language.protocol": ("LanguageModelProtocol", "ToolCallingLanguageModelProtocol"),
    "language.types": (
        "ContentPart",
        "ModelChunk",
        "ModelOptions",
        "ModelRequest",
        "ModelResult",
        "TokenUsage",
        "ToolCall",
        "ToolCallingResult",
        "ToolSpec",
        "ToolTurn",
    ),
    "rerank.embedding_reranker": ("EmbeddingReranker",),
    "rerank.opening": ("open_rerank_model",),
    "rerank.protocol": ("RerankModelProtocol",),
    "rerank.remote": ("RerankModel",),
    "rerank.types": ("RerankItem", "RerankOptions", "RerankRequest", "RerankResult"),
    "settings": ("EmbeddingModelConfig", "LanguageModelConfig", "Prices", "RerankModelConfig"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)
