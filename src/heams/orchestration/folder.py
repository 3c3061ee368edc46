"""An experiment's folder: who may write into it, which run it continues, and its small files."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex
from typing import Any

from filelock import FileLock, Timeout

from heams.orchestration.errors import RunRefused
from heams.orchestration.experiment import Experiment
from heams.orchestration.files import replace_file
from heams.orchestration.results import RunStatus
from heams.orchestration.saved_config import changes, saved_config
from heta_framework.common.config import dump_yaml

LOCK = ".lock"
STATUS = "run_status.json"


def new_run_id() -> str:
    """A run id that sorts by the time at which the run began."""
    return f"{datetime.now(UTC):%Y%m%dT%H%M%S%f}"[:-3] + f"Z-{token_hex(3)}"


@contextmanager
def exclusive(output_dir: Path) -> Iterator[None]:
    """Hold an output folder for this process.

    Raises:
        RunRefused: another process is writing into it, or it cannot be written to.
    """
    try:
        output_dir.mkdir(parents=True, exist_ok=True)
        lock = FileLock(output_dir / LOCK)
        lock.acquire(timeout=0)
    except Timeout:
        raise RunRefused(
            f"another heams process is writing into {output_dir}; wait for it, stop it, or choose another --output-dir"
        ) from None
    except OSError as cause:
        raise RunRefused(f"cannot write into the output folder {output_dir}: {cause.strerror or cause}") from None
    try:
        yield
    finally:
        lock.release()


class ExperimentFolder:
    """``<output-dir>/<experiment>/`` of one experiment."""

    def __init__(self, output_dir: Path, name: str) -> None:
        self.path = output_dir / name

    def newest_run_id(self) -> str | None:
        """The run that was begun last; None in a new folder."""
        return max(self.run_ids(), default=None)

    def run_ids(self) -> list[str]:
        """All runs of which this folder holds the configuration."""
        return [
            file.name.removeprefix("experiment_config.").removesuffix(".yaml")
            for file in self.path.glob("experiment_config.*.yaml")
        ]

    def begin(
        self,
        experiment: Experiment,
        provenance: Callable[[], Mapping[str, Any]],
        *,
        new_run: bool,
        run_id: str | None = None,
    ) -> str:
        """Continue the newest run when its configuration is the same, else begin one; return the run id.

        ``provenance`` is asked for only when a run begins. ``run_id`` is the id of a run that begins; by default it is
        a new one.

        Raises:
            RunRefused: the configuration differs from the newest run's, or that is damaged, and ``new_run`` is not set.
        """
        newest = None if new_run else self.resumable(experiment)
        if newest is not None:
            return newest
        self.path.mkdir(parents=True, exist_ok=True)
        run_id = run_id or new_run_id()
        replace_file(self.config_file(run_id), dump_yaml(saved_config(experiment, run_id, provenance())))
        return run_id

    def resumable(self, experiment: Experiment) -> str | None:
        """The run that ``experiment`` would continue; None in a new folder.

        Raises:
            RunRefused: the configuration differs from the newest run's, or that is damaged.
        """
        newest = self.newest_run_id()
        if newest is not None:
            self._check_unchanged(newest, experiment)
        return newest

    def config_file(self, run_id: str) -> Path:
        """Where the configuration of a run is saved."""
        return self.path / f"experiment_config.{run_id}.yaml"

    def read_status(self, run_id: str) -> RunStatus | None:
        """``run_status.json`` as an earlier process of ``run_id`` left it; None where there is none to be read."""
        try:
            status = RunStatus.model_validate_json((self.path / STATUS).read_bytes())
        except (OSError, ValueError):
            return None
        return status if status.run_id == run_id else None

    def write_status(self, status: RunStatus) -> None:
        """Replace ``run_status.json``."""
        replace_file(self.path / STATUS, status.model_dump_json(exclude_none=True, indent=2) + "\n")

    def _check_unchanged(self, run_id: str, experiment: Experiment) -> None:
        difference = changes(self.config_file(run_id), run_id, experiment)
        if difference:
            raise RunRefused(
                f"the configuration of experiment {experiment.name!r} changed since run {run_id} in {self.path}:\n"
                f"{difference}\nUse --new-run to begin another run beside it, or another --output-dir."
            )
