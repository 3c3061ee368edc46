"""LoCoMo as samples: one history per conversation, one sample per question."""

from collections.abc import Iterator, Mapping, Sequence

from pydantic import JsonValue

from heams.benchmarks.base import BaseBenchmark
from heams.benchmarks.lazy_samples import LazySamples
from heams.benchmarks.locomo.audit import Audited, load_findings, overlay
from heams.benchmarks.locomo.categories import ADVERSARIAL, CATEGORY_NAMES
from heams.benchmarks.locomo.config import LocomoBenchmarkConfig
from heams.benchmarks.locomo.dataset import load_conversations
from heams.benchmarks.locomo.presentation import history_of, options_of, prompt_of
from heams.benchmarks.locomo.records import Conversation, Question
from heams.benchmarks.sample import BenchmarkSample
from heams.evaluation.evidence_recall import EvidenceRecallEvaluatorConfig
from heams.evaluation.factory import EvaluatorConfig
from heams.evaluation.llm_judge_config import LLMJudgeEvaluatorConfig
from heams.scenarios.actions import UserStimulus
from heta_framework.common.data_files.errors import DatasetFormatError


class LocomoBenchmark(BaseBenchmark):
    """Questions in the order of the file, so that those about one conversation stand next to each other.

    In category 5 the labelled turns suggest an answer and hold none, so finding them is not scored: ``evidence_recall``
    is about categories 1 to 4. So is a judge that compares with an expected answer: category 5 has none.

    Raises:
        DatasetFormatError: the data (or the audit) cannot be used.
    """

    def __init__(self, config: LocomoBenchmarkConfig) -> None:
        self.config = config
        conversations, strays = _load(config)
        chosen = list(_chosen(conversations, config))[: config.limit]
        used = {conversation.id: conversation for conversation, _ in chosen}
        self._questions = [question for _, question in chosen]
        self._conversations = [conversation for conversation, _ in chosen]
        self._histories = {
            name: history_of(conversation, image_captions=config.image_captions) for name, conversation in used.items()
        }
        self._trap_evaluators = [one for one in config.evaluators if not _needs_gold(one)]
        self._samples = LazySamples(len(chosen), self._sample, lambda position: self._questions[position].id)
        self.skipped = [
            *strays,
            *(note for conversation in used.values() for note in conversation.notes),
            *(note for question in self._questions for note in question.all_notes),
        ]

    @property
    def samples(self) -> Sequence[BenchmarkSample]:
        return self._samples

    def _sample(self, position: int) -> BenchmarkSample:
        conversation, question = self._conversations[position], self._questions[position]
        stimulus = UserStimulus(
            content=prompt_of(question, self.config),
            recall_query=question.text,
            at=conversation.ends_at,
            step_evaluation_markers=_markers(question, self.config),
        )
        return BenchmarkSample(
            id=question.id,
            name=question.text,
            execution_sequence=[stimulus],
            evaluators=self._trap_evaluators if question.category == ADVERSARIAL else self.config.evaluators,
            history=self._histories[conversation.id],
            tags={"category": CATEGORY_NAMES[question.category], "conversation": conversation.id},
        )


def _needs_gold(evaluator: EvaluatorConfig) -> bool:
    if isinstance(evaluator, LLMJudgeEvaluatorConfig):
        return any("expected" in policy.gaps for policy in evaluator.policies.values())
    return isinstance(evaluator, EvidenceRecallEvaluatorConfig)


def _load(config: LocomoBenchmarkConfig) -> Audited:
    conversations = load_conversations(config.data_file)
    if config.audit_file is None:
        return Audited(conversations, ())
    return overlay(conversations, load_findings(config.audit_file, config.audit_sha256), config.audit_file)


def _chosen(
    conversations: Sequence[Conversation], config: LocomoBenchmarkConfig
) -> Iterator[tuple[Conversation, Question]]:
    names = [conversation.id for conversation in conversations]
    for name in config.conversations or ():
        if name not in names:
            _refuse_unknown(name, names, config)
    for conversation in conversations:
        if config.conversations is None or conversation.id in config.conversations:
            for question in conversation.questions:
                if question.category in config.categories:
                    yield conversation, question


def _refuse_unknown(name: str, names: Sequence[str], config: LocomoBenchmarkConfig) -> None:
    from heta_framework.common.config import nearest

    near = nearest(name, names)
    hint = f"did you mean {near!r}?" if near else f"there is: {', '.join(names[:20])}"
    raise DatasetFormatError(config.data_file, "", f"no conversation {name!r} (named in 'conversations'); {hint}")


def _markers(question: Question, config: LocomoBenchmarkConfig) -> Mapping[str, JsonValue]:
    """What evaluators need. Category 5 has no expected answer, so that no other metric than its own can count it."""
    markers: dict[str, JsonValue] = {
        "expected_answer": question.answer,
        "category_id": question.category,
        "evidence": list(question.evidence),
        "adversarial_answer": question.trap,
        "evidence_note": question.evidence_note,
        "options": dict(options_of(question, config) or {}) or None,
    }
    return {name: value for name, value in markers.items() if value is not None}
