"""Options as a question offers them: in which order, under which letters, and which of them is right."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import ascii_lowercase

from pydantic import JsonValue

from heams.evaluation.markers import EXPECTED_ANSWER, OPTIONS, RIGHT_OPTION
from heta_framework.common.text.prompt_template import fill

MOST_OPTIONS = len(ascii_lowercase)


@dataclass(frozen=True, slots=True)
class OfferedOptions:
    """``texts`` in the order in which they are shown; ``right`` is a place among them, from 0."""

    texts: tuple[str, ...]
    right: int

    def shown(self, template: str, *, capitals: bool = False) -> str:
        """One line an option, each ``template`` with its gaps ``letter`` and ``text`` filled."""
        letters = ascii_lowercase.upper() if capitals else ascii_lowercase
        pairs = zip(letters, self.texts, strict=False)
        return "\n".join(fill(template, letter=letter, text=text) for letter, text in pairs)

    def markers(self) -> Mapping[str, JsonValue]:
        """What ``multiple_choice`` reads: texts by letter, the right letter, and the right text as expected answer."""
        by_letter: dict[str, JsonValue] = dict(zip(ascii_lowercase, self.texts, strict=False))
        right = ascii_lowercase[self.right]
        return {OPTIONS: by_letter, RIGHT_OPTION: right, EXPECTED_ANSWER: self.texts[self.right]}


def arranged(texts: Sequence[str], right: int, *, seed: int, question_id: str) -> OfferedOptions:
    """The options in an order that depends on ``seed`` and the question's id alone."""
    places = list(range(len(texts)))
    random.Random(f"{seed}:{question_id}").shuffle(places)
    return OfferedOptions(tuple(texts[place] for place in places), places.index(right))


def officially_shuffled(texts: Sequence[str], seed: int) -> OfferedOptions:
    """PrefEval's ``shuffle_options`` with its generator seeded just before: the same order for every question.

    The first text is the right one; where another is equal to it, the earlier of them in the new order counts.

    Raises:
        ValueError: there are no options.
    """
    if not texts:
        raise ValueError("found no options; expected at least one, the first of which is the right one")
    shuffled = random.Random(seed).sample(list(texts), len(texts))
    return OfferedOptions(tuple(shuffled), shuffled.index(texts[0]))
