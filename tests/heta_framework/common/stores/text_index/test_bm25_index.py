"""The synchronous BM25 core: ranking, any text as a query, forks, persistence."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heta_framework.common.stores.snapshot import SnapshotError
from heta_framework.common.stores.text_index import Bm25Index

_WORDS = st.sampled_from(["tea", "boat", "garden", "violin", "snow", "market"])
_TEXTS = st.lists(st.lists(_WORDS, min_size=1, max_size=4).map(" ".join), min_size=1, max_size=12)


def _index(texts: dict[str, str]) -> Bm25Index:
    index = Bm25Index()
    index.add(list(texts), list(texts.values()))
    return index


def _ids(hits: list[tuple[str, float]]) -> list[str]:
    return [record_id for record_id, _ in hits]


def test_the_score_is_bm25_with_k1_1_2_and_b_0_75() -> None:
    index = _index({"a": "tea tea boat", "b": "garden boat", "c": "snow"})
    n, df, tf, length, mean = 3, 1, 2, 3, 2
    idf = math.log(1 + (n - df + 0.5) / (df + 0.5))
    expected = idf * tf * 2.2 / (tf + 1.2 * (0.25 + 0.75 * length / mean))
    ((found, score),) = index.search("tea")
    assert found == "a"
    assert score == pytest.approx(expected, rel=1e-6)


def test_words_are_stemmed_unless_told_otherwise() -> None:
    assert _ids(_index({"a": "She adopted two kittens"}).search("adopting a kitten")) == ["a"]
    plain = Bm25Index(stemmer="none")
    plain.add(["a"], ["She adopted two kittens"])
    assert plain.search("adopting kitten") == []


def test_equal_scores_come_in_order_of_id_even_at_the_cut() -> None:
    index = _index({f"{n:02d}": "the same words" for n in reversed(range(40))})
    assert _ids(index.search("same words", 3)) == ["00", "01", "02"]


def test_stop_words_leave_the_question_and_stay_in_the_texts() -> None:
    texts = {"question": "When did what where who", "fact": "Maya plays violin"}
    asked = "When did Maya learn what she plays?"
    index = Bm25Index(stop_words="english")
    index.add(list(texts), list(texts.values()))
    assert _ids(index.search(asked)) == ["fact"]
    assert index.search("when did who") == []
    assert set(_ids(_index(texts).search(asked))) == {"question", "fact"}


_SYNTAX = [
    'tea AND "boat',
    "tea OR NOT (",
    "body:tea^2",
    "id:b tea",
    "tea~3 +boat -snow",
    "[tea TO b]",
    "/tea/",
    "tea\\",
]


@pytest.mark.parametrize(
    "query", [*_SYNTAX, "tea\x00boat", "\ud800 tea", "🫖 tea 🫖", pytest.param("tea " * 250_000, id="1 MB")]
)
def test_no_query_is_a_syntax_error(query: str) -> None:
    assert "a" in _ids(_index({"a": "a cup of tea", "b": "snow"}).search(query))


@pytest.mark.parametrize("query", ["", "   ", "?!,", "🫖", pytest.param("x" * 1_000_000, id="1 MB word"), "zzz"])
def test_a_query_without_findable_words_finds_nothing(query: str) -> None:
    assert _index({"a": "a cup of tea"}).search(query) == []


def test_a_query_of_book_length_is_answered_by_its_rarest_words() -> None:
    index = _index({f"common{n}": f"common filler{n}" for n in range(50)} | {"rare": "needle"})
    book = "common " + " ".join(f"absent{n}" for n in range(60_000)) + " needle"
    assert _ids(index.search(book, 1)) == ["rare"]


@given(query=st.text(), text=st.text())
@settings(max_examples=60, deadline=None)
def test_any_text_can_be_stored_and_asked(query: str, text: str) -> None:
    assert len(_index({"a": text}).search(query)) <= 1


def test_unicode_forms_of_a_word_agree_and_unspaced_scripts_match_by_character() -> None:
    index = _index(
        {"cafe": "cafe\u0301 au lait", "wide": "\uff34\uff25\uff21", "han": "\u5979\u559d\u4e86\u7eff\u8336"}
    )
    assert _ids(index.search("caf\u00e9")) == ["cafe"]
    assert _ids(index.search("tea")) == ["wide"]
    assert _ids(index.search("\u7eff\u8336\uff1f")) == ["han"]


def test_among_limits_the_hits_and_not_the_scores() -> None:
    index = _index({f"t{n:02d}": "tea " * (30 - n) for n in range(30)})
    scores = dict(index.search("tea", 30))
    assert index.search("tea", 2, among={"t20", "t25", "unknown"}) == [("t20", scores["t20"]), ("t25", scores["t25"])]
    assert index.search("tea", among=set()) == []


def test_adding_a_known_id_replaces_its_text() -> None:
    index = _index({"a": "tea", "b": "boat"})
    index.search("tea")
    index.add(["a"], ["garden"])
    assert (len(index), index.search("tea"), _ids(index.search("garden"))) == (2, [], ["a"])


def test_deleting_leaves_no_trace_in_the_scores() -> None:
    index = _index({"a": "tea boat", "b": "tea", "c": "tea snow garden"})
    index.search("tea")
    assert index.delete(["c", "unknown"]) == 1
    assert index.search("tea") == _index({"a": "tea boat", "b": "tea"}).search("tea")
    assert "c" not in index
    assert index.ids() == ["a", "b"]


@given(texts=_TEXTS, cuts=st.sets(st.integers(0, 12)), query=_WORDS)
@settings(max_examples=25, deadline=None)
def test_the_way_to_a_state_does_not_matter(texts: list[str], cuts: set[int], query: str) -> None:
    at_once, in_steps = Bm25Index(), Bm25Index()
    ids = [f"id{n}" for n in range(len(texts))]
    at_once.add(ids, texts)
    for row, (record_id, text) in enumerate(zip(ids, texts, strict=True)):
        in_steps.add([record_id], [text])
        if row in cuts:
            in_steps.search(query)
    assert in_steps.search(query, 5) == at_once.search(query, 5)


def test_a_fork_and_its_origin_go_separate_ways() -> None:
    origin = _index({"a": "tea"})
    first, second = origin.fork(), origin.fork()
    origin.add(["b"], ["tea origin"])
    first.add(["b"], ["tea first"])
    grandchild = first.fork()
    first.delete(["a"])
    assert _ids(second.search("tea")) == ["a"]
    assert sorted(_ids(origin.search("tea origin first"))) == ["a", "b"]
    assert _ids(first.search("first")) == ["b"]
    assert sorted(_ids(grandchild.search("tea"))) == ["a", "b"]
    assert [len(index) for index in (origin, first, second, grandchild)] == [2, 1, 1, 2]
    assert "b" not in second


def test_forking_sees_additions_that_were_not_searched_yet() -> None:
    origin = _index({"a": "tea"})
    assert _ids(origin.fork().search("tea")) == ["a"]


def test_a_fork_outlives_its_origin() -> None:
    fork = _index({"a": "tea"}).fork()
    assert _ids(fork.search("tea")) == ["a"]


def test_saved_and_loaded_it_answers_the_same(tmp_path: Path) -> None:
    index = Bm25Index(stemmer="none", stop_words="english")
    index.add(["a", "b", "c"], ["tea boat \ud800", "when tea", "line\nbreak"])
    fork = index.fork()
    index.add(["d"], ["tea"])
    index.save(tmp_path / "origin")
    fork.save(tmp_path / "fork")
    loaded = Bm25Index.load(tmp_path / "origin")
    assert loaded.search("when tea") == index.search("when tea")
    assert loaded.ids() == ["a", "b", "c", "d"]
    assert Bm25Index.load(tmp_path / "fork").ids() == ["a", "b", "c"]


def test_a_damaged_state_is_refused(tmp_path: Path) -> None:
    path = _index({"a": "tea"}).save(tmp_path)
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(SnapshotError, match=r"bm25\.snapshot"):
        Bm25Index.load(tmp_path)


@pytest.mark.parametrize(
    ("ids", "texts", "message"),
    [
        (["a", "a"], ["x", "y"], "'a' comes twice"),
        (["  "], ["x"], "row 0 must not be empty"),
        (["a", "\ud800"], ["x", "y"], "lone surrogate"),
        (["a"], [], "1 ids and 0 texts"),
    ],
)
def test_bad_records_are_refused_and_nothing_is_added(ids: list[str], texts: list[str], message: str) -> None:
    index = Bm25Index()
    with pytest.raises(ValueError, match=message):
        index.add(ids, texts)
    assert len(index) == 0


def test_k_must_be_positive() -> None:
    with pytest.raises(ValueError, match="k must be greater than zero"):
        Bm25Index().search("tea", 0)


def test_threads_do_not_pile_up_with_the_writes() -> None:
    tasks = Path("/proc/self/task")
    if not tasks.exists():
        pytest.skip("counts native threads through /proc")
    index, count = _index({"a": "tea"}), 200
    before = len(list(tasks.iterdir()))
    for n in range(count):
        index.add([f"n{n}"], [f"tea {n}"])
        index.search("tea")
    assert len(list(tasks.iterdir())) - before < count / 4
