"""The options of a PersonaMem question: a Python list in a cell of the table, each text with its letter in front."""

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_lowercase
from typing import Final

LONGEST_CELL = 200_000
"""Characters; the longest published cell has some thousands."""
_LABELLED = re.compile(r"\s*\(([a-z])\)\s*(.*)", re.DOTALL)
_ANSWER = re.compile(r"\s*\(?\s*([a-zA-Z])\s*\)?[.:]?\s*")

UNLABELLED: Final = "options_without_letters"
RELABELLED: Final = "options_out_of_order"
ALIKE: Final = "options_alike"


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """``texts`` without their letters; ``letters`` as they stood there. ``defects`` are names of rules."""

    texts: tuple[str, ...]
    letters: tuple[str, ...]
    defects: tuple[str, ...] = ()

    def place_of(self, answer: str) -> int | None:
        """The place that "(c)" names, or the only option that has the answer's words; None where it names none."""
        named = _ANSWER.fullmatch(answer)
        if named is not None and self.letters.count(named[1].lower()) == 1:
            return self.letters.index(named[1].lower())
        labelled = _LABELLED.fullmatch(answer)
        words = (labelled[2] if labelled else answer).split()
        alike = [place for place, text in enumerate(self.texts) if text.split() == words]
        return alike[0] if len(alike) == 1 else None


def read_options(cell: str) -> ReadOptions:
    """The options in a cell. Nothing in it is executed.

    Raises:
        ValueError: it is no list of at least two texts.
    """
    given = _list_in(cell)
    labelled = [_LABELLED.fullmatch(text) for text in given]
    natural = tuple(ascii_lowercase[: len(given)])
    if not all(labelled):
        return _with_likeness(ReadOptions(tuple(text.strip() for text in given), natural, (UNLABELLED,)))
    texts = tuple(match[2].strip() for match in labelled if match)
    letters = tuple(match[1] for match in labelled if match)
    return _with_likeness(ReadOptions(texts, letters, () if letters == natural else (RELABELLED,)))


def _list_in(cell: str) -> Sequence[str]:
    if len(cell) > LONGEST_CELL:
        raise ValueError(f"found {len(cell):,} characters; expected at most {LONGEST_CELL:,}")
    try:
        given = ast.literal_eval(cell.strip())
    except (ValueError, SyntaxError, RecursionError, MemoryError) as cause:
        raise ValueError("found no Python list of texts such as ['(a) tea', '(b) milk']") from cause
    if not isinstance(given, list | tuple) or not all(isinstance(text, str) and text.strip() for text in given):
        raise ValueError("found something else than texts; expected a list such as ['(a) tea', '(b) milk']")
    if not 2 <= len(given) <= len(ascii_lowercase):
        raise ValueError(f"found {len(given)} options; expected 2 to {len(ascii_lowercase)}")
    return given


def _with_likeness(options: ReadOptions) -> ReadOptions:
    if len({" ".join(text.split()) for text in options.texts}) == len(options.texts):
        return options
    return ReadOptions(options.texts, options.letters, (*options.defects, ALIKE))
