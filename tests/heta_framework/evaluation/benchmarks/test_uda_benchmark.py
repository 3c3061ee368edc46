"""UDA: six subsets, each with its own columns of answers, and a knowledge base for each document."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from heta_framework.common.data_files import DatasetFormatError
from heta_framework.common.datasets import DownloadError
from heta_framework.evaluation import (
    AnswerContains,
    BenchmarkRunUnit,
    BenchmarkWorkspace,
    EvidenceRecallAtK,
    UdaBenchmark,
    UdaSubset,
)
from heta_framework.kb.search.types import QueryResponse, QueryResult

pytestmark = pytest.mark.anyio

Collect = Callable[..., Awaitable[Any]]

_PAPERS = """doc_name|q_uid|question|answer_1|answer_2|answer_3
2099.01234|a1|Do they count gulls?|Yes|yes, "twice"|\x20
2099.01234|a2|How many?|"many
gulls"|many gulls| \n"""


def _subset(folder: Path, subset: str, rows: str, names: list[str], extended: Any = None) -> UdaBenchmark:
    (folder / "docs").mkdir(exist_ok=True)
    for name in names:
        (folder / "docs" / name).write_bytes(name.encode())
    (folder / "qa.csv").write_text(rows, encoding="utf-8")
    path = None
    if extended is not None:
        path = folder / "extended.json"
        path.write_text(json.dumps(extended))
    return UdaBenchmark(subset, folder / "docs", folder / "qa.csv", path)  # type: ignore[arg-type]


async def test_every_document_is_a_unit_with_its_own_questions(tmp_path: Path, collect: Collect) -> None:
    rows = "doc_name|q_uid|question|answer|doc_url\nGull (bird)|7|Q1?|A1|u\nTern|8|Q2?|A2|u\nGull (bird)|9|Q3?|A3|u\n"
    found = await collect(_subset(tmp_path, "feta", rows, ["Gull (bird).pdf", "Tern.html", "Gull (bird).html"]))
    assert [(one.document_id, one.name, one.media_type) for one in found.documents] == [
        ("Gull_bird", "Gull (bird).pdf", "application/pdf"),
        ("Tern", "Tern.html", "text/html"),
    ]
    assert found.documents[0].path == tmp_path / "docs" / "Gull (bird).pdf"
    assert found.documents[0].metadata["source_path"] == "Gull (bird).pdf"
    assert found.units == [
        BenchmarkRunUnit("Gull_bird", ("Gull_bird",), ("7", "9"), {"doc_name": "Gull (bird)", "subset": "feta"}),
        BenchmarkRunUnit("Tern", ("Tern",), ("8",), {"doc_name": "Tern", "subset": "feta"}),
    ]
    assert [case.case_id for case in found.cases] == ["7", "8", "9"]
    assert found.prepared.manifest.build_scope == "case"
    assert found.prepared.manifest.license == "CC-BY-SA-4.0"


async def test_two_names_that_would_share_an_id_do_not(tmp_path: Path, collect: Collect) -> None:
    rows = "doc_name|q_uid|question|answer\nA B|1|Q?|x\nA_B|2|Q?|x\n©|3|Q?|x\n"
    found = await collect(_subset(tmp_path, "feta", rows, ["A B.pdf", "A_B.pdf", "©.pdf"]))
    ids = [one.document_id for one in found.documents]
    assert len(set(ids)) == 3
    assert [unit.unit_id for unit in found.units] == ids
    assert ids[0].startswith("A_B_")
    assert ids[2].startswith("document_")


