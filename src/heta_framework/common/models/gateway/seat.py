"""A library client's place at the gateway: where it calls, which models answer, and whose calls these are now."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Literal

from heta_framework.common.models.gateway.operation import Operation
from heta_framework.common.models.settings import EmbeddingModelConfig, LanguageModelConfig, RerankModelConfig

SEAT_KEY = "loopback-gateway"
"""The key that libraries are given: they insist on one, and the gateway looks at the token in the path alone."""


@dataclass(frozen=True, slots=True)
class SeatModels:
    """The models behind a seat; ``wordllama`` needs no endpoint: the gateway embeds by itself.

    ``renumber_ids``: give UUIDs in requests the same spelling in every run, for libraries that put ids they drew at
    random into prompts (see ``stable_ids``).
    """

    llm: LanguageModelConfig | None = None
    embedding: EmbeddingModelConfig | Literal["wordllama"] | None = None
    rerank: RerankModelConfig | None = None
    renumber_ids: bool = False


class Seat:
    """Where one library client calls. ``base_url`` ends in ``/v1``; one operation at a time."""

    def __init__(self, base_url: str, models: SeatModels) -> None:
        self.base_url = base_url
        self.api_key = SEAT_KEY
        self.models = models
        self.present: Operation | None = None

    @asynccontextmanager
    async def operation(self) -> AsyncIterator[Operation]:
        """Everything that the library calls inside belongs to the task that entered.

        Raises:
            CallFailed, CostLimitReached, ReplayMiss: a call inside failed, whatever the library made of it: a library
                that swallows the failure of a model would otherwise lose what it was told.
        """
        if self.present is not None:
            raise RuntimeError("a seat serves one operation at a time")
        self.present = operation = Operation()
        try:
            yield operation
        except Exception as error:
            if operation.failure is not None and operation.failure is not error:
                raise operation.failure from error
            raise
        finally:
            operation.end()
            self.present = None
        if operation.failure is not None:
            raise operation.failure
