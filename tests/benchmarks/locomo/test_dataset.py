"""LoCoMo's format: dates, evidence labels, every known defect by name, and files that cannot be used."""

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heams.benchmarks.locomo.dataset import load_conversations
from heams.benchmarks.locomo.defects import LOST_EVIDENCE
from heams.benchmarks.locomo.evidence import canonical_turn_id, read_evidence, turn_ids
from heams.benchmarks.locomo.records import Conversation, Question
from heams.benchmarks.locomo.session_date import parse_session_date
from heta_framework.common.data_files.errors import DatasetFormatError

Writer = Callable[[Any], Path]
_NUMBERS = st.tuples(st.integers(1, 999), st.integers(1, 999))
_BETWEEN = st.text(st.characters(exclude_characters="D:0123456789"), min_size=1)


def _load(record: dict[str, Any], write_json: Writer) -> Conversation:
    (conversation,) = load_conversations(write_json([record]))
    return conversation


def _load_question(record: dict[str, Any], write_json: Writer, **fields: Any) -> Question:
    """The first question with ``fields`` changed; fields of None are left out."""
    changed = record["qa"][0] | fields
    record["qa"] = [{name: value for name, value in changed.items() if value is not None}]
    return _load(record, write_json).questions[0]


def _rules(question: Question) -> list[tuple[str, str]]:
    return [(reason.rule, reason.kind) for reason in question.all_notes]


# What a sound record becomes


def test_a_record_becomes_sessions_turns_and_questions(locomo_record: dict[str, Any], write_json: Writer) -> None:
    conversation = _load(locomo_record, write_json)
    assert [(session.id, len(session.turns)) for session in conversation.sessions] == [
        ("session_1", 2),
        ("session_2", 2),
    ]
    assert conversation.sessions[0].turns[1].caption == "a photo of a black cat"
    assert conversation.ends_at == datetime(2023, 6, 2, 0, 5, tzinfo=UTC)
    first, *_, last = conversation.questions
    assert (first.id, first.category, first.answer, first.evidence) == ("conv-90#0", 1, "kayak, canoe", ("D2:1",))
    assert (last.answer, last.trap) == (None, "grey")
    assert not conversation.notes
    assert not any(question.all_notes for question in conversation.questions)


def test_sessions_come_in_the_order_of_their_numbers(locomo_record: dict[str, Any], write_json: Writer) -> None:
    talk = locomo_record["conversation"]
    talk |= {"session_10": [{"speaker": "Ada", "dia_id": "D10:1", "text": "x"}]}
    talk |= {"session_10_date_time": "1:00 pm on 1 July, 2023"}
    locomo_record["conversation"] = dict(sorted(talk.items(), reverse=True))
    sessions = _load(locomo_record, write_json).sessions
    assert [session.id for session in sessions] == ["session_1", "session_2", "session_10"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1:56 pm on 8 May, 2023", datetime(2023, 5, 8, 13, 56, tzinfo=UTC)),
        ("12:00 am on 29 February, 2024", datetime(2024, 2, 29, tzinfo=UTC)),
        ("12:30 pm on 1 December, 2022", datetime(2022, 12, 1, 12, 30, tzinfo=UTC)),
        (" 9:05 AM  on 03 MARCH 2023", datetime(2023, 3, 3, 9, 5, tzinfo=UTC)),
    ],
)
def test_session_dates(text: str, expected: datetime) -> None:
    assert parse_session_date(text) == expected


@given(st.datetimes(timezones=st.just(UTC)))
def test_every_minute_can_be_written_and_read(instant: datetime) -> None:
    minute = instant.replace(second=0, microsecond=0)
    text = f"{minute:%I:%M} {'pm' if minute.hour >= 12 else 'am'} on {minute.day} {minute:%B}, {minute.year:04}"
    assert parse_session_date(text) == minute


@given(st.text())
def test_other_texts_are_no_dates(text: str) -> None:
    with pytest.raises(ValueError, match="expected a date such as"):
        parse_session_date(text)


@pytest.mark.parametrize(
    "text",
    [
        "8 May, 2023",
        "13:00 pm on 8 May, 2023",
        "0:10 am on 8 May, 2023",
        "1:00 pm on 31 June, 2023",
        "1:00 pm on 8 Mai, 2023",
    ],
)
def test_times_that_do_not_exist_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=re.escape(repr(text))):
        parse_session_date(text)


# Evidence labels


@given(st.lists(_NUMBERS), st.lists(_BETWEEN, min_size=1))
def test_turns_are_found_whatever_stands_between_them(numbers: list[tuple[int, int]], between: list[str]) -> None:
    label = "".join(f"{between[i % len(between)]}D{s}:{t}" for i, (s, t) in enumerate(numbers)) + between[0]
    assert turn_ids(label) == tuple(f"D{s}:{t}" for s, t in numbers)


