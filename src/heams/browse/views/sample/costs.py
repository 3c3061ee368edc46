"""What a sample took: seconds by phase, tokens and cost by role, and the steps that took most."""

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import nlargest

from heams.browse.queries.played_sample import Attempt
from heams.browse.views.sample.steps import total_usage, type_of
from heams.browse.views.sample.verdicts import title_of
from heams.orchestration.results import RunResult
from heta_framework.common.models.usage import Usage

MOST_STEPS = 20
_SMALLEST = 1e-9


@dataclass(frozen=True, slots=True)
class Phase:
    """Seconds of a phase: from ``start`` on a line that is as long as everything, each as a share of it."""

    name: str
    seconds: float
    start: float
    share: float
    inner: bool = False


@dataclass(frozen=True, slots=True)
class StepCost:
    """What one step took."""

    index: int
    type: str
    title: str
    seconds: float
    waited: float
    usage: Usage | None


@dataclass(frozen=True, slots=True)
class CostsView:
    """``attempts`` are all at this repeat, ``whole`` is the usage of all roles (None where nobody said)."""

    phases: tuple[Phase, ...]
    total: float
    waited: float
    roles: tuple[tuple[str, Usage], ...]
    whole: Usage | None
    steps: tuple[StepCost, ...]
    more_steps: int
    looking: float
    attempts: tuple[Attempt, ...]


def costs(result: RunResult, attempts: Sequence[Attempt]) -> CostsView:
    """What a played sample took."""
    steps = result.transcript
    slowest = nlargest(MOST_STEPS, steps, key=lambda step: step.seconds + step.waited)
    return CostsView(
        phases=tuple(_phases(result)),
        total=result.timings.total,
        waited=sum(step.waited for step in steps),
        roles=tuple(sorted(result.usage.items())),
        whole=total_usage(result.usage),
        steps=tuple(
            StepCost(one.index, type_of(one), title_of(one), one.seconds, one.waited, total_usage(one.usage))
            for one in slowest
        ),
        more_steps=len(steps) - len(slowest),
        looking=sum(step.memory_change.seconds for step in steps if step.memory_change is not None),
        attempts=tuple(one for one in attempts if one.repeat == result.repeat),
    )


def _phases(result: RunResult) -> list[Phase]:
    times = result.timings
    whole = max(times.total, times.open + times.answer + times.evaluate, _SMALLEST)
    rest = max(0.0, times.total - times.open - times.answer - times.evaluate)
    after_open, after_answer = times.open / whole, (times.open + times.answer) / whole
    phases = [
        Phase("opening the memory", times.open, 0.0, times.open / whole),
        Phase("answering", times.answer, after_open, times.answer / whole),
        Phase("of it recalling", times.recall, after_open, times.recall / whole, inner=True),
        Phase("evaluating", times.evaluate, after_answer, times.evaluate / whole),
    ]
    if rest > 0:
        phases.append(Phase("waiting, saving", rest, 1 - rest / whole, rest / whole))
    return phases
