"""How an experiment's shared histories were heard."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from heams.orchestration.saved_lines import ingest_fields
from heams.reporting.lines import sound_lines
from heams.reporting.saved import part
from heams.reporting.timing import Percentiles
from heta_framework.common.statistics import percentile

if TYPE_CHECKING:
    from heams.reporting.load import ExperimentResults

EXAMPLE_LIMIT = 400


@dataclass(frozen=True, slots=True)
class Failure:
    """Why ingestions failed: the type of error, how often, and the last one's history and message."""

    type: str
    count: int
    example: str
    message: str


@dataclass(slots=True)
class Ingestion:
    """All attempts at hearing histories.

    ``heard`` counts completed attempts and ``restored`` saved states that were loaded instead; ``events`` and
    ``seconds`` are those of heard attempts. ``lost`` are histories of which no attempt succeeded. ``usages`` are the
    saved usages of all attempts. ``tallies`` are what memories counted while they heard.
    """

    histories: set[str] = field(default_factory=set)
    modes: Counter[str] = field(default_factory=Counter)
    isolations: Counter[str] = field(default_factory=Counter)
    heard: int = 0
    restored: int = 0
    failed: int = 0
    events: int = 0
    seconds: list[float] = field(default_factory=list)
    unsupported: Counter[str] = field(default_factory=Counter)
    tallies: Counter[str] = field(default_factory=Counter)
    usages: list[Mapping[str, Any]] = field(default_factory=list)
    failures: dict[str, Failure] = field(default_factory=dict)
    _ready: set[str] = field(default_factory=set)

    @property
    def lost(self) -> set[str]:
        """Histories that were never ready."""
        return self.histories - self._ready

    def latency(self) -> Percentiles:
        """Seconds per heard history."""
        if not self.seconds:
            return Percentiles(0, None, None)
        return Percentiles(len(self.seconds), percentile(self.seconds, 50), percentile(self.seconds, 95))

    def count(self, record: Mapping[str, Any]) -> None:
        """Take a saved record into account."""
        history = str(record["history_id"])
        self.histories.add(history)
        self.modes[str(record.get("ingestion", "unknown"))] += 1
        self.isolations[str(record.get("isolation", "unknown"))] += 1
        self.unsupported.update(str(note) for note in record.get("unsupported") or ())
        self.tallies.update({name: int(number) for name, number in part(record, "tallies").items()})
        self.usages.append(part(record, "usage"))
        if record.get("status") != "completed":
            self._fail(history, part(record, "error"))
            return
        self._ready.add(history)
        if record.get("restored"):
            self.restored += 1
        else:
            self.heard += 1
            self.events += int(record.get("events", 0))
            self.seconds.append(float(record.get("seconds", 0.0)))

    def _fail(self, history: str, error: Mapping[str, Any]) -> None:
        self.failed += 1
        kind = str(error.get("type", "unknown"))
        known = self.failures.get(kind)
        message = str(error.get("message", ""))[:EXAMPLE_LIMIT]
        self.failures[kind] = Failure(kind, (known.count if known else 0) + 1, history, message)


def ingestion_of(results: "ExperimentResults") -> Ingestion:
    """Everything that ``ingests.jsonl`` says about this run."""
    found = Ingestion()
    for record in _records(results):
        found.count(record)
    return found


def _records(results: "ExperimentResults") -> Iterator[Mapping[str, Any]]:
    for _, record in sound_lines(results.directory / "ingests.jsonl", ingest_fields, []):
        if record["run_id"] == results.run_id:
            yield record
