"""What a result depends on besides its configuration: data, code and machine, saved with every experiment."""

import platform
import subprocess
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from heams.agents.base import Agent
from heams.memory.base import MemorySystem
from heams.orchestration.environment_digests import environment_digests
from heams.orchestration.experiment import Experiment
from heams.orchestration.model_checks import planned_models
from heams.orchestration.options import RunOptions
from heta_framework.common.models.pricing import has_price

PACKAGES = ("heams", "pydantic", "numpy", "tantivy", "wordllama", "nltk", "scipy")
MODEL_PACKAGES = ("pydantic-ai-slim", "openai", "genai-prices")
"""Besides, where models are called: the code that calls them, and the list of their prices."""


def describe(
    experiment: Experiment, root: Path, agent: Agent, system: MemorySystem, options: RunOptions
) -> dict[str, Any]:
    """Provenance of an experiment of an agent: what both parts can do, and all that ``provenance_of`` has."""
    capabilities = {
        "agent_capabilities": agent.capabilities.model_dump(mode="json"),
        "memory_capabilities": system.capabilities.model_dump(mode="json"),
    }
    return provenance_of(experiment, root, options, capabilities)


def provenance_of(
    experiment: Experiment, root: Path, options: RunOptions, besides: Mapping[str, Any]
) -> dict[str, Any]:
    """Provenance of an experiment: data files with sha256, models, versions, git commit, platform, and ``besides``.

    Of values that came from the environment there are digests (see ``environment_digests``).
    """
    environment = environment_digests(experiment)
    models = _models(experiment)
    return {
        "run_name": experiment.run_name,
        "component_files": {component.kind: component.source for component in experiment.components},
        "labels": {component.kind: component.label for component in experiment.components},
        **besides,
        "data": [
            {"component": component.kind, "field": file.field, "path": file.as_written, "sha256": file.sha256}
            for component in experiment.components
            for file in component.files
        ],
        **({"environment": environment.model_dump(exclude_defaults=True)} if environment is not None else {}),
        **({"models": models, "model_calls": _model_calls(options)} if models else {}),
        "packages": dict(_versions((*PACKAGES, *(MODEL_PACKAGES if models else ())))),
        "git_commit": git_commit(root),
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
    }


def _models(experiment: Experiment) -> list[dict[str, Any]]:
    return [
        {
            "component": model.component.kind,
            "field": model.used.field,
            "model": model.endpoint.model_id,
            "base_url": model.address,
            "price_known": has_price(model.endpoint),
        }
        for model in planned_models([experiment])
    ]


def _model_calls(options: RunOptions) -> dict[str, Any]:
    """How calls were answered when the run began; what came from where later is in the usage of every result."""
    files = {"record": options.record, "replay": options.replay}
    return {"cache": options.cache_dir is not None} | {name: file.name for name, file in files.items() if file}


@cache
def git_commit(root: Path) -> str | None:
    """The commit checked out in ``root``, with ``+changes`` where the work tree differs; None outside a repository."""
    head = _git(root, "rev-parse", "HEAD")
    if head is None:
        return None
    return f"{head}+changes" if _git(root, "status", "--porcelain", "--untracked-files=no") else head


def _git(root: Path, *arguments: str) -> str | None:
    try:
        done = subprocess.run(  # noqa: S603 - fixed arguments
            ["git", "-C", str(root), *arguments],  # noqa: S607 - git is looked up like any user's tool
            capture_output=True,
            text=True,
            timeout=10,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def _versions(packages: Iterable[str]) -> Iterable[tuple[str, str | None]]:
    for package in packages:
        try:
            yield package, version(package)
        except PackageNotFoundError:
            yield package, None
