"""The beginning of an experiment's report: what is missing, and what was run."""

from collections.abc import Iterator, Mapping
from typing import Any

from heams.reporting.configurations import configurations
from heams.reporting.digest import Digest
from heams.reporting.figures import count, plural
from heams.reporting.markdown import Markdown, Table, bold, escape, heading, joined
from heams.reporting.part_names import asks_without_agent, budget_name, part_names
from heams.reporting.saved import entries, part
from heams.reporting.wording import REFERENCES, TOKENS, budget_notice, budget_of, damage_notice

_NOT_SAVED = "not saved"
_CASSETTES = {"record": "recorded to", "replay": "replayed from"}


def notices(digest: Digest) -> Iterator[Markdown]:
    """What a reader has to know before the first number."""
    progress = digest.progress
    notice = progress.notice()
    if notice:
        extent = "Incomplete:" if progress.state else "Perhaps incomplete:"
        yield Markdown(f"{bold(extent)} {escape(notice)}. The numbers below are those of what is there.")
    if progress.saved and progress.saved == progress.errors:
        yield Markdown(f"{bold('Every scenario ended in an error:')} the means below are those of errors counted as 0.")
    if digest.damaged:
        yield Markdown(f"{bold('Damaged:')} {escape(damage_notice(digest))}.")
    if progress.mute:
        yield Markdown(
            f"{bold('Missing from every mean:')} {escape(plural(progress.mute, 'scenario'))} ended in an error "
            "without owing any verdict."
        )
    starved = budget_notice(digest)
    if starved:
        yield Markdown(f"{bold('Next to nothing recalled:')} {escape(starved)}.")
    if digest.bound is not None:
        name = escape(digest.results.labels.memory_system)
        yield Markdown(
            f"{bold('A reference, not a competitor:')} {name} ({digest.bound.label}: {digest.bound.why}). {REFERENCES}"
        )


def what_was_run(digest: Digest) -> str:
    """The table of components, settings, data and versions, and the configurations of the components."""
    table = Table("part", "value")
    for name, value in _facts(digest):
        table.add(name, value)
    return f"{heading(2, 'What was run')}\n\n{table}\n\n{configurations(digest.results)}"


def _facts(digest: Digest) -> Iterator[tuple[str, str]]:
    config, progress = digest.results.config, digest.progress
    labels, words = digest.results.labels, part_names(config)
    yield words.agent.capitalize(), _component(labels.agent, digest, "agent")
    yield words.memory_system.capitalize(), _component(labels.memory_system, digest, "memory_system")
    yield "Benchmark", _component(labels.benchmark, digest, "benchmark")
    yield "Scenarios", _scenarios(digest)
    if progress.skipped:
        yield "Records of the data set left out", f"{count(progress.skipped)} (skipped by the benchmark, not in any n)"
    budget = f"{budget_of(digest)}. {TOKENS}" if _counts_tokens(digest) else budget_of(digest)
    yield budget_name(config).capitalize(), budget
    yield from _settings(digest)
    yield from _provenance(digest)


def _counts_tokens(digest: Digest) -> bool:
    return part(digest.results.config, "settings", "recall_budget").get("tokens") is not None


def _component(label: str, digest: Digest, kind: str) -> str:
    saved_type = part(digest.results.config, f"{kind}_config").get("type", "unknown")
    return label if label == saved_type else f"{label} (type {saved_type})"


def _scenarios(digest: Digest) -> str:
    progress = digest.progress
    of_total = f" of {count(progress.total)}" if progress.total is not None else ""
    limited = f", limited to the first {plural(progress.limit, 'sample')}" if progress.limit is not None else ""
    return f"{count(progress.saved)}{of_total} with a result, {plural(progress.errors, 'error')}{limited}"


def _settings(digest: Digest) -> Iterator[tuple[str, str]]:
    settings = part(digest.results.config, "settings")
    if asks_without_agent(digest.results.config):
        yield "Retries", str(settings.get("retries", _NOT_SAVED))
        return
    yield "Ingestion", str(settings.get("ingestion", _NOT_SAVED))
    yield "Isolation", ", ".join(digest.isolations) or _NOT_SAVED
    for name, key in (("Repeats", "repeats"), ("Retries", "retries"), ("Seed", "seed")):
        if key in settings:
            yield name, str(settings[key])


def _provenance(digest: Digest) -> Iterator[tuple[str, str]]:
    provenance = part(digest.results.config, "provenance")
    files = entries(provenance, "data")
    lines = [f"{file.get('field')}: {file.get('path')}, sha256 {file.get('sha256')}" for file in files]
    yield "Data", joined(lines, "<br>") if lines else "no files"
    yield from _models(provenance)
    yield "Run", digest.results.run_id
    packages = part(provenance, "packages")
    versions = ", ".join(f"{name} {version}" for name, version in packages.items() if version is not None)
    yield "Versions", versions or _NOT_SAVED
    yield "Python", f"{provenance.get('python', _NOT_SAVED)}, {provenance.get('platform', 'platform not saved')}"
    if provenance.get("git_commit"):
        yield "Commit", str(provenance["git_commit"])


def _models(provenance: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Which models were called, and who answered when the run began; nothing where none was to be called."""
    models = entries(provenance, "models")
    if not models:
        return
    lines = (
        f"{_model_place(model)}: {model.get('model')} at {model.get('base_url') or 'the endpoint of its provider'}"
        for model in models
    )
    yield "Models", joined(lines, "<br>")
    calls = part(provenance, "model_calls")
    said = [
        *(["with a cache"] if calls.get("cache") else []),
        *(f"{word} {calls[name]}" for name, word in _CASSETTES.items() if calls.get(name)),
    ]
    yield "Model calls, when the run began", ", ".join(said) or "without cache and cassette"


def _model_place(model: Mapping[str, Any]) -> str:
    component, field = str(model.get("component", "unknown")).replace("_", " "), model.get("field")
    return f"{component}, {field}" if field else component
