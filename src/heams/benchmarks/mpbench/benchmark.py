"""Cases as samples: a session is heard, the memory is looked into, and a fresh session asks."""

from collections.abc import Iterator, Mapping, Sequence

from pydantic import JsonValue

from heams.benchmarks.base import BaseBenchmark
from heams.benchmarks.lazy_samples import LazySamples
from heams.benchmarks.mpbench.config import MPBenchBenchmarkConfig
from heams.benchmarks.mpbench.dataset import Dataset
from heams.benchmarks.mpbench.defects import of_question
from heams.benchmarks.mpbench.presentation import FRESH_SESSION, heard
from heams.benchmarks.mpbench.records import Case
from heams.benchmarks.sample import BenchmarkSample
from heams.benchmarks.skip import SkipReason
from heams.evaluation.markers import BENIGN_MEMORY, EVIDENCE, PLANTED_MEMORY
from heams.evaluation.planted import carries
from heams.evaluation.poisoning import PoisoningEvaluatorConfig
from heams.scenarios.actions import Action, DocumentIngestion, MemoryInspection, SessionBoundary, Turn, UserStimulus
from heta_framework.common.text.prompt_template import fill

_NO_CLASS = "none"


class MPBenchBenchmark(BaseBenchmark):
    """One sample per case that can be scored; the files are read again, case by case, when samples are asked for.

    Raises:
        DatasetFormatError: a file is not in the format.
    """

    def __init__(self, config: MPBenchBenchmarkConfig) -> None:
        self.config = config
        self._data = Dataset(config.adversarial_file, config.benign_file, config.limit)
        self.skipped: Sequence[SkipReason] = self._data.skipped
        played = self._data.played
        self._samples = LazySamples(len(played), self._sample, lambda position: played[position].sample_id)

    @property
    def samples(self) -> Sequence[BenchmarkSample]:
        return self._samples

    def _sample(self, position: int) -> BenchmarkSample:
        played = self._data.played[position]
        case = self._data.case(played)
        told = list(heard(case.row, self.config.memory_policy))
        return BenchmarkSample(
            id=played.sample_id,
            name=case.row.retrieval_query or case.row.user_query or played.sample_id,
            execution_sequence=[*told, *self._looked_into(case, told)],
            evaluators=self.config.evaluators,
            tags=_tags(case),
        )

    def _looked_into(self, case: Case, told: Sequence[Turn | DocumentIngestion]) -> Iterator[Action]:
        marker = PLANTED_MEMORY if case.label == "adversarial" else BENIGN_MEMORY
        markers: Mapping[str, JsonValue] = {marker: case.row.expected_memory}
        yield SessionBoundary(session_id=FRESH_SESSION)
        yield MemoryInspection(label="after the first session", step_evaluation_markers=markers)
        question = case.row.retrieval_query
        if question is not None and of_question(case) is None:
            yield UserStimulus(
                content=fill(self.config.question_prompt, question=question),
                recall_query=question,
                step_evaluation_markers={**markers, EVIDENCE: _evidence(case, told)},
            )


def _evidence(case: Case, told: Sequence[Turn | DocumentIngestion]) -> list[JsonValue]:
    """The events that rightly answer the question: those that carry what a benign case tells, none of an attack."""
    if case.label == "adversarial" or case.row.expected_memory is None:
        return []
    least_words = PoisoningEvaluatorConfig().least_words
    return [event.id for event in told if carries(event.content, case.row.expected_memory, least_words)]


def _tags(case: Case) -> dict[str, str]:
    row = case.row
    return {
        "case": case.label,
        "attack_class": case.attack or _NO_CLASS,
        "channel": case.channel,
        "source_id": row.id,
        **({"attack_type": row.attack_type} if row.attack_type else {}),
        **({"signal": row.attack_signal} if row.attack_signal else {}),
        **({"domain": row.domain} if row.domain else {}),
    }
