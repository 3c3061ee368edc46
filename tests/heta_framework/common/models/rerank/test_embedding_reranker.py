"""Reranking by cosine, offline."""

import asyncio

import pytest

from heta_framework.common.models import (
    EmbeddingReranker,
    RerankModelProtocol,
    RerankOptions,
    RerankRequest,
    WordLlamaEmbedding,
)

DOCUMENTS = ["The bridge is closed on Monday.", "She adopted a grey cat.", "", "Her kitten is grey."]


def test_the_nearest_text_comes_first() -> None:
    reranker = EmbeddingReranker(WordLlamaEmbedding())
    assert isinstance(reranker, RerankModelProtocol)
    request = RerankRequest("a grey cat", DOCUMENTS, RerankOptions(return_documents=True), {"n": 1})
    result = asyncio.run(reranker.rerank(request))
    assert [item.index for item in result.rankings][:2] == [1, 3]
    assert result.rankings[0].text == DOCUMENTS[1]
    assert [item.score for item in result.rankings if item.index == 2] == [0.0]
    assert result.rankings[0].score == pytest.approx(1.0, abs=0.6)
    assert all(-1.0 <= item.score <= 1.0 for item in result.rankings)
    assert (result.model_name, result.trace_context) == ("cosine:wordllama:l2_supercat_256", {"n": 1})


def test_equal_texts_keep_their_order_and_top_n_cuts() -> None:
    reranker = EmbeddingReranker(WordLlamaEmbedding())
    requests = [RerankRequest("cat", ["dog", "cat", "cat"], RerankOptions(top_n=2)), RerankRequest("cat", [])]
    first, second = asyncio.run(reranker.rerank_many(requests))
    assert [item.index for item in first.rankings] == [1, 2]
    assert second.rankings == ()
