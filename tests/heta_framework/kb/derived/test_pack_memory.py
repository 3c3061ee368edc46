"""What is remembered of packs: under the version that was put, then under the one that a listing shows."""

from __future__ import annotations

from heta_framework.common.stores.object.protocol import ObjectInfo
from heta_framework.kb.derived.pack_memory import PackMemory, Version

_RECORDS = {"a": b"1", "b": b"2"}
_LISTED = Version.of(ObjectInfo("packs/p", 2, None, "tag"))


def test_a_pack_that_was_put_is_known_before_and_after_a_listing_shows_it() -> None:
    memory = PackMemory()
    put = Version.unseen(2)
    prints = memory.keep("packs/p", put, _RECORDS)
    assert memory.seen("packs/p", put) == _RECORDS
    assert memory.seen("packs/p", put) == _RECORDS
    assert memory.seen("packs/p", _LISTED) == _RECORDS
    assert memory.records("packs/p", _LISTED) == _RECORDS
    assert memory.keys("packs/p", _LISTED) == prints
    assert memory.records("packs/p", put) is None


def test_what_was_forgotten_for_lack_of_room_is_read_again() -> None:
    memory = PackMemory(most_record_bytes=1)
    put = Version.unseen(2)
    memory.keep("packs/p", put, _RECORDS)
    memory.keep("packs/q", Version.unseen(2), _RECORDS)
    assert memory.seen("packs/p", put) is None
    assert memory.seen("packs/p", _LISTED) is None


def test_a_pack_of_somebody_else_is_not_known() -> None:
    assert PackMemory().seen("packs/p", _LISTED) is None


def test_what_begins_so_is_let_go_of() -> None:
    memory = PackMemory()
    put = Version.unseen(2)
    memory.keep("packs/p", put, _RECORDS)
    memory.forget("packs/")
    assert memory.seen("packs/p", _LISTED) is None
    assert memory.held_bytes == 0
