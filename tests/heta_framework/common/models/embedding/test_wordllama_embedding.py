"""The offline embedding: the same vectors as wordllama's own code, alone or in company, empty or huge."""

from __future__ import annotations

import logging
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import anyio
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heta_framework.common.models.embedding import EmbeddingModelProtocol, EmbeddingRequest, WordLlamaEmbedding

_TEXTS = ["I adopted a grey cat.", "My kitten sleeps all day.", "The stock market fell sharply.", "茶 🫖", "a" * 5000]
_MODEL = WordLlamaEmbedding()


def test_it_satisfies_the_protocol() -> None:
    assert isinstance(_MODEL, EmbeddingModelProtocol)


def test_vectors_are_those_of_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logging.root, "handlers", logging.root.handlers[:])
    level = logging.root.level
    wordllama = pytest.importorskip("wordllama")
    logging.root.setLevel(level)
    theirs = wordllama.WordLlama.load(cache_dir=Path(wordllama.__file__).parent, disable_download=True)
    assert _MODEL.embed_texts(_TEXTS) == pytest.approx(theirs.embed(_TEXTS, norm=True), abs=1e-6)


def test_vectors_are_unit_float32_and_close_when_the_meaning_is() -> None:
    vectors = _MODEL.embed_texts(_TEXTS)
    assert vectors.shape == (5, 256)
    assert vectors.dtype == np.dtype("float32")
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(5), abs=1e-6)
    cat, kitten, market = vectors[:3]
    assert cat @ kitten > cat @ market


def test_a_text_without_tokens_has_the_zero_vector() -> None:
    vectors = _MODEL.embed_texts(["", "cat"])
    assert not vectors[0].any()
    assert vectors[1].any()
    assert _MODEL.embed_texts([]).shape == (0, 256)


@given(st.lists(st.text(max_size=40), max_size=6))
@settings(max_examples=40, deadline=None)
def test_a_vector_does_not_depend_on_its_neighbours(texts: list[str]) -> None:
    together = _MODEL.embed_texts(texts)
    assert all(np.array_equal(row, _MODEL.embed_texts([text])[0]) for row, text in zip(together, texts, strict=True))


def test_lone_surrogates_and_a_megabyte_are_embedded() -> None:
    vectors = _MODEL.embed_texts(["\ud800", "cat " * 250_000, "cat"])
    assert np.isfinite(vectors).all()
    assert vectors[1] @ vectors[2] > 0.8


def test_threads_load_it_once() -> None:
    code = (
        "from concurrent.futures import ThreadPoolExecutor\n"
        "import safetensors, threading, sys\n"
        "loads, real = [], safetensors.safe_open\n"
        "safetensors.safe_open = lambda *a, **k: (loads.append(1), real(*a, **k))[1]\n"
        "from heta_framework.common.models.embedding import WordLlamaEmbedding\n"
        "assert 'numpy' not in sys.modules, 'numpy is loaded before the first use'\n"
        "with ThreadPoolExecutor(4) as pool:\n"
        "    list(pool.map(lambda _: WordLlamaEmbedding().embed_texts(['x']), range(8)))\n"
        "assert 'wordllama' not in sys.modules\n"
        "print(len(loads))\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert run.stdout.strip() == "1"


def test_requests_return_vectors_usage_and_their_context() -> None:
    async def work() -> None:
        first, second = await _MODEL.embed_many(
            [EmbeddingRequest(["hello", ""], trace_context={"step": "chunks"}), EmbeddingRequest([])]
        )
        assert first.model_name == "wordllama:l2_supercat_256"
        assert first.usage == {"input_tokens": 1}
        assert first.trace_context == {"step": "chunks"}
        assert np.array_equal(np.array(first.vectors, dtype=np.float32), _MODEL.embed_texts(["hello", ""]))
        assert second.vectors == ()

    anyio.run(work)


def test_many_threads_agree() -> None:
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: _MODEL.embed_texts(_TEXTS[:3]), range(16)))
    assert all(np.array_equal(results[0], other) for other in results)


def test_one_string_is_not_a_list_of_texts() -> None:
    with pytest.raises(TypeError, match="found one string"):
        EmbeddingRequest("hello")
