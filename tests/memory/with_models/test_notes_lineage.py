"""Lines of edited files and the events behind them, paragraph by paragraph."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heams.memory.base import ForgetDemand, MemoryEvent
from heams.memory.notes import lineage
from heams.memory.notes.desk import Desk, Refused
from heams.memory.notes.forgetting import literal_passages, without_events, without_lines
from heams.memory.notes.lineage import Origin, edited
from heams.memory.notes.paragraphs import paragraphs
from heams.memory.notes.state import Line, NotesState, text_of

BATCH = [MemoryEvent(id=f"E{n}", content="x") for n in range(1, 4)]
_LINE = st.sampled_from(
    ["", " ", "# Pets", "- a grey kitten", "- a kitten", "tea", "tea and snow", "1. boat", "  more"]
)
_NAME = st.sampled_from(["a.md", "b.md", "c/d.md", "../e"])
_EDIT = st.tuples(
    st.sampled_from(["create", "append", "replace", "delete"]),
    _NAME,
    st.lists(_LINE, max_size=4).map("\n".join),
    st.lists(_LINE, min_size=1, max_size=2).map("\n".join),
    st.lists(st.integers(-1, 5), max_size=2),
)


def line(text: str, *event_ids: str) -> Line:
    return Line(text=text, event_ids=event_ids)


def test_equal_lines_keep_their_events_wherever_they_move() -> None:
    file = (line("one", "E1"), line("two", "E2"), line("three", "E3"))
    origin = Origin(("E9",))
    assert edited(file, ["zero", "one", "three"], origin, {}) == (line("zero", "E9"), file[0], file[2])
    assert edited((), ["two"], origin, {"two": file[1]}) == (file[1],)
    assert edited(file, [], origin, {}) == ()


def test_a_reworded_line_has_old_and_new_events_behind_it() -> None:
    file = (line("Ada lives in Lyon", "E1"), line("Bob sings", "E2"))
    assert edited(file, ["Ada lives in Nice", "Tea", ""], Origin(("E9",)), {}) == (
        line("Ada lives in Nice", "E1", "E9"),
        line("Tea", "E9"),
        line(""),
    )


def test_an_edit_compares_only_what_it_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[int] = []

    class Counting(SequenceMatcher[str]):
        def __init__(self, junk: None, old: Sequence[str], new: Sequence[str], **options: Any) -> None:
            compared.append(len(old) + len(new))
            super().__init__(junk, old, new, **options)

    monkeypatch.setattr(lineage, "SequenceMatcher", Counting)
    file = tuple(line("x", f"E{number}") for number in range(1_000))  # every line is like every other
    origin = Origin(("E9999",))
    assert edited(file, ["x"] * 1_000 + ["more"], origin, {}) == (*file, line("more", "E9999"))
    replaced = edited(file, ["x"] * 500 + ["y"] + ["x"] * 499, origin, {})
    assert replaced == (*file[:500], line("y", "E9999"), *file[501:])
    assert edited(file, ["x"] * 999, origin, {}) == file[:999]
    assert max(compared) <= 2


def _worked(edits: list[tuple[str, str, str, str, list[int]]], state: NotesState) -> NotesState:
    desk = Desk(state, BATCH, max_files=2, max_file_chars=60)
    for kind, name, text, old, sources in edits:
        try:
            if kind == "create":
                desk.create(name, text, sources)
            elif kind == "append":
                desk.append(name, text, sources)
            elif kind == "replace":
                desk.replace(name, old, text, sources)
            else:
                desk.delete(name)
        except Refused:
            continue
    return desk.state()


@given(first=st.lists(_EDIT, max_size=8), second=st.lists(_EDIT, max_size=8))
def test_whatever_is_edited_the_files_stay_within_their_limits(first: list, second: list) -> None:  # type: ignore[type-arg]
    state = NotesState()
    for edits in (first, second):
        state = _worked(edits, state)
        assert len(state.files) <= 2
        assert "../e" not in state.files
        for file in state.files.values():
            assert len(text_of(file)) <= 60
            for held in file:
                assert bool(held.event_ids) is bool(held.text.strip())
                assert set(held.event_ids) <= {"E1", "E2", "E3"}


@given(edits=st.lists(_EDIT, max_size=10))
def test_paragraphs_hold_every_line_that_is_not_blank_once(edits: list) -> None:  # type: ignore[type-arg]
    state = _worked(edits, NotesState())
    found = paragraphs(state)
    assert len({paragraph.id for paragraph in found}) == len(found)
    for name, file in state.files.items():
        held = [held for paragraph in found if paragraph.file == name for held in paragraph.lines]
        assert held == [held for held in file if held.text.strip()]


@given(edits=st.lists(_EDIT, max_size=10), event_id=st.sampled_from(["E1", "E2", "a.md:1", "E9"]))
def test_forgetting_events_takes_all_their_lines_and_no_others(edits: list, event_id: str) -> None:  # type: ignore[type-arg]
    state = _worked(edits, NotesState())
    named = [held for paragraph in paragraphs(state) if paragraph.id == event_id for held in paragraph.lines]
    after = without_events(state, [event_id])
    for name, file in state.files.items():
        stay = [held for held in file if event_id not in held.event_ids and held.text.strip()]
        left = [held for held in after.files.get(name, ()) if held.text.strip()]
        assert left == stay or (named and len(left) >= len(stay) - len(named))
    assert not [held for file in after.files.values() for held in file if event_id in held.event_ids]


@given(
    edits=st.lists(_EDIT, max_size=10),
    content=st.sampled_from(["grey kitten", '"tea" or "boat"', "zeppelin", "snow boat"]),
)
def test_forgetting_words_leaves_none_of_them(edits: list, content: str) -> None:  # type: ignore[type-arg]
    state = _worked(edits, NotesState())
    demand = ForgetDemand(content=content)
    after = without_lines(state, literal_passages(state, demand))
    for file in after.files.values():
        assert not literal_passages(NotesState(files={"one": file}), demand)