@given(_NUMBERS, st.integers(0, 3), st.integers(0, 3), st.booleans())
def test_zeros_and_a_stray_colon_do_not_matter(numbers: tuple[int, int], left: int, right: int, colon: bool) -> None:
    session, turn = numbers
    label = f"D{':' if colon else ''}{'0' * left}{session}:{'0' * right}{turn}"
    assert turn_ids(label) == (f"D{session}:{turn}",)
    assert canonical_turn_id(label) == f"D{session}:{turn}"


@given(
    st.lists(st.text() | st.from_regex(r"D:?[0-9]{1,3}:[0-9]{1,3}", fullmatch=True)),
    st.sets(st.from_regex(r"D[1-9]:[1-9]", fullmatch=True)),
)
def test_evidence_holds_known_turns_once_and_every_loss_is_said(labels: list[str], known: set[str]) -> None:
    reading = read_evidence(labels, known)
    assert set(reading.ids) == {turn for label in labels for turn in turn_ids(label)} & known
    assert len(set(reading.ids)) == len(reading.ids)
    lossless = bool(labels) and all(turn_ids(label) and set(turn_ids(label)) <= known for label in labels)
    assert (reading.losses(LOST_EVIDENCE) is None) == lossless


@given(st.text())
def test_labels_of_any_text_never_fail(label: str) -> None:
    assert all(re.fullmatch(r"D\d+:\d+", turn) for turn in turn_ids(label))


@pytest.mark.parametrize(
    ("evidence", "ids", "rules"),
    [
        (["D1:1; D2:2"], ("D1:1", "D2:2"), [("malformed_evidence", "repaired")]),
        (["D1:1 D1:2 D2:1"], ("D1:1", "D1:2", "D2:1"), [("malformed_evidence", "repaired")]),
        (["D:2:1"], ("D2:1",), [("malformed_evidence", "repaired")]),
        (["D2:01"], ("D2:1",), [("zero_padded_evidence", "repaired")]),
        (["D1:1", "D1:1"], ("D1:1",), [("repeated_evidence", "repaired")]),
        (["D"], (), [("unreadable_evidence", "dropped_label")]),
        (["D1:1", "D1:17"], ("D1:1",), [("unresolved_evidence", "dropped_label")]),
        ([], (), [("empty_evidence", "dropped_label")]),
    ],
)
def test_defects_of_evidence_are_noted_by_name(
    evidence: list[str],
    ids: tuple[str, ...],
    rules: list[tuple[str, str]],
    locomo_record: dict[str, Any],
    write_json: Writer,
) -> None:
    question = _load_question(locomo_record, write_json, evidence=evidence)
    assert question.evidence == ids
    assert _rules(question) == rules
    assert (question.evidence_note is None) == (rules[0][1] == "repaired")
    assert all(reason.record_id == "conv-90#0" for reason in question.all_notes)


# The other known defects


def test_a_date_without_turns_is_no_session(locomo_record: dict[str, Any], write_json: Writer) -> None:
    locomo_record["conversation"] |= {"session_3_date_time": "1:00 pm on 1 July, 2023", "session_4_date_time": "later"}
    locomo_record["conversation"] |= {"session_5_date_time": "1:00 pm on 1 July, 2023", "session_5": []}
    conversation = _load(locomo_record, write_json)
    assert len(conversation.sessions) == 2
    assert [(note.record_id, note.rule) for note in conversation.notes] == [("conv-90", "date_without_turns")] * 3


@pytest.mark.parametrize(("answer", "read"), [(2022, "2022"), (0, "0"), (2.5, "2.5")])
def test_a_number_as_answer_is_read_as_text(
    answer: float, read: str, locomo_record: dict[str, Any], write_json: Writer
) -> None:
    question = _load_question(locomo_record, write_json, answer=answer)
    assert question.answer == read
    assert _rules(question) == [("number_as_answer", "repaired")]


def test_the_answer_of_an_adversarial_question_is_not_used(locomo_record: dict[str, Any], write_json: Writer) -> None:
    question = _load_question(locomo_record, write_json, category=5, answer="No", adversarial_answer="Yes")
    assert (question.answer, question.trap) == (None, "Yes")
    assert _rules(question) == [("answer_of_adversarial", "repaired")]


def test_a_missing_trap_is_noted(locomo_record: dict[str, Any], write_json: Writer) -> None:
    question = _load_question(locomo_record, write_json, category=5, answer=None)
    assert (question.answer, question.trap) == (None, None)
    assert _rules(question) == [("missing_adversarial_answer", "dropped_label")]


