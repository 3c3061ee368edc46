"""LongMemEval as samples: each question with its own history."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from pydantic import BaseModel, JsonValue

from heams.benchmarks.base import BaseBenchmark
from heams.benchmarks.lazy_samples import LazySamples
from heams.benchmarks.longmemeval.config import LongMemEvalBenchmarkConfig
from heams.benchmarks.longmemeval.dataset import Question, find_questions, read_question
from heams.benchmarks.longmemeval.presentation import evidence_of, evidence_sessions_of, history_of, question_name
from heams.benchmarks.longmemeval.question_types import PREFERENCE, is_unanswerable
from heams.benchmarks.sample import BenchmarkSample
from heams.benchmarks.skip import SkipReason
from heams.evaluation.evidence_recall import EvidenceRecallEvaluatorConfig
from heams.evaluation.longmemeval import RULE
from heams.evaluation.markers import EVIDENCE, EVIDENCE_NOTE, EVIDENCE_SESSIONS, EXPECTED_ANSWER
from heams.evaluation.session_recall import SessionRecallEvaluatorConfig
from heams.scenarios.actions import UserStimulus
from heta_framework.common.data_files.json_array import Place
from heta_framework.common.text.prompt_template import fill

_AT_HAND = 2
_ABSTENTION = "abstention"


class LongMemEvalBenchmark(BaseBenchmark):
    """One sample per question, in the order of the file. At most two haystacks are held at a time.

    Unanswerable questions have no evidence, so what looks for evidence is about the others.

    Raises:
        DatasetFormatError: the file is not in LongMemEval's format.
    """

    def __init__(self, config: LongMemEvalBenchmarkConfig) -> None:
        self.config = config
        found = find_questions(
            config.data_file, config.question_types, config.limit, skip_reported=config.skip_reported_errors
        )
        self._questions = found.questions
        self.skipped: Sequence[SkipReason] = found.notes
        self._made = lru_cache(maxsize=_AT_HAND)(self._make)
        self._samples = LazySamples(len(self._questions), self._sample, self._name)
        self._without_evidence = [one for one in config.evaluators if not _needs_evidence(one)]

    @property
    def samples(self) -> Sequence[BenchmarkSample]:
        return self._samples

    def _name(self, position: int) -> str:
        return question_name(self._questions[position].place.number)

    def _sample(self, position: int) -> BenchmarkSample:
        return self._made(self._questions[position].place)

    def _make(self, place: Place) -> BenchmarkSample:
        question = read_question(self.config.data_file, place)
        unanswerable = is_unanswerable(question.id)
        stimulus = UserStimulus(
            content=fill(self.config.question_prompt, question=question.text),
            recall_query=question.text,
            at=question.at,
            step_evaluation_markers=_markers(question),
        )
        return BenchmarkSample(
            id=question_name(place.number),
            name=question.text,
            execution_sequence=[stimulus],
            evaluators=self._without_evidence if unanswerable else self.config.evaluators,
            history=history_of(question, place.number),
            tags={
                "question_type": question.type,
                "kind": _ABSTENTION if unanswerable else question.type,
                "question_id": question.id,
            },
        )


def _needs_evidence(evaluator: BaseModel) -> bool:
    return isinstance(evaluator, EvidenceRecallEvaluatorConfig | SessionRecallEvaluatorConfig)


def _markers(question: Question) -> Mapping[str, JsonValue]:
    evidence: list[JsonValue] = list(evidence_of(question))
    sessions: list[JsonValue] = [list(session) for session in evidence_sessions_of(question)]
    markers: dict[str, JsonValue] = {
        RULE: _rule(question),
        EXPECTED_ANSWER: question.gold,
        EVIDENCE: evidence or None,
        EVIDENCE_NOTE: None if evidence else "no turn is marked as evidence",
        EVIDENCE_SESSIONS: sessions or None,
    }
    return {name: value for name, value in markers.items() if value is not None}


def _rule(question: Question) -> str:
    if is_unanswerable(question.id):
        return "abstention"
    return "preference" if question.type == PREFERENCE else "answer"
