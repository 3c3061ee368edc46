"""BEAM as samples: one history per chat, one sample per question."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from pydantic import JsonValue

from heams.benchmarks.base import BaseBenchmark
from heams.benchmarks.beam.abilities import ABILITIES, ABSTENTION
from heams.benchmarks.beam.config import BeamBenchmarkConfig
from heams.benchmarks.beam.dataset import ChatPlace, check_chats, find_chats
from heams.benchmarks.beam.presentation import history_of
from heams.benchmarks.beam.records import Question
from heams.benchmarks.lazy_samples import LazySamples
from heams.benchmarks.sample import BenchmarkSample
from heams.benchmarks.skip import SkipReason
from heams.evaluation.evidence_recall import EvidenceRecallEvaluatorConfig
from heams.evaluation.markers import EVIDENCE, EVIDENCE_NOTE, EXPECTED_ANSWER
from heams.evaluation.nugget import RUBRIC, RUBRIC_RULE
from heams.scenarios.actions import SharedHistory, UserStimulus
from heams.scenarios.clock import Instant
from heta_framework.common.data_files.errors import DatasetFormatError
from heta_framework.common.text.prompt_template import fill

_CHATS_AT_HAND = 2


class BeamBenchmark(BaseBenchmark):
    """Questions chat by chat, in the order of the files. At most two chats are held at a time, however many there are.

    Abstention questions have no evidence, so ``evidence_recall`` is about the other nine abilities.

    Raises:
        DatasetFormatError: the data is not in BEAM's format.
    """

    def __init__(self, config: BeamBenchmarkConfig) -> None:
        self.config = config
        self._history = lru_cache(maxsize=_CHATS_AT_HAND)(_history)
        self._questions: list[tuple[ChatPlace, Question]] = []
        self.skipped: Sequence[SkipReason] = list(self._choose())
        self._samples = LazySamples(
            len(self._questions), self._sample, lambda position: self._questions[position][1].id
        )
        self._without_evidence = [one for one in config.evaluators if not _needs_evidence(one)]

    @property
    def samples(self) -> Sequence[BenchmarkSample]:
        return self._samples

    def _choose(self) -> Iterator[SkipReason]:
        """Fill the list of questions; the notes are those on what is in use."""
        places, notes = _places(self.config)
        yield from notes
        limit = self.config.limit
        for chat in check_chats(places):
            chosen = [question for question in chat.questions if question.ability in self.config.abilities]
            chosen = chosen if limit is None else chosen[: limit - len(self._questions)]
            self._questions += [(chat.place, question) for question in chosen]
            yield from chat.notes
            yield from (note for question in chosen for note in question.notes)
            if limit is not None and len(self._questions) >= limit:
                return

    def _sample(self, position: int) -> BenchmarkSample:
        place, question = self._questions[position]
        history, ends_at = self._history(place)
        stimulus = UserStimulus(
            content=fill(self.config.question_prompt, question=question.text),
            recall_query=question.text,
            at=ends_at,
            step_evaluation_markers=_markers(question),
        )
        return BenchmarkSample(
            id=question.id,
            name=question.text,
            execution_sequence=[stimulus],
            evaluators=self._without_evidence if question.ability == ABSTENTION else self.config.evaluators,
            history=history,
            tags={"ability": question.ability, "chat": place.number, "difficulty": question.difficulty},
        )


def _history(place: ChatPlace) -> tuple[SharedHistory, Instant | None]:
    chat = place.read()
    return history_of(chat, place.name), chat.ends_at


def _needs_evidence(evaluator: object) -> bool:
    return isinstance(evaluator, EvidenceRecallEvaluatorConfig)


def _places(config: BeamBenchmarkConfig) -> tuple[list[ChatPlace], Sequence[SkipReason]]:
    found = find_chats(config.data_dir, config.size)
    if config.chats is None:
        return list(found.places), found.notes
    by_number = {place.number: place for place in found.places}
    for name in config.chats:
        if name not in by_number:
            there = ", ".join(list(by_number)[:20])
            raise DatasetFormatError(config.data_dir, "", f"no chat {name!r} (named in 'chats'); there is: {there}")
    return [place for number, place in by_number.items() if number in config.chats], ()


def _markers(question: Question) -> Mapping[str, JsonValue]:
    markers: dict[str, JsonValue] = {
        EXPECTED_ANSWER: question.gold,
        EVIDENCE: list(question.evidence) or None,
        EVIDENCE_NOTE: question.evidence_note,
        RUBRIC: list(question.rubric),
        RUBRIC_RULE: ABILITIES[question.ability].rule,
    }
    return {name: value for name, value in markers.items() if value is not None}
