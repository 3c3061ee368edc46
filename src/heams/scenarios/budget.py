"""Equal budgets: how much of what a memory recalls may reach the agent."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from heams.memory.base import RecalledItem
from heta_framework.common.config import WholeNumber


class RecallBudget(BaseModel):
    """Limits for one recall. None means no limit. ``tokens`` counts with the shipped tokenizer."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    items: WholeNumber | None = Field(default=10, ge=1)
    tokens: WholeNumber | None = Field(default=None, ge=1)

    def __str__(self) -> str:
        parts = [f"{self.items} items"] if self.items is not None else []
        parts += [f"{self.tokens} tokens"] if self.tokens is not None else []
        return " and ".join(parts) or "no limit"


class Admitted(NamedTuple):
    """The items within the budget, each with its length in tokens, and how many were withheld."""

    items: Sequence[RecalledItem]
    tokens: Sequence[int]
    withheld: int


def admit(items: Sequence[RecalledItem], budget: RecallBudget | None, count: Callable[[str], int]) -> Admitted:
    """The longest prefix of ``items`` that fits into ``budget``; everything when ``budget`` is None."""
    kept = items if budget is None or budget.items is None else items[: budget.items]
    lengths = [count(item.text) for item in kept]
    if budget is not None and budget.tokens is not None:
        room = budget.tokens
        for position, length in enumerate(lengths):
            room -= length
            if room < 0:
                kept, lengths = kept[:position], lengths[:position]
                break
    return Admitted(kept, lengths, len(items) - len(kept))
