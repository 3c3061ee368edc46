"""Embedding models by name or configuration, as YAML gives them."""

import pytest
from pydantic import TypeAdapter, ValidationError

from heta_framework.common.models import EmbeddingModel, EmbeddingModelConfig, WordLlamaEmbedding, open_embedding_model
from heta_framework.common.models.embedding.opening import EmbeddingConfig

CONFIG: TypeAdapter[EmbeddingConfig] = TypeAdapter(EmbeddingConfig)


def test_a_name_opens_the_offline_model() -> None:
    assert isinstance(open_embedding_model(CONFIG.validate_python("wordllama")), WordLlamaEmbedding)


def test_a_mapping_opens_a_model_behind_an_endpoint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "not-a-real-key")
    config = CONFIG.validate_python({"model": "openai:text-embedding-3-small", "dimensions": 256})
    assert isinstance(config, EmbeddingModelConfig)
    assert isinstance(open_embedding_model(config), EmbeddingModel)


def test_other_names_are_refused() -> None:
    with pytest.raises(ValidationError):
        CONFIG.validate_python("word2vec")
