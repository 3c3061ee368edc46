"""What cannot be run is refused before anything is written, and the message names all of it."""

from pathlib import Path
from typing import Any

import pytest
from tiny_benchmarks import FULL_TEXT, VECTOR, Bench, Finds, TinyBenchmark, question, texts, tiny

from heta_framework.common.stores import LocalObjectStore
from heta_framework.evaluation.runner import BenchmarkRunConfig, BenchmarkRunner, BenchmarkRunResult
from heta_framework.evaluation.types import BenchmarkDocument, BenchmarkRunUnit
from heta_framework.kb import KnowledgeRecipe, KnowledgeStores

pytestmark = pytest.mark.anyio


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


class Twice(TinyBenchmark):
    async def documents(self, prepared: Any) -> Any:
        for document_id in ("a", "b", "a", "c", "b"):
            yield BenchmarkDocument(document_id, "text.txt", "text/plain", data=b"text")


UNIT = BenchmarkRunUnit
REFUSED = [
    (tiny(0, questions=[question(0)]), "benchmark produced no documents"),
    (tiny(2, questions=[]), "benchmark produced no cases"),
    (tiny(2, units=()), "benchmark produced no run units"),
    (Twice({}, [question(0)]), r"benchmark produced duplicate document_id values: \['a', 'b'\]"),
    (tiny(1, questions=[question(0), question(0)]), r"benchmark produced duplicate case_id values: \['c_d0'\]"),
    (tiny(1, units=(UNIT("u"), UNIT("u"))), r"benchmark produced duplicate unit_id values: \['u'\]"),
    (tiny(1, units=(UNIT("u", ("z", "y")),)), r"run unit 'u' references unknown documents: \['z', 'y'\]"),
    (tiny(1, units=(UNIT("u", (), ("z",)),)), r"run unit 'u' references unknown cases: \['z'\]"),
    (tiny(1, units=(UNIT("u"), UNIT("v"))), "the case 'c_d0' is in the run units 'u' and 'v'"),
    (tiny(1, texts={"a\0b": "text"}), "holds a NUL"),
]


@pytest.mark.parametrize(("benchmark", "message"), REFUSED, ids=[message[:40] for _, message in REFUSED])
async def test_a_benchmark_that_contradicts_itself(bench: Bench, benchmark: TinyBenchmark, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        await bench.run(benchmark)
    assert [key for key in await bench.stores.keys() if not key.endswith(".lock")] == []


@pytest.mark.parametrize(
    ("modes", "error", "message"),
    [
        ((), ValueError, "query_modes must not be empty"),
        (("  ",), ValueError, "query mode must not be empty"),
        ("vector_search", TypeError, "found one string"),
        ((VECTOR, VECTOR), ValueError, "twice"),
        (("vector_serch",), LookupError, "did you mean vector_search"),
    ],
)
async def test_modes(bench: Bench, modes: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        await BenchmarkRunner().run(
            benchmark=tiny(), recipe=bench.stores.recipe(), knowledge_base_name="kb", query_modes=modes
        )


async def test_a_recipe_without_an_object_store(bench: Bench) -> None:
    with pytest.raises(TypeError, match=r"recipe\.stores\.objects must satisfy ObjectStoreProtocol"):
        await bench.run(tiny(), recipe=KnowledgeRecipe(stores=KnowledgeStores(objects=None)))
    with pytest.raises(TypeError, match="recipe must be a KnowledgeRecipe, found str"):
        await bench.run(tiny(), recipe="recipe.yaml")


async def test_what_is_no_benchmark(bench: Bench) -> None:
    with pytest.raises(TypeError, match=r"a benchmark has manifest, prepare, .*, which PosixPath lacks"):
        await bench.run(bench.root, evaluators=())


async def test_evaluators_that_could_not_be_told_apart(bench: Bench) -> None:
    with pytest.raises(ValueError, match=r"two evaluators have the same name: \['finds'\]"):
        await bench.run(tiny(), evaluators=(Finds(), Finds(required_top_k=3)))
    with pytest.raises(TypeError, match=r"needs a name and evaluate\(\*, case, response\), found str"):
        await bench.run(tiny(), evaluators=("finds",))
    with pytest.raises(TypeError, match="required_top_k of the evaluator 'finds' must be a whole number, found str"):
        await bench.run(tiny(), evaluators=(Finds(required_top_k="5"),))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("top_k", 0, "top_k must be greater than zero"),
        ("max_concurrent_queries", 0, "max_concurrent_queries must be greater than zero"),
        ("max_concurrent_units", 0, "max_concurrent_units must be greater than zero"),
        ("report_id", " ", "report_id must not be empty"),
        ("retries", -1, "retries must not be negative"),
        ("query_timeout_s", 0, "query_timeout_s must be greater than zero"),
        ("on_build_error", "ignore", "on_build_error must be one of: raise, record"),
    ],
)
def test_settings(field: str, value: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        BenchmarkRunConfig(**{field: value})


def test_a_result_without_knowledge_bases() -> None:
    with pytest.raises(ValueError, match="knowledge_bases must not be empty"):
        BenchmarkRunResult((), None, ())  # type: ignore[arg-type]


async def test_an_id_that_is_no_path_is_stored_under_a_safe_key_and_found_by_its_own_name(bench: Bench) -> None:
    ids = ("../../x", "a/b", "i" * 300)
    odd = dict(zip(ids, texts(3).values(), strict=True))
    cases = [question(n, document_id) for n, document_id in enumerate(ids)]
    benchmark = TinyBenchmark(odd, cases, scoring=(Finds(),), name="../odd/name")
    result = await bench.run(benchmark, FULL_TEXT, top_k=1)
    assert result.report.score_summary == {"full_text_search.finds": 1.0}
    assert all(key.startswith("raw/benchmarks/") for key in result.benchmark_document_keys)


async def test_documents_that_are_others_at_the_second_look(bench: Bench) -> None:
    class Shifting(TinyBenchmark):
        looks = 0

        async def documents(self, prepared: Any) -> Any:
            self.looks += 1
            async for document in TinyBenchmark.documents(self, prepared):
                yield document
            if self.looks > 1:
                yield BenchmarkDocument("late", "text.txt", "text/plain", data=b"text")

    with pytest.raises(ValueError, match="the benchmark gave other documents"):
        await bench.run(Shifting(texts(2), [question(0)]))


async def test_a_report_id_is_one_folder_whatever_it_holds(bench: Bench) -> None:
    result = await bench.run(tiny(1), report="a/../b")
    assert result.report_key is not None
    assert result.report_key.count("/") == "_heta/knowledge_bases/kb/evaluations/x/report.json".count("/")
    assert await LocalObjectStore(bench.root / "objects").exists(result.report_key)
