"""Language models: the protocol and its value types; implementations are in modules of their own."""

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

__all__ = [
    "ContentPart",
    "LanguageModelProtocol",
    "ModelChunk",
    "ModelOptions",
    "ModelRequest",
    "ModelResult",
    "TokenUsage",
    "ToolCall",
    "ToolCallingLanguageModelProtocol",
    "ToolCallingResult",
    "ToolSpec",
    "ToolTurn",
]
