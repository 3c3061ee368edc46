"""One operation of a library's user, to which the calls that the library makes meanwhile belong.

Calls arrive in tasks of the server, which know nothing of the run. So an operation remembers the context in which it
began (the call scope, the runtime), and every call is made in a copy of it.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from contextvars import copy_context

from heta_framework.common.models.calls.call import ModelCall, ModelReply
from heta_framework.common.models.calls.runtime import current_runtime
from heta_framework.common.models.calls.scope import present_epoch

MakeCall = Callable[[str], ModelCall]
"""Builds the call for an epoch."""


class OperationOver(Exception):  # noqa: N818 - reads as what happened
    """A library makes a call that belongs to no operation in progress."""


class Operation:
    """Makes calls in the context in which it was created, and remembers the first that failed.

    After a failure, and after its end, it makes no more calls: a library that tries on would only pay for a result
    that nobody takes.
    """

    def __init__(self) -> None:
        self.failure: Exception | None = None
        self._context = copy_context()
        self._chats: Counter[str] = Counter()
        self._under_way: set[asyncio.Task[ModelReply]] = set()
        self._over = False

    async def ask(self, make_call: MakeCall) -> ModelReply:
        """Send a call down the path.

        Raises:
            CallFailed, CostLimitReached, ReplayMiss: this call failed, or one before it.
            OperationOver: the operation has ended.
        """
        if self._over:
            raise OperationOver("no operation is in progress")
        if self.failure is not None:
            raise self.failure
        task = asyncio.create_task(self._asked(make_call), context=self._context.copy())
        self._under_way.add(task)
        try:
            return await task
        except Exception as failure:
            self.failure = self.failure or failure
            raise
        except asyncio.CancelledError:
            if self._over and task.cancelled():
                raise OperationOver("the operation was given up") from None
            raise
        finally:
            self._under_way.discard(task)

    def end(self) -> None:
        """Refuse further calls and give up those under way."""
        self._over = True
        for task in self._under_way:
            task.cancel()

    async def _asked(self, make_call: MakeCall) -> ModelReply:
        call = make_call(present_epoch())
        if call.kind == "chat":
            # a library repeats a question because the answer was of no use: from a cache it would get the same again
            vote = self._chats[call.request_json]
            self._chats[call.request_json] += 1
            call = make_call(present_epoch(vote))
        return await current_runtime().ask(call)
