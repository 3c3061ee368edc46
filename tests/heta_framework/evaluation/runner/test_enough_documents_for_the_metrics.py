"""Metrics that look at k documents get k documents, whatever a document is cut into."""

from pathlib import Path
from typing import Any

import pytest
from tiny_benchmarks import VECTOR, Bench, Engine, Finds, TinyBenchmark, found_documents, question, response_of, tiny

from heta_framework.evaluation.runner.needs import Needs
from heta_framework.kb import QueryEngineRegistry, QueryRequest, QueryResponse

pytestmark = pytest.mark.anyio

LONG = " ".join(f"number0 stands at stone {n} of the long wall." for n in range(40))
DOCUMENTS = {"long": LONG, "short": "number0 is painted on the gate.", "other": "The number0 ferry waits."}


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


async def test_a_long_document_that_fills_the_first_chunks_does_not_hide_the_others(bench: Bench) -> None:
    benchmark = TinyBenchmark(DOCUMENTS, [question(0, "other")])
    counts = Finds(required_top_k=3, counts_documents=True)
    recipe = bench.stores.recipe(chunk_size=45)
    result = await bench.run(benchmark, VECTOR, evaluators=(counts,), recipe=recipe, top_k=3)
    case = result.report.case_results[0]
    assert case.response is not None
    assert set(found_documents(case.response)) == set(DOCUMENTS)
    assert case.metadata["over_fetch"]["documents"] == 3
    assert case.metadata["over_fetch"]["top_k"] > 3
    assert result.report.score_summary == {"vector_search.finds": 1.0}


async def test_asking_for_more_ends_after_a_few_rounds(bench: Bench) -> None:
    engine = Engine(lambda request: response_of(*["same"] * request.top_k))
    given: dict[str, Any] = {"query_engines": QueryEngineRegistry([engine]), "top_k": 2}
    counts = Finds(required_top_k=3, counts_documents=True)
    result = await bench.run(tiny(5, questions=[question(0)]), "scripted", evaluators=(counts,), **given)
    assert [request.top_k for request in engine.asked] == [3, 10, 33, 109]
    assert result.report.case_results[0].metadata["over_fetch"] == {"documents": 3, "top_k": 109, "rounds": 4}
    engine.asked.clear()
    await bench.run(
        tiny(5, questions=[question(0)]), "scripted", evaluators=(counts,), report="once", over_fetch_rounds=0, **given
    )
    assert [request.top_k for request in engine.asked] == [3]


async def test_an_answer_is_not_asked_for_again(bench: Bench) -> None:
    def answer(request: QueryRequest) -> QueryResponse:
        return QueryResponse("scripted", response_of(*["same"] * request.top_k).results, answer="In the wall.")

    engine = Engine(answer)
    counts = Finds(required_top_k=3, counts_documents=True)
    await bench.run(
        tiny(5, questions=[question(0)]), "scripted", evaluators=(counts,), query_engines=QueryEngineRegistry([engine])
    )
    assert len(engine.asked) == 1


async def test_the_report_says_how_much_was_asked_for_and_why(bench: Bench) -> None:
    evaluators = (Finds("a", required_top_k=20), Finds("b", required_top_k=50), Finds("c"))
    engine = Engine(lambda request: response_of("d0"))
    result = await bench.run(
        tiny(2), "scripted", evaluators=evaluators, query_engines=QueryEngineRegistry([engine]), top_k=10
    )
    assert [request.top_k for request in engine.asked] == [50, 50]
    assert result.report.metadata["top_k"] == {"asked": 10, "used": 50, "because": ["b"], "counts": "results"}


def test_what_evaluators_look_at_raises_what_is_asked_for_and_never_lowers_it() -> None:
    assert Needs.of(10, [Finds(required_top_k=5)]).to_dict() == {
        "asked": 10,
        "used": 10,
        "because": [],
        "counts": "results",
    }
    documents = Needs.of(10, [Finds("a", required_top_k=40), Finds("b", required_top_k=30, counts_documents=True)])
    assert (documents.used, documents.documents, documents.because) == (40, 30, ("a",))
