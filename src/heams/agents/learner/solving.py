"""How a problem is solved from the lessons that were recalled: known, worked out as a like one, or guessed."""

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from heams.agents.learner.config import LearnerAgentConfig
from heams.agents.learner.expressions import Expression, expressions
from heams.agents.learner.lessons import Lesson
from heams.agents.learner.problems import frame, likeness, numbers_in

Way = Literal["remembered", "worked_out", "guessed", "unknown"]


class Solution(NamedTuple):
    """An answer (None where there is none), how it was come by, and the calculation that gave it."""

    answer: str | None
    way: Way
    calculation: str = ""


def solve(problem: str, lessons: Sequence[Lesson], config: LearnerAgentConfig) -> Solution:
    """The answer that is remembered, else the simplest calculation that agrees with all lessons on like problems."""
    for lesson in lessons:
        if lesson.problem == problem and lesson.right:
            return Solution(lesson.answer, "remembered")
    numbers = numbers_in(problem)
    if not 1 <= len(numbers) <= config.max_numbers:
        return Solution(None, "unknown")
    like = _like(problem, lessons, config.min_likeness)
    possible = (one for one in expressions(len(numbers)) if _whole(one, numbers) is not None)
    for expression in possible:
        if all(_agrees(expression, lesson) for lesson in like):
            way: Way = "worked_out" if any(lesson.right for lesson in like) else "guessed"
            return Solution(_whole(expression, numbers), way, expression.text)
    return Solution(None, "unknown")


def _like(problem: str, lessons: Iterable[Lesson], least: float) -> list[Lesson]:
    """The lessons on problems of the same frame; without any, those of the likest frame with as many numbers."""
    own, count = frame(problem), len(numbers_in(problem))
    frames: dict[str, list[Lesson]] = {}
    for lesson in lessons:
        if len(numbers_in(lesson.problem)) == count:
            frames.setdefault(frame(lesson.problem), []).append(lesson)
    if own in frames:
        return frames[own]
    best = max(frames, key=lambda other: likeness(own, other), default=None)
    return frames[best] if best is not None and likeness(own, best) >= least else []


def _agrees(expression: Expression, lesson: Lesson) -> bool:
    return (_whole(expression, numbers_in(lesson.problem)) == lesson.answer) is lesson.right


def _whole(expression: Expression, numbers: Sequence[int]) -> str | None:
    """The value as text, for values that are whole and not negative."""
    value = expression.value(numbers)
    return None if value is None or value < 0 or value.denominator != 1 else str(value.numerator)
