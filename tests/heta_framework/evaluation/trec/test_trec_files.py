"""Run and qrels files: what is written is read again to the last digit, and what is wrong is named with its line."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from heta_framework.evaluation.trec import (
    TrecFileError,
    escaped_id,
    read_qrels,
    read_run,
    score_run,
    unescaped_id,
    write_qrels,
    write_run,
)

ANY_ID = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6)
SCORE = st.floats(allow_nan=False)
ROOM = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)


@ROOM
@given(run=st.dictionaries(ANY_ID, st.dictionaries(ANY_ID, SCORE, min_size=1, max_size=5), max_size=4))
def test_a_run_is_read_as_it_was_written(tmp_path: Path, run: dict[str, dict[str, float]]) -> None:
    written = write_run(tmp_path / "run.trec", run, escape_ids=True)
    again = {
        unescaped_id(query): {unescaped_id(document): score for document, score in scores.items()}
        for query, scores in read_run(tmp_path / "run.trec").items()
    }
    assert again == run
    assert written == sum(map(len, run.values()))


@ROOM
@given(
    qrels=st.dictionaries(ANY_ID, st.dictionaries(ANY_ID, st.integers(-3, 2000), min_size=1, max_size=5), min_size=1),
    layout=st.sampled_from(["trec", "beir"]),
)
def test_labels_are_read_as_they_were_written(tmp_path: Path, qrels: dict[str, dict[str, int]], layout: str) -> None:
    write_qrels(tmp_path / "qrels", qrels, layout=layout, escape_ids=True)  # type: ignore[arg-type]
    again = {
        unescaped_id(query): {unescaped_id(document): level for document, level in labels.items()}
        for query, labels in read_qrels(tmp_path / "qrels").items()
    }
    assert again == qrels


def test_the_lines_are_those_of_trec(tmp_path: Path) -> None:
    write_run(tmp_path / "run", {"q1": {"b": 0.5, "a": 1.5, "c": 0.5}, "q2": {}}, tag="bm25")
    assert (tmp_path / "run").read_text() == "q1 Q0 a 1 1.5 bm25\nq1 Q0 c 2 0.5 bm25\nq1 Q0 b 3 0.5 bm25\n"
    write_qrels(tmp_path / "qrels", {"q1": {"a": 2, "b": -1}})
    assert (tmp_path / "qrels").read_text() == "q1 0 a 2\nq1 0 b -1\n"
    write_qrels(tmp_path / "qrels", {"q1": {"a b": 2}}, layout="beir")
    assert (tmp_path / "qrels").read_text() == "query-id\tcorpus-id\tscore\nq1\ta b\t2\n"
    assert read_qrels(tmp_path / "qrels") == {"q1": {"a b": 2}}


def test_an_id_with_white_space_is_refused_and_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "run"
    write_run(file, {"q": {"a": 1.0}})
    with pytest.raises(TrecFileError, match=r"run: cannot be written: the id 'a b' holds white space.*escape"):
        write_run(file, {"q": {"a": 1.0, "a b": 0.5}})
    assert read_run(file) == {"q": {"a": 1.0}}
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_two_ids_never_share_an_escaped_one() -> None:
    assert escaped_id("a b") == "a%20b" != escaped_id("a%20b") == "a%2520b"
    assert unescaped_id(escaped_id("a%20b c")) == "a%20b c"


def test_the_rank_column_decides_nothing(tmp_path: Path) -> None:
    file = tmp_path / "run"
    file.write_text("q Q0 low 1 0.5 x\n\nq\tQ0\thigh\t2\t0.75\tx\r\n")
    scores = score_run(read_run(file), {"q": {"high": 1}}).by_query["q"]
    assert scores["mrr@1"] == 1.0


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"q Q0 d 1 0.5 x\nq Q0 e 2 0.5\n", r"run:2: expected 6 columns .*, found 5"),
        (b"q Q0 d 1 0.5 x\nq Q0 d 2 0.4 x\n", r"run:2: document 'd' stands twice under question 'q'"),
        (b"q Q0 d 1 high x\n", r"run:1: score is 'high'; expected a number"),
        (b"\nq Q0 d 1 nan x\n", r"run:2: score is 'nan'; expected a number"),
        (b"q Q0 \xff 1 0.5 x\n", r"run:1: is no UTF-8"),
    ],
)
def test_a_line_that_is_no_run_is_named(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "run").write_bytes(content)
    with pytest.raises(TrecFileError, match=message):
        read_run(tmp_path / "run")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("q 0 d 1\nq 0 e\n", r"qrels:2: expected 4 columns .*; found 3"),
        ("q d 1\n", r"qrels:1: expected 4 columns .* or, .* 3 .* between tabs; found 3"),
        ("query-id\tcorpus-id\tscore\nq\td\n", r"qrels:2: expected 3 columns .*; found 2"),
        ("q\td\t1\nq\t\t1\n", r"qrels:2: expected 3 columns .*; found 3, one empty"),
        ("q 0 d 1.5\n", r"qrels:1: label is '1.5'; expected a whole number"),
        ("q 0 d 1\nq 0 d 2\n", r"qrels:2: document 'd' has the label 2 here, and the label 1"),
        ("query-id\tcorpus-id\tscore\n", r"qrels: holds no labels"),
    ],
)
def test_a_line_that_is_no_label_is_named(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "qrels").write_text(content)
    with pytest.raises(TrecFileError, match=message):
        read_qrels(tmp_path / "qrels")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(TrecFileError, match=r"none\.trec: cannot be read: No such file"):
        read_run(tmp_path / "none.trec")
    (tmp_path / "file").touch()
    with pytest.raises(TrecFileError, match="run: cannot be written"):
        write_run(tmp_path / "file/run", {})


def test_labels_with_a_point_and_repeated_ones_are_the_same_label(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("\ufeffq\td\t2.0\nq\td\t2\n", encoding="utf-8")
    assert read_qrels(tmp_path / "qrels") == {"q": {"d": 2}}
