"""MemoryAgentBench as samples: one history per row, heard once in chunks, and one sample per question."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice

from pydantic import JsonValue

from heams.benchmarks.base import BaseBenchmark
from heams.benchmarks.lazy_samples import LazySamples
from heams.benchmarks.memoryagentbench.chunks import history_of
from heams.benchmarks.memoryagentbench.competencies import Competency
from heams.benchmarks.memoryagentbench.config import MemoryAgentBenchBenchmarkConfig
from heams.benchmarks.memoryagentbench.dataset import RowReader, row_name
from heams.benchmarks.memoryagentbench.files import find_files
from heams.benchmarks.memoryagentbench.records import Question
from heams.benchmarks.sample import BenchmarkSample
from heams.benchmarks.skip import SkipReason
from heams.evaluation.markers import EXPECTED_ANSWER
from heams.evaluation.memoryagentbench_movies import read_films
from heams.evaluation.memoryagentbench_qa import FILM_NUMBERS, SOURCE
from heams.evaluation.memoryagentbench_sources import family_of
from heams.evaluation.memoryagentbench_verdicts import ABSTENTION, OUTDATED
from heams.evaluation.nugget import RUBRIC
from heams.scenarios.actions import SharedHistory, UserStimulus
from heta_framework.common.data_files import DatasetFormatError
from heta_framework.common.text.prompt_template import fill

_CONTEXTS_AT_HAND = 2


class MemoryAgentBenchBenchmark(BaseBenchmark):
    """Questions competency by competency, row by row. At most two contexts are held, however many there are.

    Raises:
        DatasetFormatError: the data is not in the format, or nothing of it is left.
    """

    def __init__(self, config: MemoryAgentBenchBenchmarkConfig) -> None:
        self.config = config
        self._files = find_files(config.data_dir, config.competencies)
        self._history = lru_cache(maxsize=_CONTEXTS_AT_HAND)(self._read_history)
        notes: list[SkipReason] = []
        self._questions = list(islice(self._choose(notes), config.limit))
        self.skipped: Sequence[SkipReason] = notes
        if not self._questions:
            reasons = ", ".join(sorted({note.rule for note in notes})) or "no row is of the chosen sources"
            raise DatasetFormatError(config.data_dir, "", f"found no question that can be scored: {reasons}")
        self._samples = LazySamples(len(self._questions), self._sample, lambda position: self._questions[position].id)

    @property
    def samples(self) -> Sequence[BenchmarkSample]:
        return self._samples

    def _choose(self, notes: list[SkipReason]) -> Iterator[Question]:
        films = read_films(self.config.entity_file) if self.config.entity_file else None
        for competency, file in self._files.items():
            reader = RowReader(competency, file, films, notes)
            yield from reader.questions(self.config.sources, self.config.questions_per_context)

    def _sample(self, position: int) -> BenchmarkSample:
        question = self._questions[position]
        family = family_of(question.source)
        prompt = self.config.prompts.of(family)
        stimulus = UserStimulus(
            content=fill(prompt, question=question.text),
            recall_query=question.text,
            at=question.at,
            step_evaluation_markers=_markers(question),
        )
        return BenchmarkSample(
            id=question.id,
            name=question.text,
            execution_sequence=[stimulus],
            evaluators=(*self.config.evaluators, *self.config.evaluators_of.get(family, ())),
            history=self._history(question.competency, question.row),
            tags=_tags(question),
        )

    def _read_history(self, competency: Competency, row: int) -> SharedHistory:
        context = self._files[competency].context(row)
        return history_of(context, self.config.chunk_tokens, row_name(competency, row))


def _markers(question: Question) -> Mapping[str, JsonValue]:
    markers: dict[str, JsonValue] = {
        SOURCE: question.source,
        EXPECTED_ANSWER: list(question.golds),
        FILM_NUMBERS: list(question.film_numbers),
        RUBRIC: list(question.keypoints),
        OUTDATED: list(question.outdated),
        ABSTENTION: question.abstention,
        "question_id": question.published_id,
        "question_type": question.question_type,
    }
    return {name: value for name, value in markers.items() if value}


def _tags(question: Question) -> Mapping[str, str]:
    kind = {"question_type": question.question_type} if question.question_type else {}
    return {"competency": question.competency, "source": question.source, "row": str(question.row + 1), **kind}
