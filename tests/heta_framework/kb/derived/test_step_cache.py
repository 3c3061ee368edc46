"""The step cache: results are found again by what they were made from, and nothing torn is ever used."""

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heta_framework.common.stores.object import LocalObjectStore, MemoryObjectStore
from heta_framework.kb.derived import cache_writer, step_cache
from heta_framework.kb.derived.cache_writer import CacheWriter, torn_pack_issues
from heta_framework.kb.derived.pack_memory import PackMemory, Version
from heta_framework.kb.derived.step_cache import StepCache

pytestmark = pytest.mark.anyio


class CountingStore(MemoryObjectStore):
    """Counts what is read."""

    def __init__(self) -> None:
        super().__init__()
        self.read: list[str] = []

    async def get(self, key: str) -> bytes:
        self.read.append(key)
        return await super().get(key)


def some(start: int, count: int, size: int = 4) -> dict[str, bytes]:
    return {f"key {number}": str(number).encode() * size for number in range(start, start + count)}


async def packs(objects: MemoryObjectStore, cache: StepCache) -> list[str]:
    return [info.key for info in await objects.list(cache.prefix)]


async def test_results_are_found_by_a_later_cache_of_the_same_settings_alone() -> None:
    objects = MemoryObjectStore()
    await StepCache(objects, "embed", "model", 3).put(some(0, 5))
    again = StepCache(objects, "embed", "model", 3)
    assert await again.get(["key 1", "key 9", "key 4"]) == {"key 1": b"1111", "key 4": b"4444"}
    assert await again.missing(["key 9", "key 1", "key 8", "key 9"]) == ["key 9", "key 8"]
    for other in (StepCache(objects, "embed", "model", 4), StepCache(objects, "split", "model", 3)):
        assert await other.get(["key 1"]) == {}


async def test_a_pack_is_read_once_however_many_recipes_share_it() -> None:
    objects = CountingStore()
    await StepCache(objects, "parse", 1).put(some(0, 300))
    for _ in range(5):
        cache = StepCache(objects, "parse", 1)
        assert await cache.missing(some(0, 301)) == ["key 300"]
        assert len(await cache.get(some(0, 300))) == 300
    assert len(objects.read) == 1


@pytest.mark.parametrize("damage", [lambda data: data[:-1], lambda data: data[:50] + b"?" + data[51:], lambda _: b""])
async def test_a_torn_pack_is_deleted_reported_and_made_anew(damage: object) -> None:
    objects = MemoryObjectStore()
    first = StepCache(objects, "parse", 1)
    await first.put(some(0, 300))
    await first.put(some(300, 300))
    await StepCache(objects, "parse", 1).missing([])
    torn, whole = await packs(objects, first)
    await objects.put(torn, damage(await objects.get(torn)))  # type: ignore[operator]
    cache = StepCache(objects, "parse", 1)
    missing = await cache.missing(some(0, 600))
    assert len(missing) == 300
    assert cache.torn == [torn]
    assert await packs(objects, first) == [whole]
    [issue] = torn_pack_issues(cache, "parse_documents")
    assert (issue.code, issue.subject.id) == ("torn_cache_pack", torn)
    await cache.put(dict.fromkeys(missing, b"anew"))
    assert len(await StepCache(objects, "parse", 1).get(some(0, 600))) == 600


async def test_builds_at_the_same_time_keep_what_both_made() -> None:
    objects = MemoryObjectStore()
    one, two = StepCache(objects, "split", 1), StepCache(objects, "split", 1)
    assert await one.missing(["key 0"]) == await two.missing(["key 0"]) == ["key 0"]
    async with anyio.create_task_group() as group:
        group.start_soon(one.put, some(0, 4))
        group.start_soon(two.put, some(2, 4))
    assert len(await StepCache(objects, "split", 1).get(some(0, 6))) == 6


async def test_a_pack_that_another_build_merged_away_counts_as_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(step_cache, "PACKS", PackMemory(1, 1))  # remembers the last pack alone
    objects = MemoryObjectStore()
    await StepCache(objects, "split", 1).put(some(0, 3))
    await StepCache(objects, "split", 1).put(some(3, 3))
    cache = StepCache(objects, "split", 1)
    assert await cache.missing(some(0, 6)) == []
    for key in await packs(objects, cache):
        await objects.delete(key)
    assert len(await cache.get(some(0, 6))) == 3
    assert len(await cache.missing(some(0, 6))) == 3
    assert cache.torn == []


async def test_many_small_updates_do_not_leave_many_small_packs() -> None:
    objects = MemoryObjectStore()
    for number in range(100):
        await StepCache(objects, "embed", 1).put(some(number, 1))
    cache = StepCache(objects, "embed", 1)
    assert len(await packs(objects, cache)) < 16
    assert await cache.get(some(0, 100)) == some(0, 100)


async def test_large_results_are_put_in_several_packs() -> None:
    objects = MemoryObjectStore()
    cache = StepCache(objects, "parse", 1)
    await cache.put({f"k{number}": bytes([number]) * (3 << 20) for number in range(5)})
    assert len(await cache.pack_keys()) == 3
    parts = [set(part) async for part in StepCache(objects, "parse", 1).scan([f"k{number}" for number in range(5)])]
    assert sorted(map(len, parts)) == [1, 2, 2]


async def test_discarded_results_are_in_no_pack() -> None:
    objects = MemoryObjectStore()
    cache = StepCache(objects, "parse", 1)
    await cache.put(some(0, 300))
    await cache.put(some(300, 1))
    await cache.discard(["key 7", "key 300", "unknown"])
    assert await cache.missing(some(0, 301)) == ["key 7", "key 300"]
    again = StepCache(objects, "parse", 1)
    assert await again.missing(some(0, 301)) == ["key 7", "key 300"]
    assert await again.get(some(0, 301)) == {key: value for key, value in some(0, 300).items() if key != "key 7"}


async def test_a_killed_process_loses_no_more_than_what_waits(
    tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    objects = LocalObjectStore(str(tmp_path))
    writer = CacheWriter(StepCache(objects, "parse", 1))
    await writer.add(some(0, 1200))
    assert await StepCache(objects, "parse", 1).missing(some(0, 1200)) == []
    await writer.add(some(2000, 1))
    assert await StepCache(objects, "parse", 1).missing(some(2000, 1)) == ["key 2000"]
    monkeypatch.setattr(cache_writer, "_LONGEST_WAIT_S", 0.0)
    await writer.add(some(2001, 1))
    assert await StepCache(objects, "parse", 1).missing(some(2000, 2)) == []


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 40)), max_size=30))
async def test_what_is_remembered_is_bounded_and_true(puts: list[tuple[int, int]]) -> None:
    memory = PackMemory(most_key_bytes=200, most_record_bytes=2_000)
    for pack, count in puts:
        records = some(pack, count)
        version = Version(count, None)
        memory.keep(f"{pack}", version, records)
        assert memory.records(f"{pack}", version) == records
        assert len(memory.keys(f"{pack}", version) or ()) == count
        assert memory.records(f"{pack}", Version(count + 1, None)) is None or (pack, count + 1) in puts
    assert memory.held_bytes <= 2_000 + 200 + 40 * 200
