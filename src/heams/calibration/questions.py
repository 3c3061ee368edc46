"""The questions of a benchmark that have a gold answer; those about one conversation lend each other wrong ones."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from heams.benchmarks.sample import BenchmarkSample
from heams.evaluation.markers import expected_answers
from heams.scenarios.actions import UserStimulus
from heta_framework.common.text.refusal import refuses

_EVERYWHERE = frozenset(
    {"what", "when", "where", "which", "does", "have", "from", "with", "that", "this", "their", "about"}
)


@dataclass(frozen=True)
class GoldQuestion:
    """A question. ``group`` names its conversation: questions of one group lend each other wrong answers."""

    id: str
    group: str
    text: str
    expected: tuple[str, ...]

    @cached_property
    def subject_words(self) -> frozenset[str]:
        """What the question is about: its longer words, without the names that all questions share."""
        words = (word.strip(".,;:?!'\"()") for word in self.text.split())
        return frozenset(word for word in words if len(word) > 3 and word.islower() and word not in _EVERYWHERE)

    @property
    def gold(self) -> str:
        """The first expected answer."""
        return self.expected[0]


def gold_questions(samples: Iterable[BenchmarkSample]) -> Iterator[GoldQuestion]:
    """The answerable questions of the samples; those whose gold is a refusal have no wrong answers of a kind."""
    for sample in samples:
        for index, action in enumerate(sample.execution_sequence):
            if not isinstance(action, UserStimulus):
                continue
            gold = tuple(answer for answer in expected_answers(action.step_evaluation_markers) if answer.strip())
            if gold and not refuses(gold[0]):
                group = sample.history.id if sample.history is not None else "all"
                text = action.recall_query or action.content
                yield GoldQuestion(f"{sample.id}#{index}", group, text, gold)
