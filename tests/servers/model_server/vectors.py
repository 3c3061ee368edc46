"""Embeddings and relevance without a model: a text is the normalised sum of its words' hashed vectors."""

import base64
import hashlib
import re
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

_WORD = re.compile(r"\w+")


@lru_cache(maxsize=100_000)
def _word_vector(word: str, dimensions: int) -> NDArray[np.float32]:
    seed = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest(), "big")
    return np.random.default_rng(seed).standard_normal(dimensions, dtype=np.float32)


def embed(text: str, dimensions: int) -> NDArray[np.float32]:
    """A unit vector, shape (dimensions,): the same for the same words, close for texts that share words."""
    words = [word.casefold() for word in _WORD.findall(text)] or [""]
    total: NDArray[np.float32] = np.stack([_word_vector(word, dimensions) for word in words]).sum(axis=0)
    unit: NDArray[np.float32] = total / np.linalg.norm(total)
    return unit


def relevance(query: str, document: str) -> float:
    """Cosine of query and document, cut to 0..1."""
    return round(float(np.clip(embed(query, 256) @ embed(document, 256), 0.0, 1.0)), 6)


def encoded(vector: NDArray[np.float32], encoding: str) -> Any:
    """The vector as OpenAI sends it: a list of floats, or base64 of little-endian float32."""
    if encoding == "base64":
        return base64.b64encode(vector.astype("<f4").tobytes()).decode()
    return [float(value) for value in vector]
