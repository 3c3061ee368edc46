"""Relevance labels in the formats of BEIR and TREC."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from heta_framework.common.data_files import DatasetFormatError
from heta_framework.evaluation.benchmarks.beir.qrels import read_qrels

_ID = st.text(st.characters(codec="utf-8", exclude_categories=("Z", "C")), min_size=1, max_size=8)
_LABELS = st.dictionaries(_ID, st.dictionaries(_ID, st.integers(-3, 5), min_size=1, max_size=4), max_size=4)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(_LABELS, st.sampled_from(["query-id\tcorpus-id\tscore\n", ""]), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_all_formats_say_the_same(
    tmp_path: Path, labels: dict[str, dict[str, int]], header: str, end: str, trec: bool
) -> None:
    between = " 0 " if trec else "\t"
    last = " " if trec else "\t"
    lines = [
        f"{query}{between}{document}{last}{level}{end}"
        for query, documents in labels.items()
        for document, level in documents.items()
    ]
    path = tmp_path / "qrels.tsv"
    path.write_bytes(b"\xef\xbb\xbf" + (header + "".join(lines) + end).encode())
    assert read_qrels(path) == labels


def test_ids_may_hold_spaces_where_tabs_separate(tmp_path: Path) -> None:
    path = tmp_path / "qrels.tsv"
    path.write_text("q 1\tdoc one\t1\nq 1\tdoc one\t2\n")
    assert read_qrels(path) == {"q 1": {"doc one": 2}}


@pytest.mark.parametrize("content", [b"q\t\xff\t1\n", b"q d\n", b"a b c d e\n", b"q\td\t2\t1\n"])
def test_anything_else_is_refused_with_its_line(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "qrels.tsv"
    path.write_bytes(b"q\td\t1\n" + content)
    with pytest.raises(DatasetFormatError, match=r"qrels\.tsv:2: "):
        read_qrels(path)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(DatasetFormatError, match="cannot be read"):
        read_qrels(tmp_path / "none.tsv")
