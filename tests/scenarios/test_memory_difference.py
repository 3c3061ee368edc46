"""The difference between looks into a memory accounts for every item, whatever a memory shows."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heams.memory.base import MemoryItem, RecalledItem
from heams.scenarios.memory_difference import Look, change_over, refuse_what_cannot_be_saved

_ITEMS = st.lists(
    st.builds(MemoryItem, id=st.sampled_from("abc"), text=st.sampled_from(("x", "y")), speaker=st.sampled_from("mn")),
    max_size=6,
)
_LOOKS = st.lists(_ITEMS, min_size=2, max_size=4)


def _look(items: list[MemoryItem]) -> Look:
    return Look(items, len(items))


def _key(item: MemoryItem) -> str:
    return item.model_dump_json()


@given(_LOOKS)
def test_what_was_held_and_what_changed_make_what_is_held(looks: list[list[MemoryItem]]) -> None:
    change = change_over([_look(items) for items in looks])
    gone = [*change.removed, *(pair.before for pair in change.changed)]
    come = [*change.added, *(pair.after for pair in change.changed)]
    after = Counter(map(_key, looks[0]))
    after.update(map(_key, come))
    after.subtract(map(_key, gone))
    assert +after == Counter(map(_key, looks[-1]))
    assert all(count >= 0 for count in after.values())
    assert (change.items_before, change.items_after, change.reason) == (len(looks[0]), len(looks[-1]), None)


@given(_ITEMS, _ITEMS)
def test_over_two_looks_nothing_is_told_twice(before: list[MemoryItem], after: list[MemoryItem]) -> None:
    change = change_over([_look(before), _look(after)])
    assert len(change.added) - len(change.removed) == len(after) - len(before)
    assert len(change.removed) + len(change.changed) <= len(before)
    for pair in change.changed:
        assert pair.before.id == pair.after.id
        assert pair.fields == tuple(
            name for name in ("text", "speaker") if getattr(pair.before, name) != getattr(pair.after, name)
        )


@given(st.lists(st.sampled_from("abcdef"), unique=True), st.randoms(use_true_random=False))
def test_order_is_no_change(ids: list[str], random: Any) -> None:
    items = [MemoryItem(id=one, text=one) for one in ids]
    shuffled = [item.model_copy() for item in items]
    random.shuffle(shuffled)
    change = change_over([_look(items), _look(shuffled)])
    assert (change.added, change.removed, change.changed) == ([], [], [])


def test_a_score_is_no_part_of_an_item() -> None:
    fields: dict[str, Any] = {"id": "a", "text": "x", "metadata": {"n": 1}}
    change = change_over([Look([MemoryItem(**fields)], 1), Look([RecalledItem(**fields, score=0.5)], 1)])
    assert change.changed == []


def test_where_one_look_is_missing_nothing_is_said_but_why_and_how_many() -> None:
    items = [MemoryItem(id="a", text="x")]
    change = change_over([Look(items, 1), Look(None, 900, "too many"), Look([], 0)])
    assert (change.added, change.removed, change.changed) == ([], [], [])
    assert (change.items_before, change.items_after, change.reason) == (1, 0, "too many")


@pytest.mark.parametrize("fields", [{"id": "\ud800"}, {"text": "\ud800"}, {"event_ids": ("\ud800",)}])
def test_half_a_character_is_refused_before_it_reaches_an_artifact(fields: dict[str, Any]) -> None:
    item = MemoryItem.model_construct(**{"id": "a", "text": "x", "event_ids": (), **fields})
    with pytest.raises(ValueError, match="half a character"):
        refuse_what_cannot_be_saved(change_over([Look([], 0), Look([item], 1)]))
