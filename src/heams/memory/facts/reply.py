"""What the model replies: operations on facts, or the numbers of facts to forget."""

from typing import Literal

from heams.memory.listening.asking import Reply


class FactOperation(Reply):
    """One operation. ``target`` is the number of a fact that was shown, ``sources`` are numbers of events.

    ``add`` uses ``fact`` and ``sources``, ``update`` all three, ``delete`` only ``target``.
    """

    action: Literal["add", "update", "delete"]
    fact: str = ""
    target: int | None = None
    sources: tuple[int, ...] = ()


class Extraction(Reply):
    """What a batch of events changes; nothing if it holds nothing worth keeping."""

    operations: tuple[FactOperation, ...]


class FactsToForget(Reply):
    """Numbers of the facts that a demand is about; none if it is about none."""

    numbers: tuple[int, ...]
