"""Models with open connections: one per configuration and event loop, closed when the loop ends.

Connections belong to the event loop that opened them, while a model object may outlive its loop: a script that calls
``asyncio.run`` twice uses two. What is opened here is closed by the loop itself: each model is held by an asynchronous
generator, and loops close theirs before they end (``loop.shutdown_asyncgens``, which ``asyncio.run`` and ``anyio.run``
call).
"""

import asyncio
from collections.abc import AsyncGenerator, Callable
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from heta_framework.common.models.providers.building import Built


class _Held(NamedTuple):
    model: Any
    keeper: AsyncGenerator[None]


_held: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[object, _Held]] = WeakKeyDictionary()


async def opened(key: object, build: Callable[[], Built]) -> Any:
    """The model of ``key`` in the running loop; built at its first use there."""
    here = _held.setdefault(asyncio.get_running_loop(), {})
    if key not in here:
        built = build()
        keeper = _keeper(built, here, key)
        here[key] = _Held(built.model, keeper)
        await anext(keeper)  # from its first step on the loop knows it; it does not wait, so nobody builds a second one
    return here[key].model


async def close_opened() -> None:
    """Close what is open in the running loop; a later call opens it again."""
    for held in list(_held.get(asyncio.get_running_loop(), {}).values()):
        await held.keeper.aclose()


async def _keeper(built: Built, here: dict[object, _Held], key: object) -> AsyncGenerator[None]:
    try:
        yield
    finally:
        here.pop(key, None)
        await built.close()
