"""Reads saved results: as typed ``RunResult`` objects, and as DuckDB relations.

Only artifacts are read, never a benchmark. Readers see the newest run of each experiment unless told otherwise, and of
each (sample_id, repeat) the last attempt.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import ValidationError
from pydantic_core import from_json

from heams.orchestration.results import IngestRecord, RunResult, RunStatus
from heams.orchestration.saved_histories import history_file
from heams.orchestration.saved_lines import ingest_fields, result_key, saved_text
from heams.reporting.errors import ResultsError
from heams.reporting.figures import plural
from heams.reporting.lines import Damage, sound_lines, validated
from heams.reporting.saved import part
from heta_framework.common.config import load_yaml

if TYPE_CHECKING:
    import duckdb

_MOST_NAMES = 8
_PREFIX, _SUFFIX = "experiment_config.", ".yaml"


@dataclass(frozen=True, slots=True)
class Labels:
    """How an experiment's parts are called in tables."""

    agent: str
    memory_system: str
    benchmark: str


class RecalledText(NamedTuple):
    """A recalled item: its id, the memory's score (None where it gave none), and its text (None where not saved)."""

    id: str
    score: float | None
    text: str | None


class ExperimentResults:
    """The results of one run of one experiment. Iterating gives ``RunResult`` objects, lazily.

    Lines that are no results are skipped by every reader; ``damaged`` names them.
    """

    def __init__(self, directory: Path, run_id: str) -> None:
        self.directory = directory
        self.run_id = run_id

    @property
    def run_ids(self) -> list[str]:
        """All runs of the experiment that were saved, this one among them."""
        return _run_ids(self.directory)

    @property
    def name(self) -> str:
        """The experiment's name."""
        return str(self.config.get("name", self.directory.name))

    @cached_property
    def config(self) -> Mapping[str, Any]:
        """The saved ``experiment_config``."""
        path = self.directory / f"{_PREFIX}{self.run_id}{_SUFFIX}"
        data: Mapping[str, Any] = load_yaml(path, substitute_env=False).data
        if not isinstance(data, Mapping):
            raise ResultsError(f"{path}: expected a mapping, found {type(data).__name__}")
        return data

    @property
    def benchmark_type(self) -> str:
        """``type`` of the benchmark."""
        return str(part(self.config, "benchmark_config").get("type", "unknown"))

    @property
    def labels(self) -> Labels:
        """Names of agent, memory system and benchmark; their types where no label was saved."""
        saved = part(self.config, "provenance", "labels")
        parts = [
            str(saved.get(kind) or part(self.config, f"{kind}_config").get("type", "unknown"))
            for kind in ("agent", "memory_system", "benchmark")
        ]
        return Labels(*parts)

    @cached_property
    def status(self) -> RunStatus | None:
        """``run_status.json`` if it belongs to this run."""
        try:
            status = RunStatus.model_validate_json((self.directory / "run_status.json").read_bytes())
        except (OSError, ValidationError):
            return None
        return status if status.run_id == self.run_id else None

    def __repr__(self) -> str:
        counted = plural(len(self), "result")
        return f"<ExperimentResults {self.directory.name!r}: {counted} of run {self.run_id} in {str(self.directory)!r}>"

    def __iter__(self) -> Iterator[RunResult]:
        path = self.directory / "runs.jsonl"
        if not path.is_file():
            return
        offsets = self._offsets
        with path.open("rb") as file:
            for offset in offsets:
                file.seek(offset)
                yield validated(RunResult, path, file.readline())

    def __len__(self) -> int:
        return len(self._offsets)

    def ingests(self) -> list[IngestRecord]:
        """How the shared histories were heard, in the order in which it happened."""
        path = self.directory / "ingests.jsonl"
        found = sound_lines(path, ingest_fields, [])
        return [validated(IngestRecord, path, line.content) for line, row in found if row["run_id"] == self.run_id]

    @cached_property
    def damaged(self) -> tuple[Damage, ...]:
        """Lines of ``runs.jsonl``, ``ingests.jsonl`` and ``texts.jsonl`` that cannot be read, whichever their run."""
        damage = list(self._scan[1])
        for name, check in (("ingests.jsonl", ingest_fields), ("texts.jsonl", saved_text)):
            for _ in sound_lines(self.directory / name, check, damage):
                pass
        return tuple(damage)

    @property
    def damaged_runs(self) -> frozenset[int]:
        """The numbers of the lines of ``runs.jsonl`` that cannot be read."""
        return frozenset(damage.line for damage in self._scan[1])

    def history(self, history_id: str) -> list[Mapping[str, Any]]:
        """The events of a shared history, as this run heard them: a later run with other data has its own file.

        Raises:
            ResultsError: the history was not saved, or its file is damaged.
        """
        path = history_file(self.directory, history_id, self.run_id)
        if not path.is_file():
            raise ResultsError(f"{path}: no such history")
        try:
            return [from_json(line) for line in path.read_bytes().splitlines()]
        except ValueError as cause:
            raise ResultsError(f"{path}: this history is damaged ({cause})") from None

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """Texts of recalled items by the keys that recalls refer to."""
        path = self.directory / "texts.jsonl"
        return {row["id"]: row["text"] for _, row in sound_lines(path, saved_text, [])}

    def recalled(self, result: RunResult) -> list[RecalledText]:
        """What the memory handed to the agent in one result: every item of every recall, in the order of the recalls.

        Items that the recall budget withheld are not among them; each recall counts these in ``withheld``.
        """
        recalls = [recall for step in result.transcript for recall in step.recalls or ()]
        return [
            RecalledText(item, score, self.texts.get(key))
            for recall in recalls
            for item, score, key in zip(recall.ids, recall.scores, recall.texts, strict=True)
        ]

    @property
    def _offsets(self) -> list[int]:
        return self._scan[0]

    @cached_property
    def _scan(self) -> tuple[list[int], list[Damage]]:
        """Where the last attempt of each (sample_id, repeat) begins, in order of first appearance; damaged lines."""
        damage: list[Damage] = []
        last: dict[tuple[str, int], tuple[int, int]] = {}
        for line, row in sound_lines(self.directory / "runs.jsonl", result_key, damage):
            key, attempt = (row["sample_id"], row["repeat"]), row["attempt"]
            if row["run_id"] == self.run_id and attempt > last.get(key, (0, 0))[0]:
                last[key] = (attempt, line.offset)
        return [offset for _, offset in last.values()], damage


