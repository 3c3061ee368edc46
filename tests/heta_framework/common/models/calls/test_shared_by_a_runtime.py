"""What a runtime shares is opened once, outlives whoever asked, knows the runtime but no scope, and is closed."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import anyio
import pytest

from heta_framework.common.models.calls.runtime import ModelRuntime, current_runtime
from heta_framework.common.models.calls.scope import active_scope, call_scope

pytestmark = pytest.mark.anyio


class Book:
    """Notes what is opened and closed."""

    def __init__(self, *, fail: int = 0, wait: float = 0.0) -> None:
        self.events: list[str] = []
        self._fail, self._wait = fail, wait

    def opening(self, name: str = "it") -> Callable[[], AbstractAsyncContextManager[str]]:
        @asynccontextmanager
        async def open_it() -> AsyncIterator[str]:
            await asyncio.sleep(self._wait)
            if self._fail:
                self._fail -= 1
                raise OSError("cannot be opened")
            async with anyio.create_task_group():  # must be left by the task that entered
                self.events.append(f"open {name}")
                try:
                    yield name
                finally:
                    self.events.append(f"close {name}")

        return open_it


async def test_it_is_opened_once_for_all_and_closed_once() -> None:
    runtime, book = ModelRuntime(), Book(wait=0.01)
    assert await asyncio.gather(*[runtime.shared("a", book.opening()) for _ in range(5)]) == ["it"] * 5
    assert book.events == ["open it"]
    await runtime.aclose()
    await runtime.aclose()
    assert book.events == ["open it", "close it"]


async def test_the_last_opened_is_closed_first() -> None:
    runtime, book = ModelRuntime(), Book()
    for name in "abc":
        await runtime.shared(name, book.opening(name))
    await runtime.aclose()
    assert book.events[3:] == ["close c", "close b", "close a"]


async def test_whoever_asked_first_may_be_cancelled() -> None:
    runtime, book = ModelRuntime(), Book(wait=0.05)
    first = asyncio.create_task(runtime.shared("a", book.opening()))
    await asyncio.sleep(0)
    second = asyncio.create_task(runtime.shared("a", book.opening()))
    await asyncio.sleep(0)
    first.cancel()
    assert await second == "it"
    assert book.events == ["open it"]
    await runtime.aclose()


async def test_inside_the_runtime_is_present_and_no_scope_is_active() -> None:
    runtime = ModelRuntime()

    @asynccontextmanager
    async def look() -> AsyncIterator[tuple[object, object]]:
        yield current_runtime(), active_scope()

    with call_scope():
        assert await runtime.shared("look", look) == (runtime, None)
    await runtime.aclose()


async def test_what_cannot_be_opened_raises_for_all_and_is_tried_again() -> None:
    runtime, book = ModelRuntime(), Book(fail=1, wait=0.01)
    asked = [runtime.shared("a", book.opening()) for _ in range(2)]
    errors = await asyncio.gather(*asked, return_exceptions=True)
    assert [str(error) for error in errors] == ["cannot be opened"] * 2
    assert await runtime.shared("a", book.opening()) == "it"
    await runtime.aclose()


async def test_an_error_of_closing_is_raised_after_all_are_closed() -> None:
    runtime, book = ModelRuntime(), Book()

    @asynccontextmanager
    async def brittle() -> AsyncIterator[None]:
        yield
        raise OSError("cannot be closed")

    await runtime.shared("a", book.opening())
    await runtime.shared("b", brittle)
    with pytest.raises(OSError, match="cannot be closed"):
        await runtime.aclose()
    assert book.events == ["open it", "close it"]


async def test_in_another_event_loop_it_is_opened_again() -> None:
    runtime, book = ModelRuntime(), Book()

    async def use() -> None:
        await runtime.shared("a", book.opening())

    await asyncio.to_thread(asyncio.run, use())
    await runtime.shared("a", book.opening())
    assert book.events == ["open it", "close it", "open it"]
    await runtime.aclose()
