"""What the agent learnt of a problem, as a note in the memory: the answer, or one that was wrong."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

_NOTE = re.compile(r"Problem: (?P<problem>.+) Answer: (?P<wrong>not )?(?P<answer>.+)")


@dataclass(frozen=True, slots=True)
class Lesson:
    """A problem with its answer, or (``right`` is False) with an answer that is known to be wrong."""

    problem: str
    answer: str
    right: bool = True

    @property
    def note(self) -> str:
        """The lesson as it is written into the memory."""
        return f"Problem: {self.problem}\nAnswer: {'' if self.right else 'not '}{self.answer}"


def squeezed(text: str) -> str:
    """A text in one line, without needless white space: by this, problems are recognised again."""
    return " ".join(text.split())


def lessons_in(texts: Iterable[str]) -> list[Lesson]:
    """The lessons among recalled texts, in their order, each once; whatever else is remembered is passed over."""
    found = (_NOTE.fullmatch(squeezed(text)) for text in texts)
    read = [Lesson(note["problem"], note["answer"], note["wrong"] is None) for note in found if note is not None]
    return list(dict.fromkeys(read))