@pytest.mark.parametrize(("category", "noted"), [(3, True), (4, False)])
def test_a_rationale_behind_the_answer_is_noted_where_it_is_cut(
    category: int, noted: bool, locomo_record: dict[str, Any], write_json: Writer
) -> None:
    question = _load_question(locomo_record, write_json, category=category, answer="Likely no; she dislikes water")
    assert question.answer == "Likely no; she dislikes water"
    assert _rules(question) == ([("rationale_in_answer", "repaired")] if noted else [])


# What cannot be used


def _without(*path: str | int) -> Callable[[dict[str, Any]], None]:
    def spoil(record: Any) -> None:
        for step in path[:-1]:
            record = record[step]
        del record[path[-1]]

    return spoil


def _with(value: Any, *path: str | int) -> Callable[[dict[str, Any]], None]:
    def spoil(record: Any) -> None:
        for step in path[:-1]:
            record = record[step]
        record[path[-1]] = value

    return spoil


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (_without("qa"), "conv-90, qa: not given; this field is required"),
        (_without("sample_id"), "entry 0, sample_id: not given"),
        (_with("", "sample_id"), "entry 0, sample_id: found an empty text"),
        (_without("qa", 2, "question"), "conv-90, qa 2, question: not given"),
        (_without("qa", 2, "answer"), "conv-90, qa 2, answer: not given; every question of categories 1 to 4"),
        (_without("qa", 4, "evidence"), "conv-90, qa 4, evidence: not given"),
        (_with(6, "qa", 1, "category"), "conv-90, qa 1, category: found 6; must be 1, 2, 3, 4 or 5"),
        (_with(True, "qa", 1, "answer"), "conv-90, qa 1, answer: found true; must be text or a whole number"),
        (_with("D1:1", "qa", 1, "evidence"), 'conv-90, qa 1, evidence: found "D1:1"; must be a list'),
        (_with([7], "qa", 1, "evidence"), "conv-90, qa 1, evidence 0: found 7; must be text"),
        (_with([], "conversation"), "conv-90, conversation: .*must be a mapping"),
        (_with({}, "conversation"), "conv-90, conversation: found no session with turns"),
        (_without("conversation", "session_1_date_time"), "conv-90, session_1_date_time: not given"),
        (
            _with("in May", "conversation", "session_1_date_time"),
            "conv-90, session_1_date_time: found 'in May'; expected",
        ),
        (_with(5, "conversation", "session_1_date_time"), "conv-90, session_1_date_time: found 5; must be text"),
        (_with("x", "conversation", "session_1"), "conv-90, session_1: .*must be a list"),
        (_without("conversation", "session_1", 1, "text"), "conv-90, session_1, entry 1, text: not given"),
        (
            _with("7", "conversation", "session_1", 0, "dia_id"),
            "conv-90, session_1, dia_id: found '7'; expected 'D<session>",
        ),
        (
            _with("D1:1", "conversation", "session_2", 0, "dia_id"),
            "conv-90, dia_id: found 'D1:1' 2 times; expected unique",
        ),
        (_with("D01:01", "conversation", "session_2", 0, "dia_id"), "conv-90, dia_id: found 'D1:1' 2 times"),
    ],
)
def test_records_that_cannot_be_used_are_named(
    spoil: Callable[[Any], None], message: str, locomo_record: dict[str, Any], write_json: Writer
) -> None:
    spoil(locomo_record)
    path = write_json([locomo_record])
    with pytest.raises(DatasetFormatError, match=f"^{re.escape(str(path))}: {message}"):
        load_conversations(path)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "found an empty list; expected a list of conversations"),
        ({"sample_id": "conv-1"}, "found a dict; expected a list of conversations"),
        (["conv-1"], "entry 0: .*must be a mapping"),
    ],
)
def test_files_of_another_shape_are_named(data: Any, message: str, write_json: Writer) -> None:
    with pytest.raises(DatasetFormatError, match=message):
        load_conversations(write_json(data))


def test_repeated_sample_ids_are_named(locomo_record: dict[str, Any], write_json: Writer) -> None:
    with pytest.raises(DatasetFormatError, match="conv-90: found sample_id 'conv-90' 2 times; expected unique ids"):
        load_conversations(write_json([locomo_record, locomo_record]))


@pytest.mark.parametrize("share", [0.0, 0.3, 0.7, 0.999])
def test_a_file_that_was_cut_off_is_named(share: float, locomo_record: dict[str, Any], tmp_path: Path) -> None:
    whole = json.dumps([locomo_record], indent=1)
    path = tmp_path / "cut.json"
    path.write_text(whole[: int(len(whole) * share)], "utf-8")
    with pytest.raises(DatasetFormatError, match=rf"{re.escape(str(path))}: .*(cut off|found nothing)"):
        load_conversations(path)
