"""``experiment_config.<run_id>.yaml``: what is saved of an experiment, and whether an experiment still equals it."""

import difflib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from heams.orchestration.environment_digests import EnvironmentDigests, changed_variables
from heams.orchestration.errors import RunRefused
from heams.orchestration.experiment import Experiment, with_hashes
from heams.orchestration.run_file import ExperimentSettings
from heta_framework.common.config import ConfigError, dump_yaml, load_yaml


class _SavedFile(BaseModel):
    component: str
    field: str
    sha256: str


class _Provenance(BaseModel):
    data: list[_SavedFile]
    environment: EnvironmentDigests | None = None


class _Saved(BaseModel):
    """What a resumed run needs of the file; everything else is for readers."""

    agent_config: dict[str, Any]
    memory_system_config: dict[str, Any]
    benchmark_config: dict[str, Any]
    settings: dict[str, Any]
    provenance: _Provenance

    def fingerprint(self) -> dict[str, Any]:
        """What ``Experiment.fingerprint`` gave when the file was written. Raises LookupError or TypeError.

        A setting that an older version did not know has its default now, which is how that version played.
        """
        parts: dict[str, Any] = {}
        for kind in ("agent", "memory_system", "benchmark"):
            hashes = {file.field: file.sha256 for file in self.provenance.data if file.component == kind}
            parts[f"{kind}_config"] = with_hashes(getattr(self, f"{kind}_config"), hashes)
        return {**parts, "settings": {**ExperimentSettings().model_dump(mode="json"), **self.settings}}


def saved_config(experiment: Experiment, run_id: str, provenance: Mapping[str, Any]) -> dict[str, Any]:
    """The content of ``experiment_config.<run_id>.yaml``."""
    return {
        "run_id": run_id,
        "name": experiment.name,
        **{f"{component.kind}_config": dict(component.saved) for component in experiment.components},
        "settings": experiment.settings.model_dump(mode="json"),
        "provenance": dict(provenance),
    }


def changes(file: Path, run_id: str, experiment: Experiment) -> str:
    """How ``experiment`` differs from what was saved in ``file`` when ``run_id`` began; empty where it is the same.

    Raises:
        RunRefused: the file is damaged.
    """
    try:
        saved = _Saved.model_validate(load_yaml(file, substitute_env=False).data)
        before = saved.fingerprint()
    except ConfigError as cause:
        raise _damaged(file, cause.problems[0].message) from None
    except ValidationError as cause:
        error = cause.errors(include_url=False, include_input=False)[0]
        raise _damaged(file, f"{'.'.join(map(str, error['loc']))}: {error['msg']}") from None
    except (LookupError, TypeError, ValueError) as cause:
        raise _damaged(file, f"provenance.data names a field that is not there: {cause}") from None
    return "\n".join([*_difference(before, experiment, run_id), *_variables(saved, experiment, run_id)])


def _difference(before: Mapping[str, Any], experiment: Experiment, run_id: str) -> Iterator[str]:
    now = experiment.fingerprint()
    if before == now:
        return
    yield from difflib.unified_diff(
        dump_yaml(before).splitlines(),
        dump_yaml(now).splitlines(),
        f"{experiment.name}, run {run_id}",
        "now",
        lineterm="",
        n=1,
    )


def _variables(saved: _Saved, experiment: Experiment, run_id: str) -> Iterator[str]:
    if saved.provenance.environment is not None:
        for name in changed_variables(saved.provenance.environment, experiment):
            yield f"environment variable {name} has another value than when run {run_id} began"


def _damaged(file: Path, what: str) -> RunRefused:
    return RunRefused(
        f"{file}: this saved configuration is damaged ({what}), so its run cannot be continued. "
        "Use --new-run to begin another run beside it, or another --output-dir."
    )
