"""A resolved experiment: three validated components and the settings under which they meet."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from heams.orchestration.component_types import ComponentKind
from heams.orchestration.run_file import ExperimentSettings
from heams.orchestration.used_models import UsedModel, models_of


@dataclass(frozen=True, slots=True)
class DataFile:
    """A file that a component refers to: the path as written, where it was found, and its content's sha256."""

    field: str
    as_written: str
    path: Path
    sha256: str


@dataclass(frozen=True, slots=True)
class Component:
    """One part of an experiment.

    ``saved`` is the configuration for artifacts: defaults filled in, paths and ``${VARIABLES}`` as written. ``config``
    is the validated model with paths resolved. ``label`` names the component in tables and in names of experiments.
    ``environment`` has what the variables stand for whose values belong to the configuration: no secrets, and none that
    only say where a file is. ``secrets`` are values that must never reach an artifact or a message.
    """

    kind: ComponentKind
    label: str
    source: str
    saved: Mapping[str, Any]
    config: BaseModel
    files: tuple[DataFile, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    secrets: frozenset[str] = field(default=frozenset(), repr=False)

    @property
    def type(self) -> str:
        """The component's ``type``."""
        return str(self.saved["type"])

    @property
    def place(self) -> str:
        """Kind and file, for messages: ``memory system (hybrid.yaml)``; the type where it is written inline."""
        source = f"{self.type}, inline" if self.source == "inline" else self.source
        return f"{self.kind.replace('_', ' ')} ({source})"

    @property
    def models(self) -> list[UsedModel]:
        """The models that the configuration names."""
        return list(models_of(self.config))

    def fingerprint(self) -> dict[str, Any]:
        """What makes two configurations the same: values as written, files by content and never by place.

        What ``${VARIABLES}`` stand for is compared apart (see ``environment_digests``), so that it is never saved.
        """
        return with_hashes(self.saved, {file.field: file.sha256 for file in self.files})


@dataclass(frozen=True, slots=True)
class Experiment:
    """One row of the run matrix."""

    name: str
    run_name: str
    agent: Component
    memory_system: Component
    benchmark: Component
    settings: ExperimentSettings

    @property
    def components(self) -> tuple[Component, Component, Component]:
        """The three parts, in the order agent, memory system, benchmark."""
        return self.agent, self.memory_system, self.benchmark

    def fingerprint(self) -> dict[str, Any]:
        """The content that must not change while a run is resumed."""
        parts = {f"{component.kind}_config": component.fingerprint() for component in self.components}
        return {**parts, "settings": self.settings.model_dump(mode="json")}


def with_hashes(saved: Mapping[str, Any], hashes: Mapping[str, str]) -> dict[str, Any]:
    """A saved configuration with each path (named by its dotted field) replaced by its content's sha256."""
    content = dict(saved)
    for dotted, sha256 in hashes.items():
        _replace(content, dotted.split("."), f"sha256:{sha256}")
    return content


def _replace(content: dict[str, Any], path: list[str], value: str) -> None:
    *parents, last = path
    node: Any = content
    for part in parents:
        child = node[int(part)] if isinstance(node, list) else node[part]
        copy = dict(child) if isinstance(child, Mapping) else list(child)
        node[int(part) if isinstance(node, list) else part] = copy
        node = copy
    node[int(last) if isinstance(node, list) else last] = value
