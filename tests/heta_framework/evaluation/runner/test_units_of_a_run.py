"""Run units: each is a knowledge base of exactly its documents, whatever else lies in the store."""

import os
import sys
from pathlib import Path

import pytest
from tiny_benchmarks import FULL_TEXT, VECTOR, Bench, Finds, TinyBenchmark, found_documents, question, texts, tiny
from tiny_recipes import Probe

from heta_framework.common.stores import DiskVectorStore, TantivyTextIndexStore
from heta_framework.evaluation.errors import AllCasesFailedError
from heta_framework.evaluation.runner.units import name_of_unit
from heta_framework.evaluation.types import BenchmarkRunUnit
from heta_framework.kb import (
    KnowledgeBase,
    KnowledgeBaseAlreadyExistsError,
    KnowledgeBaseNotFoundError,
    KnowledgeBuildError,
)

pytestmark = pytest.mark.anyio


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def in_units(*unit_ids: str, each: int = 2) -> TinyBenchmark:
    """A benchmark of units with documents and cases of their own."""
    numbers = {unit_id: range(each * place, each * (place + 1)) for place, unit_id in enumerate(unit_ids)}
    units = tuple(
        BenchmarkRunUnit(unit_id, tuple(f"d{n}" for n in own), tuple(f"c_d{n}" for n in own))
        for unit_id, own in numbers.items()
    )
    return tiny(each * len(unit_ids), units=units)


async def test_units_see_only_their_own_documents(bench: Bench) -> None:
    benchmark = in_units("north", "south", "east")
    result = await bench.run(benchmark, VECTOR, FULL_TEXT)
    own = {unit.unit_id: set(unit.document_ids) for unit in benchmark.units}
    for case in result.report.case_results:
        assert case.response is not None
        assert set(found_documents(case.response)) <= own[case.metadata["benchmark_run_unit"]]
    assert [kb.name for kb in result.knowledge_bases] == ["kb-north", "kb-south", "kb-east"]
    assert result.report.score_summary == {"full_text_search.finds": 1.0, "vector_search.finds": 1.0}


async def test_deleting_the_knowledge_base_of_a_unit_leaves_the_others_whole(bench: Bench) -> None:
    result = await bench.run(in_units("north", "south"))
    await result.knowledge_bases[0].delete()
    assert found_documents(await result.knowledge_bases[1].query("number d3", mode=VECTOR)) != []


async def test_scores_of_a_unit_do_not_depend_on_the_order_of_units(bench: Bench, tmp_path: Path) -> None:
    forwards = in_units("north", "south")
    backwards = TinyBenchmark(forwards.texts, forwards.questions, forwards.units[::-1], forwards.scoring)
    one = await bench.run(forwards)
    other = await Bench(tmp_path / "other").run(backwards)
    assert [_found(case) for case in one.report.case_results] == [_found(case) for case in other.report.case_results]


def _found(case: object) -> object:
    return case.case_id, [(hit.text, hit.score) for hit in case.response.results]  # type: ignore[attr-defined]


async def test_another_benchmark_in_the_same_store_does_not_leak_into_results(bench: Bench) -> None:
    await bench.run(tiny(3, texts=texts(3, "other"), questions=[question(0, prefix="other")], name="first"), kb="first")
    result = await bench.run(tiny(3), VECTOR, FULL_TEXT, kb="second")
    for case in result.report.case_results:
        assert case.response is not None
        assert set(found_documents(case.response)) <= {"d0", "d1", "d2"}


async def test_a_document_that_was_removed_is_not_found_any_more(bench: Bench) -> None:
    first = await bench.run(tiny(3))
    await first.knowledge_bases[0].delete()
    result = await bench.run(tiny(2), report="smaller")
    found = {one for case in result.report.case_results for one in found_documents(case.response)}  # type: ignore[arg-type]
    assert found == {"d0", "d1"}


async def test_documents_of_identical_text_are_each_found_under_their_id(bench: Bench) -> None:
    twins = {"left": "The twin chapels stand apart.", "right": "The twin chapels stand apart."}
    cases = [question(0, "left"), question(1, "right")]
    result = await bench.run(TinyBenchmark(twins, cases, scoring=(Finds(),)), VECTOR, FULL_TEXT)
    for case in result.report.case_results[::2]:
        assert case.response is not None
        assert set(found_documents(case.response)) == {"left", "right"}
    assert result.report.score_summary["vector_search.finds"] == 1.0


async def test_unit_ids_that_differ_in_case_or_punctuation_alone_have_their_own_knowledge_bases(bench: Bench) -> None:
    result = await bench.run(in_units("A B", "a_b", "a-b", "a/b", "x" * 300))
    names = [kb.name for kb in result.knowledge_bases]
    assert names[:3] == ["kb-A B", "kb-a_b", "kb-a-b"]
    assert len({kb.run_record.artifacts["kb_namespace"] for kb in result.knowledge_bases}) == 5
    assert max(map(len, names)) <= 80
    assert result.report.score_summary == {"vector_search.finds": 1.0}