async def test_papers_have_up_to_three_answers_and_annotated_evidence(tmp_path: Path, collect: Collect) -> None:
    pieces = [
        {"raw_evidence": ["Long paragraph."], "highlighted_evidence": ["They counted gulls twice."]},
        {"raw_evidence": ["FLOAT SELECTED: Table 1: Gulls"], "highlighted_evidence": []},
        {"raw_evidence": [], "highlighted_evidence": ["They counted gulls twice."]},
    ]
    extended = {"2099.01234": [{"q_uid": "a1", "answers": [], "evidence": pieces}]}
    benchmark = _subset(tmp_path, "paper_text", _PAPERS, ["2099.01234.pdf"], extended)
    found = await collect(benchmark)
    first, second = found.cases
    assert first.expected.answers == ("Yes", 'yes, "twice"')
    assert second.expected.answers == ("many\ngulls", "many gulls")
    assert [one.text for one in first.expected.evidence] == ["They counted gulls twice.", "Table 1: Gulls"]
    (document,) = found.documents
    assert (document.document_id, document.name) == ("2099_01234", "2099.01234.pdf")
    for one in first.expected.evidence:
        assert one.reference_id == document.document_id
        assert document.raw_key(found.prepared.manifest).startswith(one.locator["source_key_prefix"])
    assert first.metadata == {"doc_name": "2099.01234", "q_uid": "a1", "has_extended_info": True}
    assert second.metadata["has_extended_info"] is False
    result = QueryResult(
        "r",
        "There they counted gulls twice.",
        source={"document_id": document.document_id, "object_key": document.raw_key(found.prepared.manifest)},
    )
    score = await EvidenceRecallAtK(5, match="all").evaluate(case=first, response=QueryResponse("m", (result,)))
    assert score.value == 0.5


async def test_financial_reports_have_a_computed_answer(tmp_path: Path, collect: Collect) -> None:
    rows = (
        "doc_name|q_uid|question|answer_1|answer_2\n"
        "BOAT_2031|B/1|Growth?|57%|0.57484\nBOAT_2031|B/2|Better?||yes\nBOAT_2031|B/3|Cost?|38316\\\\n|38316.3\n"
    )
    extended = {
        "BOAT_2031": [
            {
                "q_uid": "B/1",
                "answers": {"str_answer": "57%", "exe_answer": 0.5748},
                "evidence": {"table_3": "sales 530"},
            }
        ]
    }
    found = await collect(_subset(tmp_path, "fin", rows, ["BOAT_2031.pdf"], extended))
    growth, better, cost = found.cases
    assert (growth.expected.answers, growth.expected.value) == (("57%", "0.57484"), 0.5748)
    assert [(one.text, one.metadata) for one in growth.expected.evidence] == [("sales 530", {"part": "table_3"})]
    assert (better.expected.answers, better.expected.value) == (("yes",), "yes")
    assert (cost.expected.answers, cost.expected.value) == (("38316", "38316.3"), 38316.3)
    assert await _values("fin", growth, "It grew by 57.4 %.") == {"answer_contains": False, "numeric_match": True}
    assert await _values("fin", growth, "It grew by 0.6.") == {"answer_contains": False, "numeric_match": False}
    assert (await _values("fin", better, "Yes."))["answer_contains"] is True


async def test_scales_are_part_of_the_answer(tmp_path: Path, collect: Collect) -> None:
    rows = (
        "doc_name|q_uid|question|answer|answer_scale|answer_type\n"
        "boat_2031|1|Mean?|['411.5']|thousand|arithmetic\nboat_2031|2|Change?|['10.84']|percent|arithmetic\n"
        "boat_2031|3|Both?|['1,802', '1,673']||multi-span\nboat_2031|4|Sales?|['$ 93,662']|thousand|span\n"
    )
    extended = {"boat_2031": [{"q_uid": "1", "answers": {}, "facts": ["242", "242"], "doc_page_uid": "p9"}]}
    found = await collect(_subset(tmp_path, "tat", rows, ["boat_2031.pdf"], extended))
    mean, change, both, sales = found.cases
    assert [case.expected.answers for case in found.cases] == [
        ("411.5 thousand",),
        ("10.84%",),
        ("1,802, 1,673",),
        ("$ 93,662 thousand",),
    ]
    assert both.expected.value == ["1,802", "1,673"]
    assert mean.labels == {"subset": "tat", "doc_name": "boat_2031", "answer_type": "arithmetic"}
    assert [(one.text, one.metadata) for one in mean.expected.evidence] == [("242", {"doc_page_uid": "p9"})]
    assert (await _values("tat", mean, "It is 411,500."))["numeric_match"] is True
    assert (await _values("tat", mean, "It is 411.5."))["numeric_match"] is False
    assert (await _values("tat", change, "By 10.84 %"))["numeric_match"] is True
    assert (await _values("tat", sales, "$93.662 million"))["numeric_match"] is True


