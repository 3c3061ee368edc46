"""Which runs an evaluation goes on with: modes that began together go on together, in one pass over the benchmark."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from heams.orchestration.errors import RunRefused
from heams.orchestration.experiment import Experiment
from heams.orchestration.folder import ExperimentFolder, new_run_id
from heams.orchestration.options import RunOptions
from heams.orchestration.provenance import provenance_of
from heams.recipe_evaluation.places import knowledge_base_name
from heams.recipe_evaluation.resolve import RecipeEvaluation
from heta_framework.common.config import ConfigError, load_yaml

_KEY = "evaluation"


@dataclass(frozen=True, slots=True)
class EvaluationRun:
    """Modes that share a run. ``is_new``: nothing is saved of it yet."""

    run_id: str
    experiments: Mapping[str, Experiment]
    is_new: bool


def planned_runs(evaluation: RecipeEvaluation, output_dir: Path, *, new_run: bool) -> list[EvaluationRun]:
    """The runs of the evaluation's modes. A run that others of its modes began with goes on with those as well.

    Raises:
        RunRefused: the configuration differs from that of a run that would be continued, or that is damaged.
    """
    earlier: dict[str, list[str]] = {}
    fresh: list[str] = []
    for mode, experiment in evaluation.experiments.items():
        folder = ExperimentFolder(output_dir, experiment.name)
        run_id = None if new_run else folder.resumable(experiment)
        if run_id is None:
            fresh.append(mode)
        elif run_id not in earlier:
            earlier[run_id] = _modes_of(folder, run_id)
    runs = [_continued(evaluation, output_dir, run_id, modes) for run_id, modes in earlier.items()]
    if fresh:
        runs.append(EvaluationRun(new_run_id(), {mode: evaluation.experiments[mode] for mode in fresh}, is_new=True))
    return runs


def begin(
    run: EvaluationRun, evaluation: RecipeEvaluation, output_dir: Path, options: RunOptions
) -> dict[str, ExperimentFolder]:
    """The folder of each mode, with the configuration of the run in it.

    Raises:
        RunRefused: a folder cannot be written to.
    """
    folders: dict[str, ExperimentFolder] = {}
    besides = {
        _KEY: {
            "modes": list(run.experiments),
            "knowledge_base": knowledge_base_name(evaluation),
            "benchmark": evaluation.made.manifest.key,
        }
    }
    for mode, experiment in run.experiments.items():
        folder = folders[mode] = ExperimentFolder(output_dir, experiment.name)
        provenance = partial(provenance_of, experiment, evaluation.root, options, besides)
        try:
            if run.is_new:
                folder.begin(experiment, provenance, new_run=True, run_id=run.run_id)
        except OSError as cause:
            raise RunRefused(f"cannot write into {folder.path}: {cause.strerror or cause}") from cause
    return folders


def _continued(evaluation: RecipeEvaluation, output_dir: Path, run_id: str, modes: list[str]) -> EvaluationRun:
    experiments = evaluation.with_modes(modes).experiments
    for experiment in experiments.values():
        folder = ExperimentFolder(output_dir, experiment.name)
        if folder.config_file(run_id).is_file() and folder.newest_run_id() == run_id:
            folder.resumable(experiment)
    return EvaluationRun(run_id, experiments, is_new=False)


def _modes_of(folder: ExperimentFolder, run_id: str) -> list[str]:
    """The modes that a run began with, as its configuration tells them."""
    file = folder.config_file(run_id)
    try:
        saved: Any = load_yaml(file, substitute_env=False).data
        modes = [str(mode) for mode in saved["provenance"][_KEY]["modes"]]
    except (ConfigError, LookupError, TypeError) as cause:
        raise RunRefused(
            f"{file}: this saved configuration is damaged, so its run cannot be continued. Use --new-run to begin "
            "another run beside it, or another --output-dir."
        ) from cause
    return modes