def test_names_of_units_are_readable_and_their_own() -> None:
    assert name_of_unit("uda fin", "ADI_2009") == "uda fin-ADI_2009"
    assert name_of_unit("kb", "ADI/2009") != name_of_unit("kb", "ADI.2009")
    assert name_of_unit("kb", "ADI/2009").startswith("kb-ADI_2009-")
    assert name_of_unit("a" * 80, "u") != name_of_unit("a" * 79 + "b", "u")


async def test_a_build_that_fails_raises_and_names_the_step(bench: Bench) -> None:
    broken = bench.stores.recipe(Probe("mixer", fails_with=OSError("no power")))
    with pytest.raises(KnowledgeBuildError, match=r"'kb-south?.*mixer.*no power|'kb-north.*mixer.*no power"):
        await bench.run(in_units("north", "south"), recipe=broken)


async def test_a_recorded_build_failure_fails_the_cases_of_its_unit_alone(bench: Bench) -> None:
    class FailsInTheSouth(Probe):
        async def run(self, context: object) -> None:
            await super().run(context)
            if "south" in context.namespace:  # type: ignore[attr-defined]
                raise OSError("no power")

    recipe = bench.stores.recipe(FailsInTheSouth("mixer"))
    result = await bench.run(in_units("north", "south"), recipe=recipe, on_build_error="record")
    details = result.report.score_details["vector_search.finds"]
    assert (details["mean"], details["n"], details["failed"]) == (0.5, 4, 2)
    failed = [case for case in result.report.case_results if case.error]
    assert {case.metadata["benchmark_run_unit"] for case in failed} == {"south"}
    assert "no power" in failed[0].error.message  # type: ignore[union-attr]
    with pytest.raises(AllCasesFailedError, match="no power"):
        await bench.run(in_units("south"), recipe=recipe, on_build_error="record", report="south", kb="other")


@pytest.mark.skipif(sys.platform != "linux", reason="counts open files in /proc")
async def test_a_unit_keeps_no_file_open_when_its_cases_are_done(bench: Bench, tmp_path: Path) -> None:
    recipe = bench.stores.recipe(
        vector=DiskVectorStore(tmp_path / "vectors"), text_index=TantivyTextIndexStore(tmp_path / "texts")
    )
    open_files: list[int] = []

    def count(case: object, result: object) -> None:
        held = (os.path.realpath(file) for file in Path("/proc/self/fd").iterdir())
        open_files.append(sum(name.startswith(str(tmp_path.resolve())) for name in held))

    benchmark = in_units(*(f"u{n}" for n in range(6)), each=1)
    result = await bench.run(benchmark, VECTOR, FULL_TEXT, recipe=recipe, on_case=count, max_concurrent_units=1)
    assert max(open_files[-2:]) <= open_files[1] + 2
    assert result.report.score_summary["full_text_search.finds"] == 1.0
    assert found_documents(await result.knowledge_bases[0].query("number d0", mode=VECTOR)) == ["d0"]


async def test_discarded_knowledge_bases_are_gone_and_still_named(bench: Bench) -> None:
    result = await bench.run(in_units("north", "south"), discard_knowledge_bases=True)
    assert [kb.name for kb in result.knowledge_bases] == ["kb-north", "kb-south"]
    with pytest.raises(KnowledgeBaseNotFoundError):
        await KnowledgeBase.load(recipe=bench.stores.recipe(), name="kb-north")
    again = await bench.run(in_units("north", "south"), discard_knowledge_bases=True)
    assert [kb.manifest().to_dict() for kb in again.knowledge_bases] == [
        kb.manifest().to_dict() for kb in result.knowledge_bases
    ]
    assert again.report.score_summary == result.report.score_summary


async def test_a_knowledge_base_of_the_same_recipe_and_documents_is_taken_as_it_is(bench: Bench) -> None:
    first = await bench.run(tiny(3))
    second = await bench.run(tiny(3), FULL_TEXT, report="second")
    assert second.knowledge_bases[0].run_record.run_id == first.knowledge_bases[0].run_record.run_id


@pytest.mark.parametrize("changed", ["recipe", "text", "updated"])
async def test_a_knowledge_base_of_anything_else_is_refused_with_what_to_do(bench: Bench, changed: str) -> None:
    first = await bench.run(tiny(3))
    benchmark, recipe = tiny(3), bench.stores.recipe()
    if changed == "recipe":
        recipe = bench.stores.recipe(chunk_size=100)
    elif changed == "text":
        benchmark = tiny(3, texts=texts(3) | {"d1": "Somebody painted the gate."})
    else:
        await first.knowledge_bases[0].update(remove=["d2"])
    with pytest.raises(KnowledgeBaseAlreadyExistsError, match=r"already exists.*delete\(\)"):
        await bench.run(benchmark, recipe=recipe, report="second")
