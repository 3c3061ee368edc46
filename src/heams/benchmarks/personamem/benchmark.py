"""PersonaMem as samples: a history for each place in a context at which questions are asked."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NoReturn

from heams.benchmarks.base import BaseBenchmark
from heams.benchmarks.lazy_samples import LazySamples
from heams.benchmarks.offered_options import OfferedOptions, arranged
from heams.benchmarks.personamem.config import PersonaMemBenchmarkConfig
from heams.benchmarks.personamem.contexts import Contexts, Message
from heams.benchmarks.personamem.questions import Question, read_questions
from heams.benchmarks.sample import BenchmarkSample
from heams.benchmarks.skip import SkipReason
from heams.scenarios.actions import HistoryEvent, SessionBoundary, SharedHistory, Turn, UserStimulus
from heta_framework.common.data_files import DatasetFormatError
from heta_framework.common.text.prompt_template import fill

BEYOND: Final = "end_beyond_context"
_HISTORIES_IN_MEMORY = 2


class PersonaMemBenchmark(BaseBenchmark):
    """One sample per question, in the order of the file, except that those with one context and history stand together.

    Contexts are read when their samples are asked for; all that are needed are checked once before.

    Raises:
        DatasetFormatError: the data is not in the format.
    """

    def __init__(self, config: PersonaMemBenchmarkConfig) -> None:
        self.config = config
        notes: list[SkipReason] = []
        self._questions = _together(_chosen(config, notes))
        self._contexts = Contexts(config.contexts_file)
        self._check_contexts(notes)
        self._history = lru_cache(maxsize=_HISTORIES_IN_MEMORY)(self._make_history)
        self._samples = LazySamples(len(self._questions), self._sample, lambda place: self._questions[place].id)
        self.skipped = notes

    @property
    def samples(self) -> Sequence[BenchmarkSample]:
        return self._samples

    def _sample(self, position: int) -> BenchmarkSample:
        question = self._questions[position]
        offered = self._offered(question)
        prompts = self.config.prompts
        content = fill(prompts.choice, question=question.text, options=offered.shown(prompts.option))
        return BenchmarkSample(
            id=question.id,
            name=question.text,
            execution_sequence=[
                UserStimulus(
                    content=content, recall_query=question.text, step_evaluation_markers=dict(offered.markers())
                )
            ],
            evaluators=self.config.evaluators,
            history=self._history(question.context_id, question.end),
            tags={
                "question_type": question.kind,
                **({"topic": question.topic} if question.topic else {}),
                "options": str(len(offered.texts)),
            },
        )

    def _offered(self, question: Question) -> OfferedOptions:
        texts = question.options.texts
        if self.config.option_order == "as_given":
            return OfferedOptions(texts, question.right)
        return arranged(texts, question.right, seed=self.config.seed, question_id=question.id)

    def _make_history(self, context_id: str, end: int) -> SharedHistory:
        messages = self._contexts.messages(context_id)[:end]
        return SharedHistory(
            id=f"{context_id}@{end}", events=tuple(_events(messages, system_messages=self.config.system_messages))
        )

    def _check_contexts(self, notes: list[SkipReason]) -> None:
        lengths: dict[str, int] = {}
        for question in self._questions:
            if question.context_id not in self._contexts:
                _refuse_context(question, self._contexts)
            if question.context_id not in lengths:
                lengths[question.context_id] = len(self._contexts.messages(question.context_id))
            length = lengths[question.context_id]
            if question.end > length:
                detail = f"the question is asked after {question.end} messages, its context has {length}; it hears all"
                notes.append(SkipReason(record_id=question.id, rule=BEYOND, detail=detail, kind="repaired"))


def _chosen(config: PersonaMemBenchmarkConfig, notes: list[SkipReason]) -> list[Question]:
    found: list[SkipReason] = []
    chosen: list[Question] = []
    kinds: set[str] = set()
    for question in read_questions(config.questions_file, found):
        kinds.add(question.kind)
        if config.question_types is None or question.kind in config.question_types:
            chosen.append(question)
    for kind in config.question_types or ():
        if kind not in kinds:
            _refuse_kind(kind, sorted(kinds), config)
    if not chosen:
        raise DatasetFormatError(config.questions_file, "", "found no usable question")
    taken = chosen[: config.limit]
    ids = {question.id for question in taken}
    notes.extend(note for note in found if note.record_id in ids or config.limit is None)
    return taken


def _together(questions: Sequence[Question]) -> list[Question]:
    """Questions with one history beside each other, and so are those with one context, which is then read once."""
    contexts: dict[str, int] = {}
    histories: dict[str, int] = {}
    for question in questions:
        contexts.setdefault(question.context_id, len(contexts))
        histories.setdefault(question.history_id, len(histories))
    return sorted(questions, key=lambda question: (contexts[question.context_id], histories[question.history_id]))


def _events(messages: Sequence[Message], *, system_messages: bool) -> Iterator[HistoryEvent]:
    session = 0
    for place, message in enumerate(messages):
        if message.role == "system" or place == 0:
            session += 1
            yield SessionBoundary(session_id=f"session-{session}")
        if message.role != "system" or system_messages:
            yield _turn(place, message, session)


def _turn(place: int, message: Message, session: int) -> Turn:
    return Turn(
        id=f"m{place}",
        content=message.content,
        speaker=message.role,
        role=message.role,
        session_id=f"session-{session}",
    )


def _refuse_context(question: Question, contexts: Contexts) -> NoReturn:
    from heta_framework.common.config import nearest

    near = nearest(question.context_id, contexts.ids)
    hint = f"did you mean {near!r}?" if near else f"there is: {', '.join(contexts.ids[:5])}"
    message = f"found {question.context_id!r}, which is no context of the other file; {hint}"
    raise DatasetFormatError(question.place, "shared_context_id", message)


def _refuse_kind(kind: str, kinds: Sequence[str], config: PersonaMemBenchmarkConfig) -> NoReturn:
    from heta_framework.common.config import nearest

    near = nearest(kind, kinds)
    hint = f"did you mean {near!r}?" if near else f"there is: {', '.join(kinds)}"
    raise DatasetFormatError(config.questions_file, "", f"no question of the type {kind!r} ('question_types'); {hint}")
