"""From a run file to experiments: find component files, have them validated, expand the matrix."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import Any

from heams.orchestration.component_types import CONFIG_FOLDERS, KINDS, ComponentKind
from heams.orchestration.configured import configured
from heams.orchestration.data_hints import data_hints
from heams.orchestration.experiment import Component, Experiment
from heams.orchestration.naming import distinct_labels, joined_name
from heams.orchestration.other_files import refuse_other_files, refuse_retrieval_benchmarks
from heams.orchestration.run_file import ExperimentEntry, ExperimentSettings, Matrix, RunFile
from heta_framework.common.config import (
    ConfigError,
    ConfigProblem,
    YamlDocument,
    load_yaml,
    mapping_document,
    nearest,
    project_root,
    validate,
)

_MATRIX_FIELDS: dict[ComponentKind, str] = {
    "agent": "agents",
    "memory_system": "memory_systems",
    "benchmark": "benchmarks",
}


@dataclass(frozen=True, slots=True)
class ResolvedRun:
    """A run file with everything it names. ``root`` is the project root against which paths were resolved."""

    run_name: str
    root: Path
    experiments: tuple[Experiment, ...]


def resolve_run_file(path: Path, *, env: Mapping[str, str] | None = None) -> ResolvedRun:
    """Load and resolve a run file.

    Raises:
        ConfigError: with every problem found in the run file and its component files.
    """
    with data_hints():
        return _resolve(load_yaml(path, env=env), project_root(path), env)


def resolve_run_mapping(
    data: Mapping[str, Any], *, root: Path | None = None, env: Mapping[str, str] | None = None
) -> ResolvedRun:
    """Resolve a run given as a mapping; component files and paths are looked up from ``root`` (default: here).

    Raises:
        ConfigError: with every problem found.
    """
    with data_hints():
        return _resolve(mapping_document(data, env=env), (root or Path.cwd()).resolve(), env)


def _resolve(document: YamlDocument, root: Path, env: Mapping[str, str] | None) -> ResolvedRun:
    refuse_other_files(document)
    run = validate(document, RunFile)
    resolver = _Resolver(root=root, env=env, run=run)
    experiments = [*resolver.listed(document), *resolver.matrix(document)]
    resolver.check_names(document, experiments)
    if resolver.problems:
        raise ConfigError(resolver.problems)
    return ResolvedRun(run.run_name, root, tuple(experiments))


@dataclass
class _Resolver:
    root: Path
    run: RunFile
    env: Mapping[str, str] | None = None
    problems: list[ConfigProblem] = field(default_factory=list)
    _loaded: dict[tuple[ComponentKind, str], Component | None] = field(default_factory=dict)

    def listed(self, document: YamlDocument) -> Iterator[Experiment]:
        """The experiments that the run file lists one by one."""
        for index, entry in enumerate(self.run.experiments):
            parts = [self._part(document, index, entry, kind) for kind in KINDS]
            yield from self._experiment(entry.name, parts, entry.over(self._defaults()))

    def matrix(self, document: YamlDocument) -> Iterator[Experiment]:
        """The experiments of the ``matrix`` block, benchmarks outermost."""
        matrix = self.run.matrix
        if matrix is None:
            return
        axes = {kind: self._axis(document, matrix, kind) for kind in KINDS}
        settings = matrix.over(self._defaults())
        for benchmark, agent, memory in product(axes["benchmark"], axes["agent"], axes["memory_system"]):
            labels = [part.label for part in (agent, memory, benchmark) if part is not None]
            yield from self._experiment(joined_name(labels), [agent, memory, benchmark], settings)

    def check_names(self, document: YamlDocument, experiments: list[Experiment]) -> None:
        """Two experiments of one name would write into one folder."""
        seen: set[str] = set()
        for experiment in experiments:
            folded = experiment.name.casefold()
            if folded in seen:
                self._problem(document, (), f"two experiments are named {experiment.name!r}; names must differ")
            seen.add(folded)

    def _defaults(self) -> ExperimentSettings:
        return self.run.defaults.over(ExperimentSettings())

    def _experiment(
        self, name: str, parts: list[Component | None], settings: ExperimentSettings
    ) -> Iterator[Experiment]:
        agent, memory, benchmark = parts
        if agent is not None and memory is not None and benchmark is not None:
            yield Experiment(name, self.run.run_name, agent, memory, benchmark, settings)

    def _part(
        self, document: YamlDocument, index: int, entry: ExperimentEntry, kind: ComponentKind
    ) -> Component | None:
        file = getattr(entry, f"{kind}_config_file")
        if file is not None:
            return self._from_file(document, ("experiments", index, f"{kind}_config_file"), kind, file)
        return self._inline(document.sub(("experiments", index, f"{kind}_config")), kind)

    def _axis(self, document: YamlDocument, matrix: Matrix, kind: ComponentKind) -> list[Component | None]:
        axis = _MATRIX_FIELDS[kind]
        parts: list[Component | None] = []
        for index, entry in enumerate(getattr(matrix, axis)):
            loc = ("matrix", axis, index)
            is_file = isinstance(entry, str)
            parts.append(
                self._from_file(document, loc, kind, entry) if is_file else self._inline(document.sub(loc), kind)
            )
        labels = distinct_labels([part.label if part is not None else None for part in parts])
        return [
            part if part is None or label is None else replace(part, label=label)
            for part, label in zip(parts, labels, strict=True)
        ]

    def _from_file(
        self, document: YamlDocument, loc: tuple[str | int, ...], kind: ComponentKind, name: str
    ) -> Component | None:
        key = (kind, name)
        if key not in self._loaded:
            self._loaded[key] = self._load(document, loc, kind, name)
        return self._loaded[key]

    def _load(
        self, document: YamlDocument, loc: tuple[str | int, ...], kind: ComponentKind, name: str
    ) -> Component | None:
        folder = self.root / "configs" / CONFIG_FOLDERS[kind]
        path = folder / name
        if not _is_file(path):
            files = [str(file.relative_to(folder)) for file in sorted(folder.rglob("*.y*ml"))]
            near = nearest(name, files)
            hint = f"did you mean {near!r}?" if near else f"there is: {', '.join(files[:20]) or 'nothing'}"
            self._problem(document, loc, f"no file {name!r} in configs/{CONFIG_FOLDERS[kind]}/", hint)
            return None
        try:
            return self._configured(load_yaml(path, env=self.env), kind, label=Path(name).stem, source=name)
        except ConfigError as error:
            self.problems.extend(error.problems)
            return None

    def _inline(self, document: YamlDocument, kind: ComponentKind) -> Component | None:
        try:
            return self._configured(document, kind, label=str(document.data.get("type", kind)), source="inline")
        except ConfigError as error:
            self.problems.extend(error.problems)
            return None

    def _configured(self, document: YamlDocument, kind: ComponentKind, *, label: str, source: str) -> Component:
        if kind == "benchmark":
            refuse_retrieval_benchmarks(document)
        return configured(document, kind, label=label, source=source, root=self.root, env=self.env)

    def _problem(
        self, document: YamlDocument, loc: tuple[str | int, ...], message: str, hint: str | None = None
    ) -> None:
        problem = document.problem(loc, message, hint)
        if problem not in self.problems:
            self.problems.append(problem)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a name that no file can have
        return False
