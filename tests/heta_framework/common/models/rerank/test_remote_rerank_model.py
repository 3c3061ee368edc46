"""Rerankers against a real endpoint, and every shape in which endpoints answer."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from aiohttp import web

from heta_framework.common.models import (
    ModelSetupError,
    RerankModel,
    RerankModelConfig,
    RerankModelProtocol,
    RerankOptions,
    RerankRequest,
    RerankRequestError,
    RerankResponseError,
    RerankResult,
    open_rerank_model,
)
from heta_framework.common.models.calls.scope import call_scope
from heta_framework.common.models.errors import CallFailed
from heta_framework.common.models.providers.reranking import ranking_of

if TYPE_CHECKING:
    from model_server import LocalServer

Start = Callable[..., "LocalServer"]
DOCUMENTS = ["a dog barked", "the grey cat sat", "a cat"]


def model(**fields: Any) -> RerankModel:
    return open_rerank_model(RerankModelConfig(model="BAAI/bge-reranker-v2-m3", **fields))


def rerank(asked: RerankModel, **fields: Any) -> RerankResult:
    return asyncio.run(asked.rerank(RerankRequest("grey cat", DOCUMENTS, **fields)))


def test_documents_come_best_first_with_scores(openai_server: Start) -> None:
    server = openai_server()
    asked = model()
    assert isinstance(asked, RerankModelProtocol)
    result = rerank(asked, trace_context={"stage": "rerank"})
    assert result.rankings[0].index == 1
    assert sorted(item.index for item in result.rankings) == [0, 1, 2]
    scores = [item.score for item in result.rankings]
    assert scores == sorted(scores, reverse=True)
    assert {item.text for item in result.rankings} == {None}
    assert result.trace_context == {"stage": "rerank"}
    assert server.log.entries[-1].body["model"] == "BAAI/bge-reranker-v2-m3"
    assert "return_documents" not in server.log.entries[-1].body


def test_as_many_as_wanted_with_their_texts(openai_server: Start) -> None:
    openai_server()
    result = rerank(model(), options=RerankOptions(top_n=1, return_documents=True))
    assert [(item.index, item.text) for item in result.rankings] == [(1, "the grey cat sat")]
    assert len(rerank(model(), options=RerankOptions(top_n=99)).rankings) == 3


def test_nothing_is_asked_where_nothing_is_wanted(openai_server: Start) -> None:
    server = openai_server()
    assert rerank(model(), options=RerankOptions(top_n=0)).rankings == ()
    assert asyncio.run(model().rerank(RerankRequest("x", []))).rankings == ()
    assert server.log.entries == []


def test_calls_are_metered_and_results_of_many_keep_their_order(openai_server: Start) -> None:
    openai_server(latency=(0.0, 0.03))

    async def run() -> Any:
        with call_scope() as scope:
            requests = [RerankRequest(f"w{n}", [f"w{m}" for m in range(5)]) for n in range(5)]
            results = await model().rerank_many(requests)
        return results, scope.usage

    results, usage = asyncio.run(run())
    assert [result.rankings[0].index for result in results] == list(range(5))
    assert (usage["embedding"].calls, usage["embedding"].input_tokens) == (5, 30)


@pytest.mark.parametrize("fault", ["disconnect", "malformed_json", "rate_limited", "server_error", {"kind": "cut"}])
def test_a_passing_fault_is_survived(openai_server: Start, fault: Any) -> None:
    openai_server(faults=[{"fault": fault, "times": 1}])
    assert len(rerank(model()).rankings) == 3


def test_failures_for_good(openai_server: Start) -> None:
    openai_server(faults=["unauthorised"])
    with pytest.raises(RerankRequestError, match="401") as caught:
        rerank(model(), trace_context={"n": 1})
    assert caught.value.trace_context == {"n": 1}
    openai_server(faults=["html"])
    with pytest.raises(RerankResponseError, match="no JSON"):
        rerank(model(max_attempts=1))


def test_nobody_at_the_address_is_a_request_error() -> None:
    with pytest.raises(RerankRequestError):
        rerank(model(base_url="http://127.0.0.1:9", max_attempts=1))


def test_no_address_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(ModelSetupError, match="needs a 'base_url'"):
        RerankModel(model_name="bge")


@pytest.mark.parametrize(
    "answer",
    [
        {"results": [{"index": 1, "relevance_score": 0.9}, {"index": 0, "relevance_score": 0.1}]},
        {
            "results": [
                {"index": 0, "relevance_score": 0.1, "document": {}},
                {"index": 1, "relevance_score": 0.9},
            ]
        },
        {"data": [{"index": 1, "relevance_score": 0.9}, {"index": 0, "relevance_score": 0.1}]},
        [{"index": 1, "score": 0.9, "text": "b"}, {"index": 0, "score": 0.1}],
        {"id": "x", "results": [{"index": 0, "score": 0.1}, {"index": 1, "score": 0.9}], "meta": {"billed_units": {}}},
    ],
)
def test_every_shape_of_answer_is_read(answer: Any) -> None:
    assert ranking_of(answer, 2, 2) == [(1, 0.9), (0, 0.1)]
    assert ranking_of(answer, 2, 1) == [(1, 0.9)]


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ([{"index": 0, "score": 1}, {"index": 0, "score": 0}], "ranked a document twice"),
        ([{"index": 0, "score": 1}, {"index": 2, "score": 0}], "ranked document 2 where there are 2"),
        ([{"index": -1, "score": 1}], "ranked document -1"),
        ([{"index": True, "score": 1}], "ranked document True"),
        ([{"index": "0", "score": 1}], "ranked document '0'"),
        ([{"score": 1}], "ranked document None"),
        (["0"], "ranked document None"),
        ([{"index": 0, "score": float("nan")}], "no score but nan"),
        ([{"index": 0, "score": "high"}], "no score but 'high'"),
        ([{"index": 0}], "no score but None"),
        ([{"index": 0, "score": 1}], "1 documents where 2 were asked for"),
        ({"error": "?"}, "no list of results"),
        (None, "no list of results"),
        ("text", "no list of results"),
    ],
)
def test_rankings_that_cannot_be_used_are_refused(answer: Any, message: str) -> None:
    with pytest.raises(CallFailed, match=message) as caught:
        ranking_of(answer, 2, 2)
    assert caught.value.kind == "response"


def test_an_endpoint_that_wants_texts_is_asked_in_its_way() -> None:
    """As text-embeddings-inference answers: 422 for an unknown shape, a bare list for its own."""

    async def handle(request: web.Request) -> web.Response:
        body = await request.json()
        if "texts" not in body:
            return web.json_response({"error": "missing field `texts`"}, status=422)
        return web.json_response([{"index": n, "score": n / 10} for n in range(len(body["texts"]))])

    async def run() -> RerankResult:
        app = web.Application()
        app.router.add_post("/rerank", handle)
        runner = web.AppRunner(app)
        await runner.setup()
        try:
            await web.TCPSite(runner, "127.0.0.1", 0).start()
            url = f"http://127.0.0.1:{runner.addresses[0][1]}"
            return await model(base_url=url).rerank(RerankRequest("q", DOCUMENTS, RerankOptions(top_n=2)))
        finally:
            await runner.cleanup()

    assert [item.index for item in asyncio.run(run()).rankings] == [2, 1]
