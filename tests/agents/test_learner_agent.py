"""The learner: what it is told, it remembers; what it remembers, it uses; without a memory it never improves."""

from collections.abc import Callable, Iterator
from math import prod
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from heams.agents.base import FeedbackMessage
from heams.agents.factory import AgentConfig
from heams.agents.learner import LearnerAgentConfig
from heams.agents.learner.expressions import expressions
from heams.agents.learner.lessons import Lesson, lessons_in, squeezed
from heams.agents.learner.problems import frame, likeness, numbers_in
from heams.agents.learner.solving import solve
from heams.memory.base import MemorySystem
from heams.memory.lexical import LexicalMemoryConfig, LexicalMemorySystem
from heams.memory.no_memory import NoMemoryConfig, NoMemorySystem
from heta_framework.common.config import load_yaml

_CRATE = "A crate holds {} pears. How many pears are there in {} crates?"


def test_the_shipped_configuration_spells_out_the_defaults(repository: Path) -> None:
    data = load_yaml(repository / "configs" / "agents" / "learner.yaml").data
    assert TypeAdapter(AgentConfig).validate_python(data) == LearnerAgentConfig()
    assert set(data) == set(LearnerAgentConfig.model_fields)


def _course(stage: Callable[..., Any], system: MemorySystem, asked: list[tuple[str, dict[str, Any]]]) -> list[str]:
    """The answers to problems, each followed by what is told about it."""
    place = stage(LearnerAgentConfig(answer="{answer}"), system)

    async def act(place: Any) -> list[str]:
        replies = []
        for step, (problem, told) in enumerate(asked):
            await place.session.begin_session(f"s{step}")
            replies.append((await place.ask(problem)).text)
            kind = "gold" if "expected" in told else "correctness" if told else "none"
            await place.session.feedback(FeedbackMessage(of_step=step, kind=kind, **told), place.port)
        return replies

    replies: list[str] = place.play(act)
    return replies


def test_it_answers_a_repeated_problem_from_memory_and_a_like_one_by_the_same_calculation(
    stage: Callable[..., Any],
) -> None:
    sign = "How many coins does the stall with the sign K-417 pay?"
    asked = [
        (_CRATE.format(24, 7), {"correct": False, "expected": "168"}),
        (sign, {"correct": False, "expected": "62"}),
        (_CRATE.format(30, 9), {}),
        (f"  {sign} ", {}),
    ]
    learnt = _course(stage, LexicalMemorySystem(LexicalMemoryConfig()), asked)
    assert learnt == ["31", "417", "270", "62"]
    assert _course(stage, NoMemorySystem(NoMemoryConfig()), asked) == ["31", "417", "39", "417"]


def test_it_learns_from_right_and_wrong_by_ruling_calculations_out(stage: Callable[..., Any]) -> None:
    asked = [
        ("A rope of 90 metres loses 34 metres. How long is it?", {"correct": False}),
        ("A rope of 80 metres loses 33 metres. How long is it?", {"correct": False}),
        ("A rope of 70 metres loses 32 metres. How long is it?", {"correct": True}),
        ("A rope of 60 metres loses 31 metres. How long is it?", {}),
    ]
    replies = _course(stage, LexicalMemorySystem(LexicalMemoryConfig()), asked)
    assert replies == ["124", "2640", "38", "29"]


def test_it_learns_nothing_where_nothing_is_told(stage: Callable[..., Any]) -> None:
    asked: list[tuple[str, dict[str, Any]]] = [(_CRATE.format(24, 7), {})] * 3
    assert _course(stage, LexicalMemorySystem(LexicalMemoryConfig()), asked) == ["31"] * 3


@pytest.mark.parametrize(("numbers", "count"), [(1, 1), (2, 6), (3, 68), (4, 1170)])
def test_every_calculation_is_there_once(numbers: int, count: int) -> None:
    found = expressions(numbers)
    assert len(found) == count
    assert [one.effort for one in found] == sorted(one.effort for one in found)


def test_calculations_take_one_to_four_numbers() -> None:
    with pytest.raises(ValueError, match="found 5"):
        expressions(5)
    with pytest.raises(ValueError, match="found 0"):
        expressions(0)


def _results(numbers: tuple[int, ...]) -> Iterator[str]:
    yield str(sum(numbers))
    yield str(prod(numbers))
    yield str(prod(numbers[:-1]) + numbers[-1])


@settings(max_examples=50)
@given(st.lists(st.integers(2, 99), min_size=2, max_size=3), st.data())
def test_what_it_works_out_agrees_with_every_lesson(first: list[int], data: st.DataObject) -> None:
    def problem(numbers: list[int]) -> str:
        return f"What do {' and '.join(map(str, numbers))} make?"

    answer = data.draw(st.sampled_from(list(_results(tuple(first)))))
    lesson = Lesson(problem(first), answer)
    assert solve(problem(first), [lesson], LearnerAgentConfig()).answer == answer
    other = data.draw(st.lists(st.integers(2, 99), min_size=len(first), max_size=len(first)))
    found = solve(problem(other), [lesson], LearnerAgentConfig())
    if found.answer is not None and other != first:
        calculation = next(one for one in expressions(len(first)) if one.text == found.calculation)
        assert str(calculation.value(first)) == answer
        assert str(calculation.value(other)) == found.answer


def test_a_like_problem_helps_where_none_has_the_same_words_and_an_unlike_one_does_not() -> None:
    config = LearnerAgentConfig()
    like = Lesson("Ada has 3 boxes of 12 pens each. How many pens has she got?", "36")
    problem = "Ben has 4 boxes of 10 pens each. How many pens has he got?"
    assert solve(problem, [like], config) == ("40", "worked_out", "a * b")
    assert solve(problem, [like], LearnerAgentConfig(min_likeness=1)).way == "guessed"
    assert solve("A tub of 4 litres and one of 10 litres", [like], config).answer == "14"
    assert likeness(frame(problem), frame(problem)) == 1.0


@pytest.mark.parametrize("problem", ["Why?", "1 2 3 4 5"])
def test_a_problem_without_numbers_or_with_too_many_is_known_or_not(problem: str) -> None:
    assert solve(problem, [], LearnerAgentConfig()) == (None, "unknown", "")
    assert solve(problem, [Lesson(problem, "7")], LearnerAgentConfig()).answer == "7"


def test_numbers_are_whole_numbers() -> None:
    assert numbers_in("1,200 of 7 in 2.5 and x2, 3rd; sign K-417") == (1200, 7, 417)


_WORDS = st.text(st.characters(categories=["L", "N", "P", "Zs"]), min_size=1).map(squeezed).filter(bool)


@settings(max_examples=50)
@given(_WORDS, _WORDS, st.booleans())
def test_a_lesson_is_read_as_it_was_written(problem: str, answer: str, right: bool) -> None:
    lesson = Lesson(problem, answer, right)
    if "Answer: " not in problem + answer and not answer.startswith("not "):
        assert lessons_in([lesson.note, "something else", lesson.note]) == [lesson]