async def test_articles_have_a_passage_or_a_table(tmp_path: Path, collect: Collect) -> None:
    rows = (
        "doc_name|q_uid|question|short_answer|long_answer|doc_url\n"
        "Gull|-1|who|a bird|A gull is a bird .|u\nGull|2|when||Always .|u\n"
    )
    found = await collect(_subset(tmp_path, "nq", rows, ["Gull.pdf"]))
    assert found.cases[0].expected.answers == ("a bird", "A gull is a bird .")
    assert found.cases[1].expected.answers == ("Always .",)
    assert found.cases[0].expected.evidence[0].text == "A gull is a bird ."
    table = {"table_array": [["Year", "Gulls"], ["2031", "7"]], "highlighted_cell_ids": [[1, 1], [9, 9], "x"]}
    extended = {"Gull": [{"q_uid": 5, "answers": "Seven.", "evidence": table}]}
    rows = 'doc_name|q_uid|question|answer|doc_url\nGull|5|How many?|"Seven ""big"" ones."|u\n'
    (case,) = (await collect(_subset(tmp_path, "feta", rows, ["Gull.pdf"], extended))).cases
    assert case.expected.answers == ('Seven "big" ones.',)
    assert [(one.text, one.metadata) for one in case.expected.evidence] == [("7", {"row_index": 1, "column": 1})]


@pytest.mark.parametrize(
    ("subset", "names"),
    [
        ("fin", ["answer_contains", "numeric_match"]),
        ("tat", ["answer_contains", "numeric_match", "token_f1"]),
        ("paper_tab", ["answer_contains", "token_f1"]),
        ("paper_text", ["answer_contains", "token_f1"]),
        ("feta", ["answer_contains", "token_f1", "rouge_l"]),
        ("nq", ["answer_contains", "token_f1"]),
    ],
)
def test_each_subset_is_scored_its_own_way_unless_told_otherwise(subset: UdaSubset, names: list[str]) -> None:
    benchmark = UdaBenchmark(subset)
    assert [one.name for one in benchmark.evaluators()] == names
    assert benchmark.manifest.name == f"uda_{subset}"
    assert UdaBenchmark(subset, evaluator_list=(AnswerContains(),)).evaluators() == (AnswerContains(),)
    kinds = [resource.kind for resource in benchmark.resources()]
    assert kinds == ["file", "file", "archive"]


async def test_documents_that_are_missing_are_named(tmp_path: Path, collect: Collect) -> None:
    rows = "doc_name|q_uid|question|answer\n" + "".join(f"D{number}|{number}|Q?|A\n" for number in range(9))
    with pytest.raises(FileNotFoundError, match=r"8 of 9 documents .*: 'D1', 'D2', 'D3', 'D4', 'D5', \.\.\.;"):
        await collect(_subset(tmp_path, "feta", rows, ["D0.pdf"]))


async def test_a_document_stays_below_the_root(tmp_path: Path, collect: Collect) -> None:
    (tmp_path / "secret.pdf").write_text("secret")
    for name in ("../secret", "link"):
        benchmark = _subset(tmp_path, "feta", f"doc_name|q_uid|question|answer\n{name}|1|Q?|A\n", [])
        if name == "link":
            (tmp_path / "docs" / "link.pdf").symlink_to(tmp_path / "secret.pdf")
        with pytest.raises(FileNotFoundError, match="1 of 1 documents"):
            await collect(benchmark)


