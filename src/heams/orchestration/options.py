"""How a matrix is run."""

from dataclasses import dataclass
from pathlib import Path

from heams.orchestration.errors import RunRefused


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How a matrix is run; none of this changes what is measured, so a resumed run may have other options.

    ``only`` names experiments. ``cache_dir`` keeps replies of models and answers equal calls from there. ``record``
    writes every call with its reply to a cassette; ``replay`` answers calls from one, so that no model is called.
    ``max_cost_usd`` is what this command may spend on models; what earlier ones spent is not counted.
    """

    max_concurrency: int = 16
    limit: int | None = None
    only: tuple[str, ...] = ()
    new_run: bool = False
    cache_dir: Path | None = None
    record: Path | None = None
    replay: Path | None = None
    max_cost_usd: float | None = None

    def check(self) -> None:
        """Make sure that the options fit together.

        Raises:
            RunRefused: they do not.
        """
        if self.record is not None and self.replay is not None:
            raise RunRefused("record and replay exclude each other: a replayed run makes no calls to record")
        if self.max_cost_usd is not None and not 0 < self.max_cost_usd < float("inf"):
            raise RunRefused(f"max cost is an amount of USD above 0; found {self.max_cost_usd!r}")
