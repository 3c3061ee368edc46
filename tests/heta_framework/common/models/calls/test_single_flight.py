"""Equal work at one moment is done once, whoever of those who want it is cancelled."""

import asyncio
import gc

import pytest

from heta_framework.common.models.calls.single_flight import SingleFlight


def test_equal_work_is_done_once_and_one_stands_for_it() -> None:
    done: list[str] = []

    async def work() -> str:
        await asyncio.sleep(0.01)
        done.append("once")
        return "outcome"

    async def main() -> None:
        flights: SingleFlight[str] = SingleFlight()
        landings = await asyncio.gather(*(flights.join("a", work) for _ in range(5)))
        assert [landing.value for landing in landings] == ["outcome"] * 5
        assert sum(landing.first for landing in landings) == 1
        assert all(landing.shared for landing in landings)
        alone = await flights.join("a", work)
        assert (alone.first, alone.shared) == (True, False)

    asyncio.run(main())
    assert done == ["once", "once"]


@pytest.mark.parametrize("cancelled", [0, 1])
def test_cancelling_one_leaves_the_others(cancelled: int) -> None:
    async def main() -> None:
        landed = asyncio.Event()

        async def work() -> str:
            await landed.wait()
            return "outcome"

        flights: SingleFlight[str] = SingleFlight()
        waiting = [asyncio.create_task(flights.join("a", work)) for _ in range(3)]
        await asyncio.sleep(0)
        waiting[cancelled].cancel()
        await asyncio.sleep(0)
        landed.set()
        outcomes = await asyncio.gather(*waiting, return_exceptions=True)
        landings = [outcome for outcome in outcomes if not isinstance(outcome, BaseException)]
        assert len(landings) == 2
        assert sum(landing.first for landing in landings) == 1
        assert waiting[cancelled].cancelled()

    asyncio.run(main())


def test_when_everybody_leaves_the_work_is_cancelled_and_can_begin_anew() -> None:
    ended: list[str] = []

    async def main() -> None:
        async def endless() -> str:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                ended.append("cancelled")
                raise
            return "never"

        async def quick() -> str:
            return "quick"

        flights: SingleFlight[str] = SingleFlight()
        waiting = [asyncio.create_task(flights.join("a", endless)) for _ in range(2)]
        await asyncio.sleep(0.01)
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        assert (await flights.join("a", quick)).value == "quick"

    asyncio.run(main())
    assert ended == ["cancelled"]


def test_a_timeout_of_one_asker_is_its_own() -> None:
    async def main() -> None:
        async def work() -> str:
            await asyncio.sleep(0.05)
            return "outcome"

        async def impatient() -> None:
            async with asyncio.timeout(0.01):
                await flights.join("a", work)

        flights: SingleFlight[str] = SingleFlight()
        one, other = await asyncio.gather(impatient(), flights.join("a", work), return_exceptions=True)
        assert isinstance(one, TimeoutError)
        assert not isinstance(other, BaseException)
        assert (other.value, other.first) == ("outcome", True)

    asyncio.run(main())


def test_an_exception_reaches_everybody_and_leaves_nothing_behind(caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> None:
        async def work() -> str:
            await asyncio.sleep(0)
            raise RuntimeError("broken")

        async def fails_when_cancelled() -> str:
            try:
                await asyncio.sleep(60)
            finally:
                raise RuntimeError("nobody listens")

        flights: SingleFlight[str] = SingleFlight()
        outcomes = await asyncio.gather(*(flights.join("a", work) for _ in range(3)), return_exceptions=True)
        assert [str(outcome) for outcome in outcomes] == ["broken"] * 3
        left = asyncio.create_task(flights.join("b", fails_when_cancelled))
        await asyncio.sleep(0.01)
        left.cancel()
        await asyncio.gather(left, return_exceptions=True)
        await asyncio.sleep(0.01)

    asyncio.run(main())
    gc.collect()
    assert not caplog.records


def test_each_event_loop_flies_for_itself() -> None:
    flights: SingleFlight[int] = SingleFlight()
    numbers = iter(range(10))

    async def work() -> int:
        await asyncio.sleep(0)
        return next(numbers)

    async def main() -> int:
        return (await flights.join("a", work)).value

    assert [asyncio.run(main()) for _ in range(2)] == [0, 1]
