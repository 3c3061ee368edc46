"""Running again with the same report id: what is done stays done, what differs is refused or scored anew."""

import json
from pathlib import Path
from typing import Any

import pytest
from tiny_benchmarks import FULL_TEXT, VECTOR, Bench, Engine, Finds, question, response_of, texts, tiny

from heta_framework.common.models.errors import CostLimitReached
from heta_framework.common.stores import LocalObjectStore
from heta_framework.evaluation.errors import ReportBusyError, ReportFileError, ReportMismatchError
from heta_framework.evaluation.records import load_report
from heta_framework.evaluation.types import BenchmarkCase, EvaluationReport
from heta_framework.kb import KnowledgeBase, QueryEngineRegistry, QueryRequest, QueryResponse

pytestmark = pytest.mark.anyio


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


class CountingObjects(LocalObjectStore):
    """Knows which raw documents were put."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.raw: list[str] = []

    async def put_many(self, objects: Any) -> None:
        pairs = list(objects)
        self.raw += [key for key, _ in pairs]
        await super().put_many(pairs)


def engine(failing: frozenset[str] = frozenset()) -> tuple[Engine, QueryEngineRegistry]:
    """Finds the document that is asked for, or fails at these."""

    def answer(request: QueryRequest) -> QueryResponse:
        found = request.text.split("number")[1].rstrip("?")
        if found in failing:
            raise LookupError(f"{found} is out")
        return response_of(found)

    made = Engine(answer)
    return made, QueryEngineRegistry([made])


def scores(report: EvaluationReport) -> list[object]:
    return [(case.case_id, case.query_mode, case.scores) for case in report.case_results]


async def test_a_finished_run_is_not_asked_again(bench: Bench) -> None:
    first_engine, engines = engine()
    first = await bench.run(tiny(3), "scripted", query_engines=engines)
    second_engine, engines = engine()
    second = await bench.run(tiny(3), "scripted", query_engines=engines)
    assert (len(first_engine.asked), len(second_engine.asked)) == (3, 0)
    assert scores(second.report) == scores(first.report)
    assert second.report.score_details == first.report.score_details
    assert second.report.started_at == first.report.started_at
    assert [kb.name for kb in second.knowledge_bases] == ["kb"]


async def test_cases_that_failed_are_asked_again(bench: Bench) -> None:
    _, engines = engine(frozenset({"d1"}))
    first = await bench.run(tiny(3), "scripted", query_engines=engines)
    assert first.report.score_details["scripted.finds"]["failed"] == 1
    again, engines = engine()
    second = await bench.run(tiny(3), "scripted", query_engines=engines)
    assert [request.text for request in again.asked] == ["Where is numberd1?"]
    assert second.report.score_summary == {"scripted.finds": 1.0}
    assert [(line["case_id"], line["failed"]) for line in sorted(bench.lines(), key=lambda line: line["ordinal"])] == [
        ("c_d0", False),
        ("c_d1", False),
        ("c_d2", False),
    ]


async def test_documents_that_are_there_are_not_put_again(bench: Bench) -> None:
    objects = CountingObjects(bench.root / "objects")
    bench.stores.objects = objects
    await bench.run(tiny(3))
    assert len(objects.raw) == 3
    await bench.run(tiny(3))
    assert len(objects.raw) == 3
    changed = tiny(3, texts=texts(3) | {"d1": "The orchard numberd1 was felled."})
    await bench.run(changed, kb="other", report="other")
    assert objects.raw[3:] == ["raw/benchmarks/tiny/test/d1/text.txt"]


async def test_other_evaluators_score_the_saved_responses_anew_without_asking(bench: Bench) -> None:
    _, engines = engine(frozenset({"d2"}))
    await bench.run(tiny(3), "scripted", query_engines=engines)
    asked, engines = engine(frozenset({"d2"}))
    anew = (Finds("found anew"),)
    result = await bench.run(tiny(3), "scripted", query_engines=engines, evaluators=anew)
    assert [request.text for request in asked.asked] == ["Where is numberd2?"]  # it had failed
    assert result.report.score_summary == {"scripted.found anew": pytest.approx(2 / 3)}
    back = await bench.run(tiny(3), "scripted", query_engines=engine()[1])
    assert back.report.score_summary == {"scripted.finds": 1.0}


async def test_other_labels_score_the_saved_responses_anew(bench: Bench) -> None:
    _, engines = engine()
    await bench.run(tiny(2), "scripted", query_engines=engines)
    corrected = tiny(2, questions=[question(0, "d1"), question(1)])
    asked, engines = engine()
    result = await bench.run(corrected, "scripted", query_engines=engines)
    assert asked.asked == []
    assert result.report.score_summary == {"scripted.finds": 0.5}


async def test_scoring_anew_that_was_cut_short_is_done_to_its_end(bench: Bench) -> None:
    class Dies(Finds):
        async def evaluate(self, *, case: BenchmarkCase, response: QueryResponse) -> Any:
            if case.case_id == "c_d2":
                raise CostLimitReached
            return await super().evaluate(case=case, response=response)

    _, engines = engine()
    await bench.run(tiny(3), "scripted", query_engines=engines, evaluators=(Finds("old"),))
    with pytest.raises(CostLimitReached):
        await bench.run(tiny(3), "scripted", query_engines=engines, evaluators=(Dies("new"),), max_concurrent_queries=1)
    result = await bench.run(tiny(3), "scripted", query_engines=engines, evaluators=(Finds("old"),))
    assert result.report.score_summary == {"scripted.old": 1.0}
    assert {score.name for case in result.report.case_results for score in case.scores} == {"old"}


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"top_k": 5}, r"asking\.top_k: 10 before, 5 now"),
        ({"query_options": {"rrf_k": 1}}, r"asking\.query_options\.rrf_k: None before, 1 now"),
        ({"trace": True}, r"asking\.trace: False before, True now"),
        ({"benchmark": tiny(4)}, r"cases\.count: 3 before, 4 now"),
        ({"benchmark": tiny(3, texts=texts(3) | {"d1": "Felled."})}, r"documents\.sha256"),
        ({"modes": (VECTOR,)}, r"query_modes: \['scripted'\] before, \['vector_search'\] now"),
        ({"chunk_size": 50}, r"recipe\.steps\.1 split_documents"),
        ({"evaluators": (Finds(required_top_k=50),)}, r"hold 10 results.*\(finds\) looks at 50"),
    ],
    ids=lambda value: "" if isinstance(value, str) else next(iter(value)),
)
async def test_a_report_begun_with_other_settings_is_refused(bench: Bench, changes: dict[str, Any], named: str) -> None:
    given = {"query_engines": engine()[1]}
    recipe = bench.stores.recipe() if "chunk_size" in changes else None
    await bench.run(tiny(3), "scripted", recipe=recipe, **given)
    before = bench.file("cases.jsonl").read_bytes()
    benchmark = changes.pop("benchmark", tiny(3))
    modes = changes.pop("modes", ("scripted",))
    if "chunk_size" in changes:
        changes = {"recipe": bench.stores.recipe(chunk_size=changes["chunk_size"])}
    if modes != ("scripted",):
        given = {}
    with pytest.raises(ReportMismatchError, match=f"'report' was begun.*{named}|{named}"):
        await bench.run(benchmark, *modes, **given, **changes)
    assert bench.file("cases.jsonl").read_bytes() == before


async def test_another_top_k_is_no_difference_where_an_evaluator_looks_at_more(bench: Bench) -> None:
    _, engines = engine()
    deep = {"evaluators": (Finds(required_top_k=50),)}
    await bench.run(tiny(3), "scripted", query_engines=engines, top_k=10, **deep)
    asked, engines = engine()
    result = await bench.run(tiny(3), "scripted", query_engines=engines, top_k=20, **deep)
    assert asked.asked == []
    assert result.report.metadata["top_k"]["asked"] == 20
    assert result.report.metadata["top_k"]["used"] == 50
    with pytest.raises(ReportMismatchError, match=r"asking\.top_k: 10 before, 60 now"):
        await bench.run(tiny(3), "scripted", query_engines=engines, top_k=60, **deep)


async def test_what_only_decides_on_speed_may_differ(bench: Bench) -> None:
    await bench.run(tiny(3))
    changed: dict[str, Any] = {"max_concurrent_queries": 1, "retries": 0, "query_timeout_s": 9, "metadata": {"try": 2}}
    result = await bench.run(tiny(3), **changed)
    assert result.report.metadata["try"] == 2


async def test_two_runs_cannot_write_one_report_at_the_same_time(bench: Bench) -> None:
    async def run_again(request: QueryRequest) -> QueryResponse:
        with pytest.raises(ReportBusyError):
            await bench.run(tiny(1), "scripted", query_engines=engine()[1])
        return response_of("d0")

    registry = QueryEngineRegistry([Engine(run_again)])  # type: ignore[arg-type]
    result = await bench.run(tiny(1), "scripted", query_engines=registry)
    assert result.report.score_summary == {"scripted.finds": 1.0}


async def test_cases_without_the_file_that_says_of_which_run_are_refused(bench: Bench) -> None:
    await bench.run(tiny(1))
    bench.file("run.json").unlink()
    with pytest.raises(ReportFileError, match=r"no run\.json"):
        await bench.run(tiny(1))
    bench.file("run.json").write_text("{")
    with pytest.raises(ReportFileError, match="damaged"):
        await bench.run(tiny(1))


async def test_the_report_outlives_its_knowledge_base(bench: Bench) -> None:
    for name in ("kb", "with-hyphens", "With Spaces"):
        result = await bench.run(tiny(2), kb=name)
        await result.knowledge_bases[0].delete(purge=True)
        assert result.report_key is not None
        report = await load_report(bench.stores.objects, result.report_key)
        assert scores(report) == scores(result.report)


async def test_a_run_whose_knowledge_base_was_deleted_keeps_its_cases(bench: Bench) -> None:
    _, engines = engine()
    first = await bench.run(tiny(2), "scripted", query_engines=engines)
    await first.knowledge_bases[0].delete()
    asked, engines = engine()
    again = await bench.run(tiny(2), "scripted", query_engines=engines)
    assert asked.asked == []
    assert [kb.name for kb in again.knowledge_bases] == ["kb"]
    assert scores(again.report) == scores(first.report)


async def test_indexes_that_a_restart_lost_are_made_again_for_the_cases_that_are_left(bench: Bench) -> None:
    await bench.run(tiny(3), VECTOR)
    lines = bench.file("cases.jsonl").read_text().splitlines(keepends=True)
    bench.file("cases.jsonl").write_text("".join(lines[:1]))
    bench.stores.restart()
    result = await bench.run(tiny(3), VECTOR)
    assert result.report.score_summary == {"vector_search.finds": 1.0}
    assert len(bench.lines()) == 3


async def test_a_report_that_is_not_saved_leaves_no_file_and_holds_everything(bench: Bench) -> None:
    result = await bench.run(tiny(2), VECTOR, FULL_TEXT, persist_report=False)
    assert (result.report_key, result.report.report_key) == (None, None)
    assert [key for key in await bench.stores.keys() if "/evaluations/" in key] == []
    assert [case.query_mode for case in result.report.case_results] == [VECTOR, FULL_TEXT] * 2
    saved = await bench.run(tiny(2), VECTOR, FULL_TEXT)
    assert saved.report.score_details == result.report.score_details


async def test_nothing_in_a_report_is_as_long_as_the_corpus(bench: Bench) -> None:
    result = await bench.run(tiny(2, texts=texts(60)))
    assert len(result.benchmark_document_keys) == 60
    head = json.loads(bench.file("report.json").read_text())
    assert head["metadata"]["benchmark_documents"]["count"] == 60
    assert head["metadata"]["run_units"] == [
        {"unit_id": "corpus", "knowledge_base_name": "kb", "documents": 60, "cases": 2}
    ]
    assert "raw/benchmarks/tiny/test/d7/" not in bench.file("report.json").read_text()
    assert await KnowledgeBase.load(recipe=bench.stores.recipe(), name="kb")
