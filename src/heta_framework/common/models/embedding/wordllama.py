"""The offline default: wordllama's pooled word vectors, read straight from its wheel.

A text's vector is the mean of its tokens' vectors (wordllama, "l2_supercat", 256 dimensions, trained from Llama 2's
embedding table), brought to unit length. The package itself is not imported: that takes half a second and reconfigures
the root logger, and its own pooling pads a batch to its longest text, so that one text of a megabyte would ask for
gigabytes.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from heta_framework.common.computing import compute
from heta_framework.common.models.embedding.types import EmbeddingRequest, EmbeddingResult
from heta_framework.common.text.surrogates import replace_surrogates
from heta_framework.common.text.tokens import load_tokenizer, wordllama_folder

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from tokenizers import Tokenizer

_WEIGHTS_FILE = "weights/l2_supercat_256.safetensors"
_WEIGHTS_KEY = "embedding.weight"
_GATHERED_TOKENS = 8_192
_loading = threading.Lock()


class WordLlamaEmbedding:
    """An `EmbeddingModelProtocol` that needs no network and no key.

    The weights are loaded at the first use, once per process, whatever thread comes first. A text without tokens (the
    empty one) has no meaning to point at: its vector is zero, which cosine search refuses, so leave such texts out of
    an index.
    """

    dimension = 256

    @property
    def model_name(self) -> str:
        """Family, training and size."""
        return "wordllama:l2_supercat_256"

    def embed_texts(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return unit vectors, float32 (len(texts), 256); the vector of a text does not depend on its neighbours."""
        return _pooled(_tokenised(texts))

    async def embed(self, request: EmbeddingRequest) -> EmbeddingResult:
        """Embed the texts of one request in a worker thread."""
        return await compute(self._embed, request)

    async def embed_many(self, requests: Sequence[EmbeddingRequest]) -> list[EmbeddingResult]:
        """Embed several requests, one after another: the work is bound by the processor."""
        return [await self.embed(request) for request in requests]

    def _embed(self, request: EmbeddingRequest) -> EmbeddingResult:
        tokenised = _tokenised(request.texts)
        return EmbeddingResult(
            vectors=_pooled(tokenised).tolist(),
            model_name=self.model_name,
            usage={"input_tokens": sum(map(len, tokenised))},
            trace_context=request.trace_context,
        )


class _Model(NamedTuple):
    tokenizer: Tokenizer
    table: npt.NDArray[np.float32]


@cache
def _load_once() -> _Model:
    import numpy as np
    from safetensors import safe_open

    with safe_open(str(wordllama_folder() / _WEIGHTS_FILE), framework="np") as weights:
        table = np.ascontiguousarray(weights.get_tensor(_WEIGHTS_KEY), dtype=np.float32)
    return _Model(load_tokenizer(), table)


def _model() -> _Model:
    with _loading:
        return _load_once()


def _tokenised(texts: Sequence[str]) -> list[list[int]]:
    repaired = [replace_surrogates(text) for text in texts]
    return [encoding.ids for encoding in _model().tokenizer.encode_batch_fast(repaired, add_special_tokens=False)]


def _pooled(tokenised: list[list[int]]) -> npt.NDArray[np.float32]:
    import numpy as np

    table = _model().table
    sums = np.zeros((len(tokenised), table.shape[1]), dtype=np.float32)
    for row, token_ids in enumerate(tokenised):
        for start in range(0, len(token_ids), _GATHERED_TOKENS):
            sums[row] += table[token_ids[start : start + _GATHERED_TOKENS]].sum(axis=0)
    norms = np.linalg.norm(sums, axis=1, keepdims=True)  # the mean and the sum have the same direction
    np.divide(sums, norms, out=sums, where=norms > 0)
    return sums
