"""Any result can be saved, and what is read back is what `to_dict` says of it."""

import json
import math
import tempfile
from decimal import Decimal
from pathlib import Path, PurePosixPath
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from heta_framework.evaluation.records.case_line import case_line
from heta_framework.evaluation.records.entry_book import EntryBook
from heta_framework.evaluation.records.record_folder import RecordFolder
from heta_framework.evaluation.records.saved_cases import SavedCases
from heta_framework.evaluation.records.strict_json import encode
from heta_framework.evaluation.types import EvaluationCaseResult, EvaluationError, EvaluationScore
from heta_framework.kb.search.citations import cite
from heta_framework.kb.search.types import QueryCitation, QueryInsight, QueryResponse, QueryResult, QueryTraceEvent

_any_text = st.text(st.characters(), max_size=8)  # lone surrogates, controls and all
_words = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8).filter(lambda text: text.strip())
_plain = st.none() | st.booleans() | st.integers() | st.floats() | _any_text
_odd = st.just(PurePosixPath("a/b")) | st.binary(max_size=3) | st.just(Decimal("1.5")) | st.frozensets(st.integers())
_values = st.recursive(
    _plain | _odd,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(_any_text | st.integers(), inner, max_size=3)
    ),
    max_leaves=4,
)
_metadata = st.dictionaries(_any_text, _values, max_size=4)
_kinds = st.sampled_from(["chunk", "entity"])
_marks = st.none() | st.floats() | st.integers()
_results = st.builds(QueryResult, _words, _words, _marks, _kinds, _metadata, _metadata)
_citations = st.builds(QueryCitation, _words, st.none() | _words, _metadata, st.none() | _words, _metadata)
_scores = st.builds(
    EvaluationScore,
    _words,
    st.booleans() | st.integers() | st.floats(-1e100, 1e100) | _words,
    st.none() | st.booleans(),
    st.sampled_from([{"n": 1}, {"n": True}, {"n": 1.0}, {}]) | _metadata,
)


@st.composite
def _responses(draw: st.DrawFn) -> QueryResponse:
    results = draw(st.lists(_results, max_size=3))
    results += draw(st.lists(st.sampled_from(results), max_size=2)) if results else []
    citations = draw(st.just(list(cite(results))) | st.lists(_citations, max_size=2))
    if citations and draw(st.booleans()):
        citations.append(citations.pop(0))
    return QueryResponse(
        draw(_words),
        tuple(results),
        draw(st.none() | _words),
        tuple(citations),
        tuple(draw(st.lists(st.builds(QueryTraceEvent, _words, _words, _metadata), max_size=1))),
        draw(_metadata),
        tuple(draw(st.lists(st.builds(QueryInsight, _words, st.just(("e1", "e2"))), max_size=1))),
    )


@st.composite
def _case_results(draw: st.DrawFn) -> EvaluationCaseResult:
    response = draw(st.none() | _responses())
    return EvaluationCaseResult(
        draw(_words),
        draw(_words),
        draw(_words),
        tuple(draw(st.lists(_scores, max_size=3))),
        response,
        draw(st.none() | st.floats(0, allow_infinity=False)),
        draw(st.builds(EvaluationError, _words, _words, st.booleans(), _metadata)) if response is None else None,
        draw(_metadata),
    )


@settings(max_examples=10)
@given(st.lists(_case_results(), min_size=1, max_size=2), _words)
def test_any_result_is_read_back_as_its_dict_says(results: list[EvaluationCaseResult], unit: str) -> None:
    results = [*results, *results[::-1]]  # what comes again is referred to
    with tempfile.TemporaryDirectory() as place:
        folder = RecordFolder(Path(place), temporary=False)
        saved = _write(folder, results, unit)
        assert saved == len({(one.case_id, one.query_mode) for one in results})
        for read in SavedCases.in_folder(folder):
            written = next(one for one in results if (one.case_id, one.query_mode) == (read.case_id, read.query_mode))
            assert read.to_dict() == written.to_dict()
            assert repr(read.to_dict()["scores"]) == repr(written.to_dict()["scores"])  # 1 is not True


def _write(folder: RecordFolder, results: list[EvaluationCaseResult], unit: str) -> int:
    entries: list[bytes] = []
    book = EntryBook(entries.append)
    lines = {(one.case_id, one.query_mode): one for one in results}
    written = [case_line(one, ordinal, unit, book) for ordinal, one in enumerate(lines.values())]
    again = [case_line(one, ordinal, unit, book) for ordinal, one in enumerate(lines.values())]
    folder.cases.write_bytes(b"\n".join([*written, *again, b""]))
    folder.texts.write_bytes(b"\n".join([*entries, b""]))
    for line in [*written, *entries]:
        json.loads(line, parse_constant=_refused)
        assert b"\n" not in line
    return len(lines)


def _refused(name: str) -> Any:
    raise AssertionError(f"{name} is no JSON")


def test_numbers_that_python_cannot_write_and_values_without_end_are_saved_all_the_same() -> None:
    endless: list[Any] = []
    endless.append(endless)
    deep: Any = 1
    for _ in range(5_000):
        deep = [deep]
    for value in (10**5_000, endless, deep, object(), math.nan):
        assert json.loads(encode({"a": value}), parse_constant=_refused)["a"] is not None
