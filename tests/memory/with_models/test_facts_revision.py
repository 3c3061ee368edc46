"""Operations on facts: what may be done is done, whatever else a model says is not."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heams.memory.base import MemoryEvent, RecalledItem
from heams.memory.facts.reply import Extraction, FactOperation
from heams.memory.facts.revision import LONGEST_FACT, Revision, revise
from heta_framework.common.text.normalise import normalise

BATCH = [
    MemoryEvent(id="E1", content="one", principal="Ada", at=datetime(2024, 1, 1, tzinfo=UTC)),
    MemoryEvent(id="E2", content="two", principal="Bob", at=datetime(2024, 1, 3, tzinfo=UTC)),
    MemoryEvent(id="note", content="three", principal="Ada", sources=("E7", "E8")),
]
KNOWN = [
    RecalledItem(
        id="fact-1",
        text="Ada lives in Lyon.",
        event_ids=("E0",),
        at=datetime(2023, 1, 1, tzinfo=UTC),
        metadata={"kind": "fact", "principals": ["Ada"]},
    ),
    RecalledItem(id="fact-2", text="Bob sings.", event_ids=("E00",), metadata={"kind": "fact", "principals": ["Bob"]}),
    RecalledItem(id="fact-3", text="Not shown.", event_ids=("E000",), metadata={"kind": "fact"}),
]
SHOWN = KNOWN[:2]


def op(action: str, fact: str = "", target: int | None = None, sources: tuple[int, ...] = (1,)) -> FactOperation:
    return FactOperation.model_validate({"action": action, "fact": fact, "target": target, "sources": sources})


def revised(*operations: FactOperation) -> Revision:
    return revise(operations, BATCH, SHOWN, KNOWN, next_number=10)


def test_a_new_fact_comes_from_its_sources() -> None:
    (fact,) = revised(op("add", "  Ada\n sold her   car. ", sources=(2, 3, 2, 99, 0, -1))).kept
    assert (fact.id, fact.text) == ("fact-10", "Ada sold her car.")
    assert fact.event_ids == ("E2", "E7", "E8")
    assert fact.at == datetime(2024, 1, 3, tzinfo=UTC)
    assert fact.metadata == {"kind": "fact", "principals": ["Bob", "Ada"]}


def test_a_fact_in_other_spelling_is_the_same_fact_from_more_events() -> None:
    revision = revised(op("add", "ada lives in LYON"), op("add", "Bob, sings!", sources=(2,)))
    assert [(fact.id, fact.text, fact.event_ids) for fact in revision.kept] == [
        ("fact-1", "Ada lives in Lyon.", ("E0", "E1")),
        ("fact-2", "Bob sings.", ("E00", "E2")),
    ]
    assert revision.kept[0].at == datetime(2024, 1, 1, tzinfo=UTC)


def test_a_new_fact_that_is_added_twice_is_added_once() -> None:
    (fact,) = revised(op("add", "New."), op("add", "new", sources=(2,))).kept
    assert (fact.id, fact.event_ids) == ("fact-10", ("E1", "E2"))


def test_an_update_keeps_id_and_origin() -> None:
    revision = revised(op("update", "Ada lives in Nice.", target=1, sources=(2,)))
    (fact,) = revision.kept
    assert revision.removed == []
    assert (fact.id, fact.text, fact.event_ids) == ("fact-1", "Ada lives in Nice.", ("E0", "E2"))
    assert fact.metadata["principals"] == ["Ada", "Bob"]


def test_an_update_to_what_another_fact_says_makes_them_one() -> None:
    revision = revised(op("update", "bob sings", target=1))
    (fact,) = revision.kept
    assert revision.removed == ["fact-1"]
    assert (fact.id, fact.text, fact.event_ids) == ("fact-2", "Bob sings.", ("E00", "E0", "E1"))


def test_a_deleted_fact_is_gone_for_the_operations_after_it() -> None:
    revision = revised(op("delete", target=2, sources=()), op("update", "Bob hums.", target=2), op("delete", target=2))
    assert (revision.kept, revision.removed, revision.rejected) == ([], ["fact-2"], 2)


def test_what_was_deleted_can_be_said_anew() -> None:
    revision = revised(op("delete", target=2), op("add", "Bob sings."))
    assert ([fact.id for fact in revision.kept], revision.removed) == (["fact-10"], ["fact-2"])


@pytest.mark.parametrize(
    "operation",
    [
        op("add", ""),
        op("add", " \n "),
        op("add", "?!"),
        op("add", "x" * (LONGEST_FACT + 1)),
        op("add", "No source.", sources=()),
        op("add", "Foreign source.", sources=(4,)),
        op("add", "Foreign source.", sources=(0, -1)),
        op("update", "No target."),
        op("update", "A fact that was not shown.", target=3),
        op("update", "Counted from nothing.", target=0),
        op("update", "Counted from the end.", target=-1),
        op("update", "", target=1),
        op("update", "No source.", target=1, sources=()),
        op("delete"),
        op("delete", target=3),
        op("delete", target=10**30),
    ],
)
def test_what_may_not_be_done_is_rejected(operation: FactOperation) -> None:
    assert revised(operation) == Revision([], [], operations=1, rejected=1)


@pytest.mark.parametrize(
    "text",
    [
        '{"operations": [{"action": "drop", "fact": "x"}]}',
        '{"operations": {}}',
        '{"facts": []}',
        '[{"action": "add"}]',
        '{"operations": [{"action": "add", "fact": "x", "sources": "all"}]}',
        "[]",
        "null",
    ],
)
def test_other_shapes_are_no_replies(text: str) -> None:
    with pytest.raises(ValueError, match="validation error"):
        Extraction.model_validate_json(text)


def test_small_liberties_are_taken_for_what_they_mean() -> None:
    reply = Extraction.model_validate_json(
        '{"operations": [{"action": "add", "fact": "x", "sources": ["2"], "why": 1}]}'
    )
    assert reply.operations == (FactOperation(action="add", fact="x", sources=(2,)),)


_TEXTS = st.sampled_from(
    ["", "a kitten", "A kitten!", "bob sings", "Ada lives in Lyon", "tea", "snow", "?", "x" * 9_000]
)
_OPERATIONS = st.builds(
    FactOperation,
    action=st.sampled_from(["add", "update", "delete"]),
    fact=_TEXTS,
    target=st.none() | st.integers(-2, 5),
    sources=st.lists(st.integers(-2, 5), max_size=3).map(tuple),
)


@given(rounds=st.lists(st.lists(_OPERATIONS, max_size=6), max_size=5))
def test_whatever_a_model_wants_the_facts_stay_in_order(rounds: list[list[FactOperation]]) -> None:
    facts = {fact.id: fact for fact in KNOWN}
    heard, ever = 3, set(facts)
    possible = {"E0", "E00", "E000", "E1", "E2", "E7", "E8"}
    for operations in rounds:
        shown = list(facts.values())[:2]
        revision = revise(operations, BATCH, shown, facts.values(), next_number=heard + 1)
        kept = [fact.id for fact in revision.kept]
        assert len(set(kept)) == len(kept)
        assert not set(kept) & set(revision.removed)
        assert set(revision.removed) <= {fact.id for fact in shown}
        assert not (set(kept) - facts.keys()) & ever
        heard += len(kept)
        ever |= set(kept)
        for fact_id in revision.removed:
            del facts[fact_id]
        facts |= {fact.id: fact for fact in revision.kept}
        said = [normalise(fact.text) for fact in facts.values()]
        assert len(set(said)) == len(said)
        assert all(said)
        for fact in facts.values():
            assert fact.event_ids
            assert set(fact.event_ids) <= possible
            assert len(set(fact.event_ids)) == len(fact.event_ids)
