"""Rules around a memory: what is over goes, what is held stays, and each principal sees what is theirs."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from heams.memory.base import ForgetDemand, Memory, MemoryEvent, MemoryScope, RecallQuery
from heams.memory.factory import MemorySystemConfig, create_memory_system
from heta_framework.common.stores.snapshot import SnapshotError

pytestmark = pytest.mark.anyio
_START = datetime(2026, 1, 1, tzinfo=UTC)
_RETENTION = {
    "rules": [{"category": "payment", "ttl_days": 30}, {"category": "ticket", "ttl_days": 365}],
    "legal_hold": ["contract"],
    "categories": {"payment": ["card", "IBAN"]},
}
_ACCESS = {"roles": {"nurse": ["patient"], "doctor": ["*"]}, "everybody": ["board"]}


def _event(number: int, content: str, *, day: float = 0, speaker: str = "ada", **metadata: Any) -> MemoryEvent:
    return MemoryEvent(
        id=f"e{number}", content=content, speaker=speaker, at=_START + timedelta(days=day), metadata=metadata
    )


_FACTS = [
    _event(1, "My card ends in 4417."),
    _event(2, "Ticket T-88: the screen flickers.", category="ticket"),
    _event(3, "Our contract runs until June.", category="contract"),
    _event(4, "The garden gate is green."),
]


async def _memory(kind: str = "lexical", **rules: Any) -> Memory:
    config: Any = TypeAdapter(MemorySystemConfig).validate_python({"type": kind, **rules})
    system = create_memory_system(config)
    await system.start()
    return await system.open(MemoryScope(id="scope"))


async def _held(memory: Memory) -> list[str]:
    return [item.id for item in await memory.dump()]


@pytest.mark.parametrize("kind", ["lexical", "vector", "hybrid"])
async def test_what_is_over_is_forgotten_the_moment_its_time_is_over(kind: str) -> None:
    memory = await _memory(kind, retention=_RETENTION)
    await memory.write_all(_FACTS)
    await memory.advance(_START + timedelta(days=29))
    assert await _held(memory) == ["e1", "e2", "e3", "e4"]
    await memory.advance(_START + timedelta(days=30))
    assert await _held(memory) == ["e2", "e3", "e4"]
    found = await memory.recall(RecallQuery(text="which card do I have?", limit=5))
    assert "e1" not in [item.id for item in found]
    assert memory.tallies() == {"expired": 1}


async def test_what_is_over_when_it_is_told_is_not_kept() -> None:
    memory = await _memory(retention=_RETENTION)
    await memory.advance(_START + timedelta(days=100))
    await memory.write(_event(1, "My card ended in 4417."))
    await memory.write(_event(2, "My card ends in 9902.", day=90))
    assert await _held(memory) == ["e2"]
    await memory.advance(_START + timedelta(days=120))
    assert await _held(memory) == []


async def test_a_question_asked_late_is_answered_from_what_is_left() -> None:
    memory = await _memory(retention=_RETENTION)
    await memory.write_all(_FACTS)
    asked = RecallQuery(text="card", at=_START + timedelta(days=31))
    assert await memory.recall(asked) == []


async def test_what_is_under_legal_hold_stays_whoever_asks_and_however() -> None:
    memory = await _memory(retention={**_RETENTION, "default_ttl_days": 10})
    await memory.write_all(_FACTS)
    by_id = await memory.forget(ForgetDemand(content="", event_ids=("e3", "e4")))
    assert by_id.removed == ("e4",)
    assert "1 kept under legal hold" in by_id.note
    in_words = await memory.forget(ForgetDemand(content="contract runs until June"))
    assert in_words.removed == ()
    await memory.advance(_START + timedelta(days=9_999))
    assert await _held(memory) == ["e3"]


async def test_what_is_replaced_or_no_longer_needed_is_forgotten() -> None:
    memory = await _memory(retention={})
    await memory.write(_event(1, "My address is 1 Pier Road.", purpose="delivery"))
    await memory.write(_event(2, "My size is M."))
    await memory.write(_event(3, "My size is L now.", supersedes=["e2", "unknown"]))
    assert await _held(memory) == ["e1", "e3"]
    await memory.write(_event(4, "The parcel came.", ends_purpose="delivery"))
    assert await _held(memory) == ["e3", "e4"]


async def test_what_was_made_from_something_is_forgotten_with_it() -> None:
    memory = await _memory(retention={"legal_hold": ["contract"]})
    await memory.write_all(
        [
            _event(1, "My rash itches."),
            _event(2, "Noted: a rash.", speaker="assistant", derived_from=["e1"]),
            _event(3, "In short: skin trouble.", speaker="assistant", derived_from=["e2"]),
            _event(4, "A rash is in the contract.", category="contract", derived_from=["e1"]),
        ]
    )
    receipt = await memory.forget(ForgetDemand(content="", event_ids=("e1",)))
    assert receipt.removed == ("e1", "e2", "e3")
    assert await _held(memory) == ["e4"]


async def test_principals_see_their_own_words_and_what_their_role_opens() -> None:
    memory = await _memory(access=_ACCESS)
    await memory.write_all(
        [
            _event(1, "My rash itches.", speaker="pat", speaker_role="patient"),
            _event(2, "A rash needs ointment, I noted.", speaker="nina", speaker_role="nurse"),
            _event(3, "Rash cases go to room four.", speaker="bo", speaker_role="board"),
            _event(4, "I doubt the rash is an allergy.", speaker="doc", speaker_role="doctor"),
        ]
    )

    async def seen(principal: str, limit: int | None = None) -> set[str]:
        found = await memory.recall(RecallQuery(text="rash", principal=principal, limit=limit))
        return {item.id for item in found}

    assert await seen("pat") == {"e1", "e3"}
    assert await seen("nina") == {"e1", "e2", "e3"}
    assert await seen("doc") == {"e1", "e2", "e3", "e4"}
    assert await seen("stranger") == {"e3"}
    assert len(await seen("stranger", limit=1)) == 1
    assert memory.tallies()["withheld"] > 0


async def test_an_audience_narrows_who_sees_an_event_and_what_was_made_from_it() -> None:
    memory = await _memory(access={"roles": {"nurse": ["patient"], "porter": ["*"]}})
    await memory.write_all(
        [
            _event(1, "Who is who.", speaker="desk", roles={"pat": "patient", "nina": "nurse", "pete": "porter"}),
            _event(2, "My rash itches.", speaker="pat"),
            _event(3, "A rash diary, for Nina.", speaker="pat", audience=["nina"]),
            _event(4, "A rash photo, for nurses.", speaker="pat", audience=["nurse"]),
            _event(5, "Rash summary of the diary.", speaker="bot", audience=["porter"], derived_from=["e3"]),
            _event(6, "A rash of itself.", speaker="bot", derived_from=["e6"]),
        ]
    )

    async def seen(principal: str) -> set[str]:
        return {item.id for item in await memory.recall(RecallQuery(text="rash", principal=principal))}

    assert await seen("pat") == {"e2", "e3", "e4"}
    assert await seen("nina") == {"e2", "e3", "e4"}
    assert await seen("pete") == {"e2"}
    assert await seen("bot") == {"e5", "e6"}
    assert await seen("stranger") == set()


async def test_forks_keep_their_own_books_and_a_restored_memory_its_old_one(tmp_path: Path) -> None:
    memory = await _memory("hybrid", retention=_RETENTION)
    await memory.write_all(_FACTS)
    fork = await memory.fork()
    await fork.advance(_START + timedelta(days=40))
    assert await _held(memory) == ["e1", "e2", "e3", "e4"]
    assert await _held(fork) == ["e2", "e3", "e4"]
    folder = tmp_path / "state"
    folder.mkdir()
    await memory.persist(folder)
    again = await _memory("hybrid", retention=_RETENTION)
    await again.restore(folder)
    await again.advance(_START + timedelta(days=30))
    assert await _held(again) == ["e2", "e3", "e4"]
    (folder / "ledger.snapshot").write_bytes(b"torn")
    with pytest.raises(SnapshotError):
        await again.restore(folder)


async def test_a_system_says_that_it_minds_the_clock_only_where_it_does() -> None:
    def capable(**rules: Any) -> bool:
        config: Any = TypeAdapter(MemorySystemConfig).validate_python({"type": "lexical", **rules})
        return create_memory_system(config).capabilities.clock

    assert not capable()
    assert not capable(access={})
    assert capable(retention={})


def test_a_category_has_one_rule() -> None:
    rules = [{"category": "a", "ttl_days": 1}, {"category": "a", "ttl_days": 2}]
    with pytest.raises(ValidationError, match="'rules' names a more than once"):
        TypeAdapter(MemorySystemConfig).validate_python({"type": "lexical", "retention": {"rules": rules}})


async def test_one_name_in_place_of_a_list_of_names_opens_nothing() -> None:
    memory = await _memory(access={"own": False, "everybody": ["*"]})
    await memory.write_all([_event(1, "The code is 4417.", audience="bob"), _event(2, "A sum.", derived_from="e1")])
    assert await memory.recall(RecallQuery(text="code sum", principal="eve")) == []
    assert len(await memory.recall(RecallQuery(text="code sum", principal="bob"))) == 2


async def test_long_and_wide_lines_of_descent_are_looked_through_once() -> None:
    memory = await _memory(access={"own": False, "everybody": ["*"]})
    chain = [_event(n, f"note {n}", derived_from=[f"e{one}" for one in range(max(0, n - 3), n)]) for n in range(2_000)]
    await memory.write_all(chain)
    assert len(await memory.recall(RecallQuery(text="note", principal="eve"))) == 2_000


async def test_what_was_heard_again_and_made_from_something_later_is_forgotten_with_it() -> None:
    memory = await _memory(retention={})
    await memory.write_all([_event(1, "sum"), _event(2, "part"), _event(3, "source")])
    await memory.write_all([_event(2, "part", derived_from=["e3"]), _event(1, "sum", derived_from=["e2"])])
    await memory.forget(ForgetDemand(content="", event_ids=("e3",)))
    assert await _held(memory) == []


async def test_a_time_beyond_all_clocks_is_for_good() -> None:
    memory = await _memory(retention={"default_ttl_days": 1e300})
    await memory.write(_event(1, "The gate is green."))
    await memory.advance(_START + timedelta(days=9_999))
    assert await _held(memory) == ["e1"]


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"retention": {"default_ttl_days": True}}, "valid number"),
        ({"retention": {"categories": {"a": ["..."]}}}, "must hold a word"),
        ({"screening": {"phrases": ["?!"]}}, "must hold a word"),
    ],
)
def test_rules_that_could_never_apply_are_refused(rules: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        TypeAdapter(MemorySystemConfig).validate_python({"type": "lexical", **rules})
