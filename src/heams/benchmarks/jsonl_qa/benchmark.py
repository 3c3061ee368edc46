"""Your own conversations and questions as samples."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from pydantic import JsonValue

from heams.benchmarks.base import BaseBenchmark
from heams.benchmarks.jsonl_qa.config import JsonlQABenchmarkConfig
from heams.benchmarks.jsonl_qa.line_index import LineIndex
from heams.benchmarks.jsonl_qa.rows import HistoryRow, QuestionRow
from heams.benchmarks.lazy_samples import LazySamples
from heams.benchmarks.sample import BenchmarkSample
from heams.benchmarks.skip import SkipReason
from heams.scenarios.actions import HistoryEvent, SessionBoundary, SharedHistory, Turn, UserStimulus
from heta_framework.common.text.prompt_template import fill

_HISTORIES_IN_MEMORY = 4


class JsonlQABenchmark(BaseBenchmark):
    """One sample per question; rows are read when a sample is asked for.

    Raises:
        DatasetFormatError: the file is not in the format.
    """

    skipped: Sequence[SkipReason] = ()

    def __init__(self, config: JsonlQABenchmarkConfig) -> None:
        self.config = config
        self._index = LineIndex(config.data_file, config.limit)
        self._history = lru_cache(maxsize=_HISTORIES_IN_MEMORY)(lambda name: _history_of(self._index.history(name)))
        self._samples = LazySamples(len(self._index), self._sample, self._index.question_id)

    @property
    def samples(self) -> Sequence[BenchmarkSample]:
        return self._samples

    def _sample(self, position: int) -> BenchmarkSample:
        row = self._index.question(position)
        stimulus = UserStimulus(
            content=fill(self.config.question_prompt, question=row.question),
            recall_query=row.question,
            at=row.at,
            step_evaluation_markers=_markers(row),
        )
        return BenchmarkSample(
            id=row.id,
            name=row.question,
            execution_sequence=[stimulus],
            evaluators=self.config.evaluators,
            history=None if row.history is None else self._history(row.history),
            tags=row.tags,
        )


def _markers(row: QuestionRow) -> Mapping[str, JsonValue]:
    answer: JsonValue = list(row.answer) if isinstance(row.answer, tuple) else row.answer
    return {"expected_answer": answer, "evidence": list(row.evidence)}


def _history_of(row: HistoryRow) -> SharedHistory:
    return SharedHistory(id=row.id, events=tuple(_events(row)))


def _events(row: HistoryRow) -> Iterator[HistoryEvent]:
    session: str | None = None
    for turn in row.turns:
        if turn.session_id is not None and turn.session_id != session:
            yield SessionBoundary(session_id=turn.session_id, at=turn.at)
            session = turn.session_id
        yield Turn.model_validate(turn.model_dump())
