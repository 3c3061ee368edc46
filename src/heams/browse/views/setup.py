"""What was run: components with their settings, limits, data, versions, as they were saved."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from heams.reporting.configurations import KINDS, settings_of
from heams.reporting.digest import Digest
from heams.reporting.part_names import asks_without_agent, budget_name, part_names
from heams.reporting.saved import entries, part
from heams.reporting.wording import TOKENS, budget_of

_NOT_SAVED = "not saved"
_SETTINGS = (
    ("repeats", "Repeats"),
    ("retries", "Retries"),
    ("seed", "Seed"),
    ("isolation", "Isolation asked for"),
    ("scenario_timeout_s", "Time limit of a scenario, s"),
    ("ingestion_timeout_s", "Time limit of a history, s"),
    ("judging_timeout_s", "Time limit of judging, s"),
)


@dataclass(frozen=True, slots=True)
class Fact:
    """A name and a value, both texts."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Component:
    """An agent, a memory system or a benchmark."""

    kind: str
    label: str
    type: str
    settings: tuple[Fact, ...]


def components(digest: Digest) -> Iterator[Component]:
    """Agent (or query mode), memory system (or recipe), benchmark."""
    config, labels = digest.results.config, digest.results.labels
    words = part_names(config)
    for kind, name in zip(KINDS, (words.agent, words.memory_system, "benchmark"), strict=True):
        saved = part(config, f"{kind}_config")
        settings = tuple(Fact(one, value) for one, value in settings_of(config, kind) if one != "type")
        yield Component(name, getattr(labels, kind), str(saved.get("type", "unknown")), settings)


def setup_facts(digest: Digest) -> Iterator[Fact]:
    """Limits, seeds, versions: what a repetition needs besides the components."""
    config = digest.results.config
    settings = part(config, "settings")
    yield Fact(budget_name(config).capitalize(), budget_of(digest))
    if part(settings, "recall_budget").get("tokens") is not None:
        yield Fact("Tokens", TOKENS)
    if not asks_without_agent(config):
        yield Fact("Ingestion", str(settings.get("ingestion", _NOT_SAVED)))
        yield Fact("Isolation", ", ".join(digest.isolations) or _NOT_SAVED)
    yield from (Fact(words, str(settings[key])) for key, words in _SETTINGS if settings.get(key) is not None)
    if digest.progress.limit is not None:
        yield Fact("Limit", f"the first {digest.progress.limit:,} samples")
    if digest.progress.skipped:
        yield Fact("Records left out", f"{digest.progress.skipped:,}, skipped by the benchmark and in no n")
    yield from _provenance(part(config, "provenance"))
    yield Fact("Run", digest.results.run_id)
    yield Fact("Folder", str(digest.results.directory))


def data_files(config: Mapping[str, Any]) -> Iterator[Fact]:
    """The files of data, each with its content's sha256."""
    for file in entries(config, "provenance", "data"):
        where = f"{str(file.get('component', '')).replace('_', ' ')}, {file.get('field')}"
        yield Fact(where, f"{file.get('path')} · sha256 {file.get('sha256')}")


def _provenance(provenance: Mapping[str, Any]) -> Iterator[Fact]:
    for model in entries(provenance, "models"):
        place = " ".join(str(model.get(key) or "") for key in ("component", "field")).replace("_", " ").strip()
        yield Fact(f"Model ({place})", f"{model.get('model')} at {model.get('base_url') or 'its provider'}")
    calls = part(provenance, "model_calls")
    answered = [name for name in ("cache", "record", "replay") if calls.get(name)]
    if answered:
        yield Fact("Model calls", ", ".join(f"{name}: {calls[name]}" for name in answered))
    versions = [f"{name} {version}" for name, version in part(provenance, "packages").items() if version is not None]
    yield Fact("Versions", ", ".join(versions) or _NOT_SAVED)
    yield Fact("Python", f"{provenance.get('python', _NOT_SAVED)}, {provenance.get('platform', _NOT_SAVED)}")
    if provenance.get("git_commit"):
        yield Fact("Commit", str(provenance["git_commit"]))
