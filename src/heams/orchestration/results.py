"""What a run saves: one ``RunResult`` per played scenario, one ``IngestRecord`` per history that was heard.

These models are the contract between a run and everything that reads it later (reports, comparison, export). Each
carries a ``schema_version``; a line's identity is (run_id, sample_id, repeat, attempt).
"""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from heams.evaluation.records import EvaluationRecord
from heams.memory.base import ForgetReceipt, MemoryItem
from heams.scenarios.clock import Instant
from heams.scenarios.outcome import StepStatus
from heams.scenarios.usage import UsageByRole

SCHEMA_VERSION = 1
Seconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]
ResultStatus = Literal["completed", "error"]
Isolation = Literal["fork", "read_only", "rebuild", "own"]


class _Saved(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class SavedRecall(_Saved):
    """One recall, column by column: rank is the position. ``texts`` are keys into ``texts.jsonl``.

    ``seconds`` are those of the recall itself; ``waited`` are those before, while the memory was busy with others.
    """

    query: str
    ids: tuple[str, ...]
    scores: tuple[float | None, ...]
    tokens: tuple[int, ...]
    texts: tuple[str, ...]
    withheld: int = 0
    seconds: Seconds = 0.0
    waited: Seconds = 0.0


class SavedWrite(_Saved):
    """A note that the agent saved."""

    id: str
    content: str


class SavedItem(_Saved):
    """An item of the memory. ``text`` is a key into ``texts.jsonl``; ``event_ids`` is None where that is its id."""

    id: str
    text: str
    event_ids: tuple[str, ...] | None = None


class SavedItemChange(_Saved):
    """An item that is another under the same id: keys of both texts (equal where another field differs).

    ``fields`` names what differs: ``text``, ``event_ids``, ``speaker``, ``at``, ``metadata``. ``event_ids`` are those
    after the change.
    """

    id: str
    before: str
    after: str
    fields: tuple[str, ...]
    event_ids: tuple[str, ...] | None = None


class SavedMemoryChange(_Saved):
    """What an action changed in the memory; lists without items are None. What came and went is in two of them.

    ``reason`` says why the memory was not looked into: then the lists say nothing, and a count that is None is unknown.
    ``seconds`` and ``usage`` are those of looking into it, which nothing else contains.
    """

    added: tuple[SavedItem, ...] | None = None
    removed: tuple[SavedItem, ...] | None = None
    changed: tuple[SavedItemChange, ...] | None = None
    items_before: int | None = None
    items_after: int | None = None
    reason: str | None = None
    seconds: Seconds = 0.0
    usage: UsageByRole | None = None


class TranscriptStep(_Saved):
    """One action, as it was given, and what came of it. ``seconds`` do not contain ``waited``.

    ``memory_change`` is None where nothing in the step could change the memory, and where changes were not recorded.
    """

    index: int
    action: Mapping[str, JsonValue]
    status: StepStatus = "ok"
    at: Instant | None = None
    principal: str | None = None
    reply: str | None = None
    reply_metadata: Mapping[str, JsonValue] | None = None
    tool_calls: tuple[Mapping[str, JsonValue], ...] | None = None
    recalls: tuple[SavedRecall, ...] | None = None
    writes: tuple[SavedWrite, ...] | None = None
    receipt: ForgetReceipt | None = None
    dump: tuple[MemoryItem, ...] | None = None
    memory_change: SavedMemoryChange | None = None
    note: str | None = None
    usage: UsageByRole | None = None
    seconds: Seconds = 0.0
    waited: Seconds = 0.0


class ErrorInfo(_Saved):
    """Why a scenario or an ingestion failed.

    ``phase`` is ``ingest``, ``open``, ``step N``, ``close``, ``evaluate`` or ``save``.
    """

    phase: str
    type: str
    message: str


class Timings(_Saved):
    """Seconds per phase of one scenario. ``answer`` includes ``recall``.

    Neither contains what was waited for a busy agent or memory; ``total`` is the time on the clock and does.
    """

    open: Seconds = 0.0
    answer: Seconds = 0.0
    recall: Seconds = 0.0
    evaluate: Seconds = 0.0
    total: Seconds = 0.0


class RunResult(_Saved):
    """One attempt at one scenario. ``transcript`` refers to the shared history by ``history_id``."""

    schema_version: Literal[1] = 1
    run_id: str
    sample_id: str
    repeat: int = 0
    attempt: int = 1
    status: ResultStatus
    experiment: str
    sample_name: str
    history_id: str | None = None
    isolation: Isolation = "own"
    tags: Mapping[str, str] = Field(default_factory=dict)
    transcript: tuple[TranscriptStep, ...] = ()
    records: tuple[EvaluationRecord, ...] = ()
    usage: UsageByRole = Field(default_factory=dict)
    timings: Timings = Timings()
    error: ErrorInfo | None = None
    started_at: Instant
    finished_at: Instant


class IngestRecord(_Saved):
    """One attempt at hearing a shared history. ``restored`` means that a saved state was loaded instead.

    ``tallies`` is what the memory counted while it heard (see ``Memory.tallies``).
    """

    schema_version: Literal[1] = 1
    run_id: str
    history_id: str
    attempt: int = 1
    status: ResultStatus
    ingestion: Literal["direct", "through_agent", "agent_owned"]
    isolation: Isolation
    events: int
    restored: bool = False
    snapshot_id: str | None = None
    usage: UsageByRole = Field(default_factory=dict)
    seconds: Seconds = 0.0
    unsupported: tuple[str, ...] = ()
    tallies: Mapping[str, int] = Field(default_factory=dict)
    error: ErrorInfo | None = None
    started_at: Instant
    finished_at: Instant


class RunStatus(_Saved):
    """``run_status.json``: how far an experiment is. ``finished`` counts durable, final results only."""

    schema_version: Literal[1] = 1
    run_id: str
    name: str
    state: Literal["running", "completed", "interrupted", "failed"]
    total: int
    finished: int
    errors: int
    skipped: int
    limit: int | None = None
    message: str | None = None
    started_at: Instant
    updated_at: Instant
