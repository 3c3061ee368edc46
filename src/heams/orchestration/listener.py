"""What a run tells whoever watches it. All methods do nothing by default; override what is of interest."""

from collections.abc import Sequence

from heams.orchestration.hearing_progress import HearingProgress
from heams.orchestration.results import IngestRecord, RunResult, RunStatus
from heta_framework.common.models.calls.runtime import ModelRuntime


class RunListener:
    """Receives events on the event loop's thread, in the order in which they happen. Must be quick."""

    def run_started(self, names: Sequence[str]) -> None:
        """A run begins; it will play the experiments of these names in this order."""

    def models_ready(self, runtime: ModelRuntime) -> None:
        """Model calls of the run will go through ``runtime``; what it has spent and what waits may be read any time."""

    def experiment_started(self, name: str, *, total: int, finished: int, run_id: str) -> None:
        """An experiment begins; ``finished`` of its ``total`` scenarios are there from before."""

    def history_started(self, name: str, hearing: HearingProgress) -> None:
        """A shared history begins to be heard; how far that is may be read from ``hearing`` any time."""

    def history_heard(self, name: str, record: IngestRecord) -> None:
        """A shared history was heard, restored, or failed."""

    def result_durable(self, name: str, result: RunResult, *, final: bool) -> None:
        """A line is on the disk. ``final`` is False for an attempt that will be tried again."""

    def experiment_ended(self, name: str, status: RunStatus) -> None:
        """An experiment is complete, interrupted or failed."""

    def note(self, name: str, message: str) -> None:
        """Something the user should know (a half-written line was dropped, labels were left out ...)."""
