"""The answers that were asked for last, so that turning pages or sorting asks for nothing twice."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

Answer = TypeVar("Answer")


class Recent(Generic[Answer]):
    """The last ``most`` answers by their keys. May be called by several threads."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._known: OrderedDict[Hashable, Answer] = OrderedDict()
        self._lock = Lock()

    def of(self, key: Hashable, ask: Callable[[], Answer]) -> Answer:
        """The answer of a key, from ``ask`` where it is not known. Two threads may ask at once: both are right."""
        with self._lock:
            if key in self._known:
                self._known.move_to_end(key)
                return self._known[key]
        answer = ask()
        with self._lock:
            self._known[key] = answer
            while len(self._known) > self._most:
                self._known.popitem(last=False)
        return answer
