"""What the configurations of evaluators have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from pydantic import BaseModel, ConfigDict

if TYPE_CHECKING:
    from heta_framework.evaluation.protocols import BenchmarkEvaluatorProtocol

Made: TypeAlias = "tuple[BenchmarkEvaluatorProtocol, ...]"


class EvaluatorSettings(BaseModel, ABC):
    """One entry under ``evaluators``: one or several evaluators of a type."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    asks_models: ClassVar[bool] = False

    @property
    def required_top_k(self) -> int:
        """How many results the evaluators look at; 0 where that does not matter."""
        return max(getattr(self, "k", ()), default=0)

    @abstractmethod
    def make(self) -> Made:
        """The evaluators.

        Raises:
            ModelSetupError: a model of it has no key, or an extra is not installed.
        """
