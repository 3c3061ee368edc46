"""The writer task: in order, in batches, honest about failures, and done with what it has when it is left."""

from pathlib import Path

import anyio
import anyio.lowlevel
import pytest

from heta_framework.common.durable_lines import BatchWriter, LineFiles

pytestmark = pytest.mark.anyio


async def test_items_are_written_in_order_and_called_durable_after_the_write() -> None:
    written: list[int] = []
    durable: list[int] = []

    async def write(batch: list[int]) -> None:
        await anyio.lowlevel.checkpoint()
        written.extend(batch)

    async with BatchWriter(write, linger_s=0.001) as writer:
        for number in range(50):
            writer.submit(number, lambda number=number: durable.append(written.count(number)))  # type: ignore[misc]
            if number % 7 == 0:
                await anyio.sleep(0.002)
    assert written == list(range(50))
    assert durable == [1] * 50


async def test_producers_are_held_back_by_weight() -> None:
    gate = anyio.Event()
    sizes: list[int] = []

    async def write(batch: list[int]) -> None:
        sizes.append(len(batch))
        await gate.wait()

    async with BatchWriter(write, linger_s=60, max_waiting=10) as writer:
        writer.submit(1, weight=10)  # enough, so that nobody waits for company
        with anyio.move_on_after(0.05) as too_long:
            await writer.wait_for_room()
        assert too_long.cancelled_caught
        gate.set()
        await writer.wait_for_room()
        writer.submit(2, weight=9)
        await writer.wait_for_room()
    assert sizes == [1, 1]


@pytest.mark.parametrize("who", ["write", "callback"])
async def test_a_failure_is_raised_to_whoever_comes_next(who: str) -> None:
    def refuse() -> None:
        raise KeyError(who)

    async def write(batch: list[int]) -> None:
        if who == "write":
            refuse()

    async with BatchWriter(write, linger_s=0) as writer:
        writer.submit(1, refuse)
        await anyio.sleep(0.02)
        with pytest.raises(KeyError, match=who):
            writer.submit(2)
        with pytest.raises(KeyError, match=who):
            await writer.wait_for_room()
    assert isinstance(writer.failure, KeyError)


async def test_cancelling_the_caller_does_not_cancel_the_write() -> None:
    written: list[int] = []

    async def write(batch: list[int]) -> None:
        await anyio.sleep(0.02)
        written.extend(batch)

    with anyio.CancelScope() as scope:
        async with BatchWriter(write, linger_s=60) as writer:
            writer.submit(1)
            scope.cancel()
            await anyio.sleep(10)
    assert written == [1]


def test_files_are_written_in_their_order_and_made_when_they_are_needed(tmp_path: Path) -> None:
    files = LineFiles(tmp_path, ("texts", "lines", "never"))
    files.append({"lines": [b"a", b"b"], "texts": [b"t"], "never": []})
    files.append({"lines": [b"c"]})
    files.close()
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"texts": b"t\n", "lines": b"a\nb\nc\n"}


def test_a_file_that_refuses_keeps_those_after_it_as_they_were(tmp_path: Path) -> None:
    (tmp_path / "texts").symlink_to("/dev/full")
    files = LineFiles(tmp_path, ("texts", "lines"))
    with pytest.raises(OSError, match="No space left"):
        files.append({"lines": [b"a"], "texts": [b"t"]})
    files.close()
    assert not (tmp_path / "lines").exists()
