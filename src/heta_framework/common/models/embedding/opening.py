"""Opens the embedding model of a configuration: one of the offline ones by name, or one behind an endpoint."""

from typing import Literal

from heta_framework.common.models.embedding.protocol import EmbeddingModelProtocol
from heta_framework.common.models.settings import EmbeddingModelConfig
from heta_framework.common.models.usage import UsageRole

EmbeddingConfig = Literal["wordllama", "minilm"] | EmbeddingModelConfig
"""``wordllama`` and ``minilm`` (extra) need neither network nor key."""


def open_embedding_model(config: EmbeddingConfig, *, role: UsageRole = "embedding") -> EmbeddingModelProtocol:
    """The model of ``config``; calls to an endpoint are metered for ``role``.

    Raises:
        ModelSetupError: there is no key, or the extra is not installed.
    """
    if isinstance(config, EmbeddingModelConfig):
        from heta_framework.common.models.embedding.remote import EmbeddingModel

        return EmbeddingModel.from_config(config, role=role)
    if config == "minilm":
        from heta_framework.common.models.embedding.minilm import MiniLmEmbedding

        return MiniLmEmbedding()
    from heta_framework.common.models.embedding.wordllama import WordLlamaEmbedding

    return WordLlamaEmbedding()
