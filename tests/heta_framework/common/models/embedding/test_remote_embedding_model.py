"""Embedding models against a real endpoint: batches, dimensions, kept vectors, and answers that are none."""

import asyncio
import base64
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from heta_framework.common.models import (
    EmbeddingModel,
    EmbeddingModelConfig,
    EmbeddingModelProtocol,
    EmbeddingRequest,
    EmbeddingRequestError,
    EmbeddingResponseError,
    EmbeddingResult,
    ModelSetupError,
    open_embedding_model,
)
from heta_framework.common.models.calls.call import Handler, ModelCall, ModelReply
from heta_framework.common.models.calls.runtime import ModelRuntime, using_runtime
from heta_framework.common.models.calls.scope import call_scope
from heta_framework.common.models.errors import CallFailed
from heta_framework.common.models.providers.embedding import checked
from heta_framework.common.models.providers.vectors import packed, unpacked

if TYPE_CHECKING:
    from model_server import LocalServer

Start = Callable[..., "LocalServer"]
TEXTS = ["grey cat", "blue box", "grey cat", "one", "two"]


def model(**fields: Any) -> EmbeddingModelProtocol:
    return open_embedding_model(EmbeddingModelConfig(model="openai:text-embedding-3-small", **fields))


def embed(asked: EmbeddingModelProtocol, texts: list[str], **fields: Any) -> EmbeddingResult:
    return asyncio.run(asked.embed(EmbeddingRequest(texts, **fields)))


def test_texts_become_vectors_in_their_order(openai_server: Start) -> None:
    server = openai_server(dimensions=16)
    asked = model(batch_size=2)
    assert isinstance(asked, EmbeddingModelProtocol)
    result = embed(asked, TEXTS, trace_context={"step": "index"})
    assert np.asarray(result.vectors).shape == (5, 16)
    assert result.vectors[0] == result.vectors[2] != result.vectors[1]
    assert result.vectors[3] == embed(asked, ["one"]).vectors[0]
    assert result.usage == {"input_tokens": 8}
    assert result.trace_context == {"step": "index"}
    assert sorted(len(entry.body["input"]) for entry in server.log.entries[:3]) == [1, 2, 2]


def test_dimensions_and_options_are_asked_for_and_named(openai_server: Start) -> None:
    server = openai_server()
    asked = model(dimensions=24)
    assert asked.model_name == "openai:text-embedding-3-small@24"
    assert len(embed(asked, ["x"], options={"user": "ada"}).vectors[0]) == 24
    assert (server.log.entries[-1].body["dimensions"], server.log.entries[-1].body["user"]) == (24, "ada")


def test_nothing_is_asked_for_no_texts(openai_server: Start) -> None:
    server = openai_server()
    assert embed(model(), []).vectors == ()
    assert server.log.entries == []


def test_calls_are_metered_for_embedding(openai_server: Start) -> None:
    openai_server()

    async def run() -> Any:
        with call_scope() as scope:
            await model(batch_size=1, prices={"input": 1_000_000}).embed_many(
                [EmbeddingRequest(["a b"]), EmbeddingRequest(["c"])]
            )
        return scope.usage

    usage = asyncio.run(run())
    assert set(usage) == {"embedding"}
    assert (usage["embedding"].calls, usage["embedding"].input_tokens, usage["embedding"].cost_usd) == (2, 3, 3.0)


def test_a_kept_reply_is_small_and_gives_the_same_vectors(openai_server: Start) -> None:
    server = openai_server(dimensions=256)
    kept: dict[str, ModelReply] = {}

    async def keep(call: ModelCall, handle: Handler) -> ModelReply:
        if call.key not in kept:
            kept[call.key] = await handle(call)
        return kept[call.key]

    async def twice() -> list[EmbeddingResult]:
        with using_runtime(ModelRuntime(cache=keep)):
            return [await model().embed(EmbeddingRequest(["grey cat"])) for _ in range(2)]

    first, second = asyncio.run(twice())
    assert first.vectors == second.vectors
    assert len(server.log.entries) == 1
    (reply,) = kept.values()
    assert isinstance(reply.body, dict)
    assert len(str(reply.body["float32"])) <= 256 * 4 * 4 / 3 + 4


@pytest.mark.parametrize("fault", ["malformed_json", "no_choices", "empty_choices", "html"])
def test_an_answer_that_is_none_is_a_response_error(openai_server: Start, fault: str) -> None:
    openai_server(faults=[fault])
    with pytest.raises(EmbeddingResponseError) as caught:
        embed(model(max_attempts=1), ["x"], trace_context={"step": 1})
    assert caught.value.trace_context == {"step": 1}


@pytest.mark.parametrize("fault", ["malformed_json", "disconnect", "rate_limited", "server_error"])
def test_a_passing_fault_is_survived(openai_server: Start, fault: str) -> None:
    openai_server(faults=[{"fault": fault, "times": 1}])
    assert len(embed(model(), ["x"]).vectors) == 1


def test_a_refusal_is_a_request_error(openai_server: Start) -> None:
    openai_server(models=("another",))
    with pytest.raises(EmbeddingRequestError, match="404"):
        embed(model(), ["x"])


@pytest.mark.parametrize(
    ("vectors", "dimensions", "message"),
    [
        ([[1.0]], None, "1 vectors for 2 texts"),
        ([[1.0], [1.0, 2.0]], None, r"different dimensions: \[1, 2\]"),
        ([[1.0, 2.0], [1.0, 2.0]], 3, "2 dimensions where 'dimensions' asks for 3"),
        ([[1.0, 2.0], [float("nan"), 2.0]], None, "not finite"),
        ([[1.0, 2.0], [float("inf"), 2.0]], None, "not finite"),
        ([[], []], None, "empty vectors"),
    ],
)
def test_vectors_that_cannot_be_used_are_refused(vectors: Any, dimensions: int | None, message: str) -> None:
    with pytest.raises(CallFailed, match=message) as caught:
        checked(vectors, 2, dimensions)
    assert caught.value.kind == "response"


@given(arrays.arrays(np.float32, st.tuples(st.integers(0, 5), st.integers(1, 9)), elements=st.floats(-9, 9, width=32)))
def test_packed_vectors_are_unpacked_to_the_bit(matrix: Any) -> None:
    assert unpacked(packed(matrix)) == matrix.tolist()


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"count": 1, "float32": "%"},
        {"count": 2, "float32": base64.b64encode(b"12345678abcd").decode()},
        {"count": 1},
    ],
)
def test_a_kept_reply_without_vectors_says_so(body: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="holds no vectors"):
        unpacked(body)


def test_the_published_constructor(openai_server: Start) -> None:
    server = openai_server(api_key="given-key-123456")
    asked = EmbeddingModel(model_name="openai/embed", api_key="given-key-123456", api_base=server.base_url)
    assert len(embed(asked, ["x"]).vectors) == 1
    assert "given-key" not in repr(asked)


def test_a_provider_without_embeddings_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "not-a-real-key")
    with pytest.raises(ModelSetupError, match="has no embedding models here"):
        EmbeddingModel(model_name="anthropic:claude")
