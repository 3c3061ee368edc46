"""The pages of the file: planned before the first is written, so that each knows which others it can lead to."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from heams.browse.bundle.choice import Choice, ChosenList, rows_of
from heams.browse.bundle.targets import OF_SCENARIO, TABS, Target, candidates, read
from heams.browse.index import Experiment, Library
from heams.browse.queries import SampleRow
from heams.browse.rendering import links
from heams.reporting.errors import ResultsError
from heams.reporting.metrics import LLM_JUDGE
from heta_framework.common.config import ConfigError

_Page = tuple[Any, ...]
MOST_COMPARED = 8
"""Experiments of a benchmark that are compared, each with each other."""
MOST_PAGES_OF_STEPS = 20
"""Pages of a long transcript, of 100 steps each."""


@dataclass(frozen=True, slots=True)
class Part:
    """A page of the application: its anchor in the file, its address, what it is."""

    name: str
    address: str
    target: Target


@dataclass(frozen=True, slots=True)
class Section:
    """A page of the file: one of the application, and below it the content of those that share its heading."""

    first: Part
    further: tuple[Part, ...] = ()

    @property
    def parts(self) -> tuple[Part, ...]:
        """All of them."""
        return self.first, *self.further


class Contents:
    """All pages, in the order of the file. ``exists`` says whether the application has a page at a path."""

    def __init__(self, library: Library, choices: Mapping[str, Choice], exists: Callable[[str], bool]) -> None:
        self.choices = choices
        self.compared: dict[str, tuple[tuple[str, str], ...]] = {}
        self.compared_all = True
        self._sections: list[Section] = []
        self._by_target: dict[Target, Part] = {}
        self._plan(library, exists)

    def __len__(self) -> int:
        return len(self._sections)

    def __iter__(self) -> Iterator[Section]:
        """Also those that are added meanwhile."""
        place = 0
        while place < len(self._sections):
            yield self._sections[place]
            place += 1

    def find(self, href: str) -> str | None:
        """The anchor that an address of the application becomes; None where the file has no such page."""
        asked = read(href)
        if asked is None:
            return None
        for target in candidates(asked, self._lists):
            part = self._by_target.get(target) or self._more_steps(target)
            if part is not None:
                return f"{part.name}-{asked.fragment}" if _is_sure(part, asked.fragment) else part.name
        return None

    def _lists(self, key: str) -> tuple[ChosenList, ...]:
        choice = self.choices.get(key)
        return choice.lists if choice is not None else ()

    def _plan(self, library: Library, exists: Callable[[str], bool]) -> None:
        for name in ("", "matrix", "compare", "judge", "help"):
            if exists(f"/{name}"):
                self._add((f"/{name}", ("page", name)))
        for experiment in library.experiments:
            self._plan_experiment(self.choices[experiment.key], judged=exists("/judge"))
        if exists("/compare"):
            self._plan_comparisons(library.experiments)

    def _plan_experiment(self, choice: Choice, *, judged: bool) -> None:
        key = choice.key
        self._add((links.run(key), ("run", key)))
        if judged and any(one.metric.startswith(f"{LLM_JUDGE}/") for one in choice.lists):
            self._add((links.judge(key), ("judge", key)))
        for one in choice.lists:
            for page in range(1, one.pages + 1):
                self._add((links.samples(key, **_state(one, page)), ("list", key, one.metric, page)))
        rows = list(rows_of(choice))
        steps = Counter((row.sample, row.repeat) for _, row in rows)
        for one, row in rows:
            self._plan_sample(key, one, row, alone=steps[row.sample, row.repeat] == 1)

    def _plan_sample(self, key: str, list_: ChosenList, row: SampleRow, *, alone: bool) -> None:
        """The parts of a sample become one page; what all steps of a scenario share is a page of its own."""
        known = (key, row.sample)
        verdict = [("verdict", *known, repeat, step) for repeat in (row.repeat, None) for step in (row.step, None)]
        below: list[_Page] = []
        shared: list[_Page] = []
        for tab in TABS[1:]:
            of_scenario = tab in OF_SCENARIO
            ends = (1,) if of_scenario else (row.step, None)
            targets = [(tab, *known, repeat, end) for repeat in (row.repeat, None) for end in ends]
            page = (_address(key, list_, row, tab), *targets)
            (below if alone or not of_scenario else shared).append(page)
        self._add((_address(key, list_, row), *verdict), *below)
        for page in shared:
            self._add(page)

    def _plan_comparisons(self, experiments: Sequence[Experiment]) -> None:
        alike: dict[str, list[str]] = {}
        for experiment in experiments:
            benchmark = _benchmark(experiment)
            if benchmark is not None:
                alike.setdefault(benchmark, []).append(experiment.key)
        for benchmark, keys in alike.items():
            self.compared_all &= len(keys) <= MOST_COMPARED
            pairs = tuple(combinations(keys[:MOST_COMPARED], 2))
            for a, b in pairs:
                self._add((links.compare(a, b), ("compare", *sorted((a, b)))))
            self.compared |= {benchmark: pairs} if pairs else {}

    def _more_steps(self, target: Target) -> Part | None:
        """A further page of a transcript that is in the file: planned when the first page leads to it."""
        if target[0] != "transcript" or not isinstance(target[-1], int) or target[-1] > MOST_PAGES_OF_STEPS:
            return None
        first = self._by_target.get((*target[:-1], 1))
        if first is None:
            return None
        self._add((f"{first.address}&steps={target[-1]}", target))
        return self._by_target[target]

    def _add(self, first: _Page, *below: _Page) -> None:
        """Plan a page unless it is planned already: its address, and what it means; the others go below it."""
        if first[1] in self._by_target:
            return
        name = f"s{len(self._sections)}"
        names = [name, *(f"{name}-{place}" for place in range(len(below)))]
        parts = [Part(one, page[0], page[1]) for one, page in zip(names, (first, *below), strict=True)]
        self._sections.append(Section(parts[0], tuple(parts[1:])))
        for part, page in zip(parts, (first, *below), strict=True):
            for target in page[1:]:
                self._by_target.setdefault(target, part)


def _is_sure(part: Part, fragment: str) -> bool:
    """Whether a page has an anchor: where there is none, the link leads to the page."""
    return part.target[0] == "transcript" and fragment.startswith("step-")


def _address(key: str, list_: ChosenList, row: SampleRow, tab: str = TABS[0]) -> str:
    state = _state(list_) | {"tab": tab if tab != TABS[0] else None}
    verdict = row.place if row.ordinal > 1 and tab == TABS[0] else None
    return links.sample(key, row.sample, row.repeat, row.step, verdict=verdict, **state)


def _state(one: ChosenList, page: int | None = None) -> dict[str, Any]:
    """The state of a list as addresses write it."""
    return {"metric": one.metric, "sort": one.sort, "size": one.size, "page": page if page != 1 else None}


def _benchmark(experiment: Experiment) -> str | None:
    try:
        return experiment.results.labels.benchmark
    except (ResultsError, ConfigError):
        return None  # its own page says why
