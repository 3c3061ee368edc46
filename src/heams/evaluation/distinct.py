"""No two evaluators of a benchmark may give the same metric: their verdicts would be counted together."""

from collections.abc import Sequence
from typing import Protocol, TypeVar, runtime_checkable


@runtime_checkable
class NamesMetrics(Protocol):
    """A configuration of an evaluator that knows which metrics it gives."""

    type: str

    @property
    def metrics(self) -> tuple[str, ...]:
        """The names of the metrics, each once."""
        ...


Evaluators = TypeVar("Evaluators", bound=Sequence[object])


def distinct_metrics(evaluators: Evaluators) -> Evaluators:
    """``evaluators`` as they are, for use as a validator; configurations that do not name metrics are left alone.

    Raises:
        ValueError: two of them give the same metric of the same evaluator.
    """
    first: dict[tuple[str, str], int] = {}
    for position, config in enumerate(evaluators, start=1):
        if not isinstance(config, NamesMetrics):
            continue
        for metric in config.metrics:
            earlier = first.setdefault((config.type, metric), position)
            if earlier != position:
                raise ValueError(
                    f"evaluators {earlier} and {position} of the list both give the metric {metric!r} of "
                    f"{config.type!r}; keep one of them"
                )
    return evaluators
