"""The experiments to choose from, by benchmark: those that A can be compared with come first."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from heams.benchmarks.info import ReportDimension
from heams.browse.index import Experiment
from heams.reporting.errors import ResultsError
from heta_framework.common.config import ConfigError

_DIMENSIONS = list(ReportDimension)


@dataclass(frozen=True, slots=True)
class Choice:
    """An experiment: its key, and how it is called."""

    key: str
    name: str


@dataclass(frozen=True, slots=True)
class ChoiceGroup:
    """The experiments of one benchmark. ``like`` where A is one of them."""

    title: str
    choices: tuple[Choice, ...]
    like: bool = False

    @property
    def size(self) -> int:
        """How many they are."""
        return len(self.choices)


@dataclass(frozen=True, slots=True)
class _Known:
    order: tuple[int, str, int, str]
    title: str
    choice: Choice


def choices(experiments: Iterable[Experiment], a: str = "") -> Sequence[ChoiceGroup]:
    """All experiments whose configuration can be read, in the order of reports, the benchmark of ``a`` first."""
    groups: dict[str, list[_Known]] = {}
    for known in sorted(_known(experiments), key=lambda one: (one.order, one.choice.name)):
        groups.setdefault(known.title, []).append(known)
    found = [
        ChoiceGroup(title, tuple(one.choice for one in members), any(one.choice.key == a for one in members))
        for title, members in groups.items()
    ]
    return sorted(found, key=lambda group: not group.like)


def _known(experiments: Iterable[Experiment]) -> Iterable[_Known]:
    for one in experiments:
        try:
            yield _choice(one)
        except (ResultsError, ConfigError):
            continue  # the runs page says what is wrong with it


def _choice(experiment: Experiment) -> _Known:
    info, labels = experiment.info, experiment.results.labels
    title = info.name_for(experiment.results.config.get("benchmark_config", {}))
    order = _DIMENSIONS.index(info.dimension), info.section or "", info.order, title
    name = f"{labels.memory_system} · {labels.agent} · {title}"
    usual = experiment.key.startswith(f"{labels.agent}__{labels.memory_system}__")
    return _Known(order, title, Choice(experiment.key, name if usual else f"{name} ({experiment.key})"))
