"""The cases of a calibration: answers whose verdict is known, of every kind equally many as far as they reach."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from heams.calibration.near_misses import NearMisses
from heams.calibration.questions import GoldQuestion
from heams.calibration.right_answers import right_answers
from heams.calibration.wrong_answers import WrongAnswers


@dataclass(frozen=True, slots=True)
class Case:
    """An answer to put before a judge, and whether it is to be accepted."""

    id: str
    kind: str
    accept: bool
    question: str
    expected: tuple[str, ...]
    answer: str


def build_cases(
    questions: Sequence[GoldQuestion], seed: int, *, at_most: int, field: str, verdict: str
) -> Iterator[Case]:
    """The cases of ``at_most`` questions that ``seed`` chooses, in its order; see ``WrongAnswers`` for the rest."""
    wrong = WrongAnswers(NearMisses(questions), field, verdict)
    shuffled = list(questions)
    Random(seed).shuffle(shuffled)
    for question in shuffled[:at_most]:
        rng = Random(f"{seed} {question.id}")
        for accept, answers in ((True, right_answers(question, rng)), (False, wrong.of(question, rng))):
            for kind, text in answers:
                yield Case(f"{question.id}:{kind}", kind, accept, question.text, question.expected, text)


def balanced(cases: Iterable[Case], n: int) -> list[Case]:
    """The first ``n`` cases when one of each kind is taken in turn."""
    by_kind: dict[str, list[Case]] = {}
    for case in cases:
        by_kind.setdefault(case.kind, []).append(case)
    longest = max(map(len, by_kind.values()), default=0)
    in_turn = (kind[place] for place in range(longest) for kind in by_kind.values() if place < len(kind))
    return [case for case, _ in zip(in_turn, range(n), strict=False)]