class Results:
    """The results of a run matrix: its experiments, and all their ``RunResult`` objects when iterated."""

    def __init__(self, path: Path, experiments: list[ExperimentResults]) -> None:
        self.path = path
        self.experiments = experiments

    def __repr__(self) -> str:
        names = [experiment.directory.name for experiment in self.experiments[:_MOST_NAMES]]
        if len(self.experiments) > _MOST_NAMES:
            names.append("...")
        counted = f"{plural(len(self.experiments), 'experiment')} ({', '.join(names)}), {plural(len(self), 'result')}"
        return f"<Results {str(self.path)!r}: {counted}>"

    def __iter__(self) -> Iterator[RunResult]:
        for experiment in self.experiments:
            yield from experiment

    def __len__(self) -> int:
        return sum(len(experiment) for experiment in self.experiments)

    def relation(self, connection: "duckdb.DuckDBPyConnection | None" = None) -> "duckdb.DuckDBPyRelation":
        """One row per evaluation record of the last attempts, as a DuckDB relation.

        Columns: experiment, agent, memory_system, benchmark, run_id, sample_id, repeat, attempt, status, history_id,
        seconds, step_index, evaluator, metric, outcome, value, passed, expected, observed, reason, tags (a map).
        """
        from heams.reporting.relation import records_relation

        return records_relation(self.experiments, connection)


def load_results(path: str | Path, *, run_id: str | None = None) -> Results:
    """Open the results below ``path``: an output folder, or the folder of one experiment.

    Raises:
        ResultsError: there are no results there, or none of ``run_id``.
    """
    root = Path(path)
    if not root.is_dir():
        raise ResultsError(f"{root}: no such folder")
    folders = [root] if _run_ids(root) else sorted(entry for entry in root.iterdir() if _may_be_experiment(entry))
    found = [_experiment(folder, run_id) for folder in folders]
    experiments = [experiment for experiment in found if experiment is not None]
    if not experiments:
        wanted = f" of run {run_id}" if run_id else ""
        raise ResultsError(f"{root}: no results{wanted} here; expected <experiment>/experiment_config.<run_id>.yaml")
    return Results(root, experiments)


def _experiment(folder: Path, run_id: str | None) -> ExperimentResults | None:
    run_ids = _run_ids(folder)
    chosen = max(run_ids, default=None) if run_id is None else run_id
    return ExperimentResults(folder, chosen) if chosen in run_ids else None


def _run_ids(folder: Path) -> list[str]:
    return [file.name[len(_PREFIX) : -len(_SUFFIX)] for file in folder.glob(f"{_PREFIX}*{_SUFFIX}")]


def _may_be_experiment(entry: Path) -> bool:
    """Names that begin with ``_`` or ``.`` belong to reports and to the run itself."""
    return entry.is_dir() and not entry.name.startswith(("_", "."))
