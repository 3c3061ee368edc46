"""What of a memory's changes a run records: the setting ``memory_changes``."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from heta_framework.common.config import WholeNumber

Recording = Literal["off", "on", "all"]


class MemoryChanges(BaseModel):
    """Whether a run looks into the memory before and after what changes it, and into how large a memory.

    ``on`` looks into memories that live in this process, ``all`` also into those of other programs and of agents that
    own their memory, ``off`` into none. A memory of more than ``max_items`` items is not looked into: the step says so.
    A bare word (``memory_changes: off``) stands for ``record``.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    record: Recording = "on"
    max_items: WholeNumber = Field(default=500, ge=0)

    @model_validator(mode="before")
    @classmethod
    def _from_a_word(cls, written: Any) -> Any:
        return {"record": written} if isinstance(written, str) else written
