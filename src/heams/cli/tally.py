"""Running counts of an experiment, as progress displays show them."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from time import monotonic

from heams.orchestration.hearing_progress import HearingProgress
from heams.orchestration.results import IngestRecord, RunResult
from heams.scenarios.usage import Usage


@dataclass(slots=True)
class Tally:
    """What is known of one experiment. Rates count only what was played by this process."""

    name: str
    total: int
    finished_before: int
    began: float = field(default_factory=monotonic)
    played: int = 0
    errors: int = 0
    usage: Usage = field(default_factory=Usage)
    last_error: str | None = None
    hearings: list[HearingProgress] = field(default_factory=list)

    def count(self, result: RunResult, *, final: bool) -> None:
        """Take a durable result into account."""
        self.played += final
        self.errors += final and result.status == "error"
        self._spend(result.usage.values())
        if result.error is not None:
            self.last_error = f"{result.sample_id}: {result.error.phase}: {result.error.type}: {result.error.message}"

    def begin_hearing(self, hearing: HearingProgress) -> None:
        """A history begins to be heard."""
        self.hearings = [*self._open_hearings(), hearing]

    @property
    def hearing_words(self) -> str:
        """Which histories are being heard at the moment, and how far; empty where none is."""
        hearings = self._open_hearings()
        if not hearings:
            return ""
        if hearings[0].doing:
            others = f" and {len(hearings) - 1:,} more" if len(hearings) > 1 else ""
            return f"{hearings[0].doing}{others}"
        heard, events = sum(each.heard for each in hearings), sum(each.events for each in hearings)
        number = f"history {hearings[0].history_id}" if len(hearings) == 1 else f"{len(hearings):,} histories"
        return f"hearing {number}: {heard:,} of {events:,} events"

    def _open_hearings(self) -> list[HearingProgress]:
        return [hearing for hearing in self.hearings if not hearing.ended]

    def hear(self, record: IngestRecord) -> None:
        """Take an ingestion into account."""
        self._spend(record.usage.values())
        if record.error is not None:
            self.last_error = f"history {record.history_id}: {record.error.type}: {record.error.message}"

    @property
    def done(self) -> int:
        """Scenarios with a final result, those from before included."""
        return self.finished_before + self.played

    @property
    def rate(self) -> float:
        """Scenarios per second of this process."""
        elapsed = monotonic() - self.began
        return self.played / elapsed if elapsed > 0 else 0.0

    @property
    def eta_s(self) -> float | None:
        """Seconds until the experiment is done at the present rate; None before there is one."""
        return (self.total - self.done) / self.rate if self.rate > 0 else None

    def _spend(self, parts: Iterable[Usage]) -> None:
        for usage in parts:
            self.usage = self.usage + usage


def shown_time(seconds: float | None) -> str:
    """A duration for people: 12s, 3m05s, 2h10m; a dash when it is not known."""
    if seconds is None:
        return "-"
    whole = round(seconds)
    if whole < 60:
        return f"{whole}s"
    return f"{whole // 60}m{whole % 60:02d}s" if whole < 3600 else f"{whole // 3600}h{whole % 3600 // 60:02d}m"


def shown_tokens(usage: Usage) -> str:
    """Tokens in and out, marked when some are estimates."""
    mark = "~" if usage.estimated else ""
    return f"{mark}{usage.input_tokens + usage.output_tokens:,}"


def shown_cost(usage: Usage) -> str:
    """Money spent, or that a price is not known."""
    return "cost unknown" if usage.cost_usd is None else f"{shown_usd(usage.cost_usd)} spent"


def shown_usd(amount: float) -> str:
    """An amount of money."""
    return f"${amount:.4f}" if amount else "$0"
