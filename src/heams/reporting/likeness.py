"""What makes experiments of one comparison unlike each other: other data, budgets, settings, or other n.

Apart from that: which settings tell components of one type from each other, whatever they are called.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from heams.reporting.configurations import STEPS, settings_of
from heams.reporting.digest import Digest
from heams.reporting.figures import count
from heams.reporting.metrics import names
from heams.reporting.part_names import asks_without_agent, budget_name, part_names
from heams.reporting.saved import entries, part
from heams.reporting.wording import budget_of

_SETTINGS = ("repeats", "ingestion", "seed")


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that is not the same for all: each value with the names of the experiments that have it."""

    what: str
    values: Mapping[str, tuple[str, ...]]


def differences(digests: Sequence[Digest]) -> list[Difference]:
    """Everything in which experiments of one table differ besides the components that are compared."""
    facts: dict[str, dict[str, list[str]]] = {}
    for digest in digests:
        for what, value in _facts(digest):
            facts.setdefault(what, {}).setdefault(value, []).append(digest.results.name)
    return [
        Difference(what, {value: tuple(owners) for value, owners in values.items()})
        for what, values in facts.items()
        if len(values) > 1
    ]


def component_differences(digests: Sequence[Digest]) -> list[Difference]:
    """The settings in which agents, or memory systems, of one type differ, each value with the labels that have it."""
    found: list[Difference] = []
    for kind in ("agent", "memory_system"):
        groups: dict[str, list[Digest]] = {}
        for digest in digests:
            groups.setdefault(str(part(digest.results.config, f"{kind}_config").get("type")), []).append(digest)
        for type_name, members in groups.items():
            found += _settings_apart(kind, type_name, members)
    return found


def _settings_apart(kind: str, type_name: str, members: Sequence[Digest]) -> Iterator[Difference]:
    configs = {digest.results.name: digest.results.config for digest in members}
    owners = _owners(kind, members, _settings(kind, configs))
    for setting, found in settings_apart(kind, configs).items():
        values: dict[str, list[str]] = {}
        for experiment, value in found.items():
            values.setdefault(value, []).append(owners[experiment])
        what = f"{_called(kind, type_name, members[0].results.config)}: {setting}"
        yield Difference(what, {value: tuple(dict.fromkeys(names)) for value, names in values.items()})


def settings_apart(kind: str, configs: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, str]]:
    """The settings of a component that are not the same in all saved configurations, each with the value of each."""
    settings = _settings(kind, configs)
    found = {
        setting: {owner: known.get(setting, _lacking(setting, known)) for owner, known in settings.items()}
        for setting in dict.fromkeys(name for known in settings.values() for name in known)
    }
    return {setting: values for setting, values in found.items() if len(set(values.values())) > 1}


def _settings(kind: str, configs: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, str]]:
    return _folded({owner: dict(settings_of(config, kind)) for owner, config in configs.items()})


def _folded(settings: Mapping[str, dict[str, str]]) -> dict[str, dict[str, str]]:
    """A block of settings that some components have and others set to null, as one setting where it is always the same.

    Nested settings have a name each, which would say of every one of them that the others lack it.
    """
    folded = {experiment: dict(known) for experiment, known in settings.items()}
    for block in dict.fromkeys(name for known in settings.values() for name, value in known.items() if value == "null"):
        inside = f"{block}."
        owners = {
            experiment: "; ".join(
                f"{name.removeprefix(inside)}: {value}" for name, value in known.items() if name.startswith(inside)
            )
            for experiment, known in folded.items()
            if block not in known
        }
        if len(set(owners.values()) - {""}) == 1:
            for experiment in (owner for owner, text in owners.items() if text):
                kept = {name: value for name, value in folded[experiment].items() if not name.startswith(inside)}
                folded[experiment] = {**kept, block: owners[experiment]}
    return folded


def _lacking(setting: str, known: Mapping[str, str]) -> str:
    """What it means that a component has no such setting. Only recipes have steps, and settings that were not given."""
    if STEPS not in known:
        return "not saved"
    if not setting.startswith(f"{STEPS}."):
        return "not given"
    return "the default" if setting.split(".")[1] in known[STEPS].split(", ") else "no such step"


def _called(kind: str, type_name: str, config: Mapping[str, Any]) -> str:
    if asks_without_agent(config):
        return str(getattr(part_names(config), kind))
    return f"{kind.replace('_', ' ')} {type_name}"


def _owners(kind: str, members: Sequence[Digest], settings: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """Each experiment's label of the component, or its own name where one label stands for several configurations."""
    by_label: dict[str, list[str]] = {}
    for digest in members:
        by_label.setdefault(getattr(digest.results.labels, kind), []).append(digest.results.name)
    return {
        experiment: label if all(settings[other] == settings[experiments[0]] for other in experiments) else experiment
        for label, experiments in by_label.items()
        for experiment in experiments
    }


def _facts(digest: Digest) -> Iterator[tuple[str, str]]:
    config = digest.results.config
    yield from data_facts(config)
    if digest.bound is None:
        yield budget_name(config), budget_of(digest)
    yield from setting_facts(config)
    for key, value in benchmark_settings(config):
        yield f"benchmark: {key}", value
    yield "limit", "none" if digest.progress.limit is None else f"the first {count(digest.progress.limit)}"
    yield "finished", "every scenario" if digest.progress.complete else "a part of the scenarios"
    name = names(digest.metrics)
    for metric in digest.headline:
        if metric.summary.n:
            yield f"n of {name[metric.evaluator, metric.metric]}", count(metric.summary.n)
    yield "heams", heams_version(config)


def data_facts(config: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What the benchmark's data files hold."""
    for file in entries(config, "provenance", "data"):
        if file.get("component") == "benchmark":
            yield f"data: {file.get('field')}", f"sha256 {str(file.get('sha256'))[:12]}"


def setting_facts(config: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The settings of a run that decide what is asked, and how often."""
    settings = part(config, "settings")
    for key in _SETTINGS:
        if key in settings:
            yield key, str(settings[key])


def heams_version(config: Mapping[str, Any]) -> str:
    """The version that an experiment was run with."""
    return str(part(config, "provenance", "packages").get("heams", "not saved"))


def benchmark_settings(config: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The benchmark's settings except its data files, which are compared by content."""
    benchmark = part(config, "benchmark_config")
    files = {
        str(file.get("field")).partition(".")[0]
        for file in entries(config, "provenance", "data")
        if file.get("component") == "benchmark"
    }
    for key, value in benchmark.items():
        if key not in files:
            yield key, json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