@pytest.mark.parametrize(
    ("subset", "rows", "message"),
    [
        (
            "fin",
            "doc_name|q_uid|question|answer_1|answer2\n",
            r"qa\.csv:1: found no column 'answer_2'.*did you mean 'answer2'",
        ),
        ("fin", "", r"qa\.csv:1: found no column 'doc_name'; there is: none"),
        ("feta", "doc_name|q_uid|question|answer\nD|1|Q?\n", r"qa\.csv:2: found another number of columns"),
        ("feta", "doc_name|q_uid|question|answer\nD|1|Q?|A|B|C\n", r"qa\.csv:2: found another number of columns"),
        ("feta", "doc_name|q_uid|question|answer\nD| |Q?|A\n", r"qa\.csv:2: q_uid: found nothing"),
        (
            "tat",
            "doc_name|q_uid|question|answer|answer_scale|answer_type\nD|1|Q?|[open||span\n",
            r"qa\.csv:2: answer: found '\[open'; expected a list",
        ),
    ],
)
async def test_wrong_questions_are_named_with_their_line(
    tmp_path: Path, collect: Collect, subset: str, rows: str, message: str
) -> None:
    with pytest.raises(DatasetFormatError, match=message):
        await collect(_subset(tmp_path, subset, rows, ["D.pdf"]))


@pytest.mark.parametrize("extended", [[], {"D": {}}, {"D": [{"question": "?"}]}])
async def test_wrong_extended_information_is_named(tmp_path: Path, collect: Collect, extended: Any) -> None:
    rows = "doc_name|q_uid|question|answer\nD|1|Q?|A\n"
    with pytest.raises(DatasetFormatError, match=r"extended\.json: "):
        await collect(_subset(tmp_path, "feta", rows, ["D.pdf"], extended))


async def test_documents_are_downloaded_and_checked(web: Any, tmp_path: Path, collect: Collect) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("fin_docs/BOAT_2031.pdf", b"%PDF")
    web["/resolve/main/src_doc_files/fin_docs.zip"] = web["/resolve/main/src_doc_files/wiki_nq_docs.zip"] = (
        buffer.getvalue()
    )
    qa = tmp_path / "qa.csv"
    qa.write_text("doc_name|q_uid|question|answer_1|answer_2\nBOAT_2031|1|Q?|1|1\n")
    found = await collect(UdaBenchmark("fin", qa_path=qa, source_documents_url=f"{web.url}/"))
    assert found.documents[0].path.read_bytes() == b"%PDF"
    qa.write_text("doc_name|q_uid|question|short_answer|long_answer\nBOAT_2031|1|Q?|1|1\n")
    digest = hashlib.sha256(buffer.getvalue()).hexdigest()
    with pytest.raises(DownloadError, match=f"is not the registered file: .*{digest}"):
        await collect(UdaBenchmark("nq", qa_path=qa, source_documents_url=web.url))


async def test_without_the_network_it_says_where_to_put_the_files(
    workspace: BenchmarkWorkspace, tmp_path: Path
) -> None:
    with pytest.raises(FileNotFoundError, match=r"uda_fin.*fin_qa\.csv \(missing\).*by hand"):
        await UdaBenchmark("fin", download_metadata=False).prepare(workspace)
    qa = tmp_path / "qa.csv"
    qa.write_text("doc_name|q_uid|question|answer_1|answer_2\n")
    with pytest.raises(FileNotFoundError, match=r"uda_fin_docs.*fin_docs\.zip \(missing\).*by hand"):
        await UdaBenchmark("fin", qa_path=qa, download_source_documents=False).prepare(workspace)
    with pytest.raises(FileNotFoundError, match="there is no file"):
        await UdaBenchmark("fin", qa_path=tmp_path / "none.csv").prepare(workspace)


def test_settings_are_checked() -> None:
    with pytest.raises(ValueError, match="subset must be one of: fin, tat, paper_tab, paper_text, feta, nq"):
        UdaBenchmark("web")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="source_documents_url must be an address"):
        UdaBenchmark("fin", source_documents_url="here")


async def _values(subset: UdaSubset, case: Any, answer: str) -> dict[str, Any]:
    response = QueryResponse("m", answer=answer)
    scores = [await one.evaluate(case=case, response=response) for one in UdaBenchmark(subset).evaluators()]
    return {score.name: score.value for score in scores}
