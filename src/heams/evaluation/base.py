"""The protocol of an evaluator, and the registry that finds its class by ``config.type``."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, NamedTuple, TypeVar

from heams.evaluation.records import EvaluationRecord, Outcome
from heams.scenarios.outcome import ScenarioOutcome
from heams.scenarios.scenario import Scenario
from heta_framework.common.models.errors import ModelRequestError


class ExpectedRecord(NamedTuple):
    """A record that a scenario owes: where the scenario fails, it is written with the failure as its outcome."""

    step_index: int | None
    metric: str


class NotJudged(ModelRequestError):  # noqa: N818 - reads as what happened
    """A model could not be reached, so the scenario is to be judged again; ``records`` are what could be said so far.

    Any other error of a model that an evaluator raises is taken alike, with all its records ``unscored``.
    """

    def __init__(self, message: str, records: Sequence[EvaluationRecord]) -> None:
        super().__init__(message)
        self.records = records


class BaseEvaluator(ABC):
    """Judges a scenario's outcome. Built once per configuration and shared by all scenarios, so it keeps no state."""

    type: ClassVar[str]

    def __init__(self, config: Any) -> None:
        self.config = config

    @abstractmethod
    async def evaluate(self, outcome: ScenarioOutcome) -> Sequence[EvaluationRecord]:
        """Records for the whole scenario; in mid-scenario (``Feedback``), where other answers are hidden, for one step.

        Raises:
            NotJudged: a model could not be reached.
        """

    @abstractmethod
    def expected_records(self, scenario: Scenario) -> Sequence[ExpectedRecord]:
        """What ``evaluate`` would return for a scenario that runs to its end."""

    def records_without_verdict(self, scenario: Scenario, outcome: Outcome, reason: str) -> list[EvaluationRecord]:
        """The owed records when there is nothing to judge; denominators stay what they would have been."""
        return [
            EvaluationRecord(
                evaluator=self.type,
                metric=owed.metric,
                step_index=owed.step_index,
                outcome=outcome,
                reason=reason,
                tags=scenario.tags_of(owed.step_index),
            )
            for owed in self.expected_records(scenario)
        ]


EvaluatorClass = TypeVar("EvaluatorClass", bound=type[BaseEvaluator])
_classes: dict[str, type[BaseEvaluator]] = {}


def register_evaluator(type_name: str) -> Callable[[EvaluatorClass], EvaluatorClass]:
    """Class decorator: make an evaluator known under the ``type`` of its config.

    Raises:
        ValueError: another class already has this type.
    """

    def register(cls: EvaluatorClass) -> EvaluatorClass:
        known = _classes.get(type_name)
        if known is not None and known.__qualname__ != cls.__qualname__:
            taken_by = f"{known.__module__}.{known.__qualname__}"
            raise ValueError(f"evaluator type {type_name!r} is already taken by {taken_by}")
        cls.type = type_name
        _classes[type_name] = cls
        return cls

    return register


def registered_evaluators() -> dict[str, type[BaseEvaluator]]:
    """All known evaluator classes by type."""
    return dict(_classes)
