"""The configurations of an experiment's components, as they were saved: for reading, and for telling them apart."""

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from heams.reporting.markdown import Markdown, fenced
from heams.reporting.saved import entries, part
from heta_framework.common.config import dump_yaml

if TYPE_CHECKING:
    from heams.reporting.load import ExperimentResults

KINDS = ("agent", "memory_system", "benchmark")
MOST_LINES = 60
MOST_CHARACTERS = 400
STEPS = "steps"
"""The setting of a recipe that is a list of steps, each a name, or a name with settings."""


def configurations(results: "ExperimentResults") -> Markdown:
    """Agent, memory system and benchmark as a block of YAML; what is long is cut, and says so."""
    lines: list[str] = []
    for kind in KINDS:
        block = dump_yaml({kind: _shortened(part(results.config, f"{kind}_config"))}).splitlines()
        lines += block[:MOST_LINES]
        if len(block) > MOST_LINES:
            name = f"experiment_config.{results.run_id}.yaml"
            lines.append(f"  # ... {len(block) - MOST_LINES:,} more lines in {name}")
    return fenced("\n".join(lines), "yaml")


def settings_of(config: Mapping[str, Any], kind: str) -> Iterator[tuple[str, str]]:
    """The settings of a component, nested ones by dotted name; files by what they hold and never by their place."""
    hashes = {
        str(file.get("field")): f"sha256 {str(file.get('sha256'))[:12]}"
        for file in entries(config, "provenance", "data")
        if file.get("component") == kind
    }
    for name, value in _flat(part(config, f"{kind}_config")):
        yield name, hashes.get(name, value)


def _flat(node: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for key, value in node.items():
        steps = _steps(value) if key == STEPS else None
        if steps is not None:
            yield f"{prefix}{key}", ", ".join(steps)
            value = steps
        if isinstance(value, Mapping) and value:
            yield from _flat({one: more for one, more in value.items() if steps is None or more}, f"{prefix}{key}.")
        elif steps is None:
            yield f"{prefix}{key}", json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)


def _steps(value: Any) -> dict[str, Mapping[str, Any]] | None:
    """The steps of a recipe, by name, with the settings that each was given; None where that is something else."""
    found: dict[str, Mapping[str, Any]] = {}
    for step in value if isinstance(value, list) else ():
        named = {step: {}} if isinstance(step, str) else step
        if not isinstance(named, Mapping) or len(named) != 1:
            return None
        ((name, settings),) = named.items()
        if name in found or not isinstance(settings, Mapping):
            return None
        found[name] = settings
    return found or None


def _shortened(value: Any) -> Any:
    """``value`` with long texts cut and everything else unchanged."""
    if isinstance(value, Mapping):
        return {str(key): _shortened(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_shortened(inner) for inner in value]
    if isinstance(value, str) and len(value) > MOST_CHARACTERS:
        return f"{value[:MOST_CHARACTERS]} ... ({len(value):,} characters)"
    return value
