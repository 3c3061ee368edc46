"""ROUGE-L and ROUGE-Lsum as the `rouge-score` package (0.1.2) computes them with its stemmer.

Source: C.-Y. Lin, "ROUGE: A Package for Automatic Evaluation of Summaries", 2004, section 3.2 for the union of longest
common subsequences, and that package for its words: runs of a-z and 0-9 in lower case, those of more than three
characters stemmed by Porter's rules in NLTK's extension. Letters beyond ASCII separate words. For words of any script
see `heta_framework.common.text.rouge`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from heta_framework.common.text.overlap import Overlap, overlap_of
from heta_framework.common.text.subsequence import longest_common_subsequence

if TYPE_CHECKING:
    from nltk.stem.porter import PorterStemmer

_WORD = re.compile(r"[a-z0-9]+")
_LONGEST_UNSTEMMED = 3


def stemmed_words(text: str) -> list[str]:
    """The words that are compared."""
    return [_stem(word) for word in _WORD.findall(text.lower())]


def rouge_l_stemmed(observed: str, expected: str) -> Overlap:
    """Precision, recall and F1 of the longest common subsequence of words; 0 where a side has no words."""
    found, wanted = stemmed_words(observed), stemmed_words(expected)
    return overlap_of(longest_common_subsequence(found, wanted), len(found), len(wanted))


def rouge_lsum_stemmed(observed: str, expected: str) -> Overlap:
    """The same at the level of summaries: each line of `expected` against all lines of `observed` together.

    A word that comes once on one side counts once, however many lines share it.
    """
    found, wanted = _lines(observed), _lines(expected)
    left_found, left_wanted = (Counter(word for line in lines for word in line) for lines in (found, wanted))
    total_found, total_wanted = left_found.total(), left_wanted.total()
    common = 0
    for line in wanted:
        for place in sorted({place for other in found for place in _common_places(line, other)}):
            word = line[place]
            if left_found[word] > 0 and left_wanted[word] > 0:
                common += 1
                left_found[word] -= 1
                left_wanted[word] -= 1
    return overlap_of(common, total_found, total_wanted)


def _lines(text: str) -> list[list[str]]:
    return [stemmed_words(line) for line in text.split("\n")]


def _common_places(wanted: Sequence[str], found: Sequence[str]) -> list[int]:
    """The places in `wanted` of one longest common subsequence: the one that the package walks back to."""
    table = _lengths(wanted, found)
    row, column = len(wanted), len(found)
    places = []
    while row and column:
        if wanted[row - 1] == found[column - 1]:
            row, column = row - 1, column - 1
            places.append(row)
        elif table[row][column - 1] > table[row - 1][column]:
            column -= 1
        else:
            row -= 1
    return places


def _lengths(wanted: Sequence[str], found: Sequence[str]) -> list[list[int]]:
    """How long the longest common subsequence of each pair of beginnings is."""
    table = [[0] * (len(found) + 1)]
    for word in wanted:
        above, row = table[-1], [0]
        for place, other in enumerate(found):
            row.append(above[place] + 1 if word == other else max(above[place + 1], row[place]))
        table.append(row)
    return table


@lru_cache(maxsize=16_384)
def _stem(word: str) -> str:
    return _stemmer().stem(word) if len(word) > _LONGEST_UNSTEMMED else word


@lru_cache(maxsize=1)
def _stemmer() -> PorterStemmer:
    from nltk.stem.porter import PorterStemmer

    return PorterStemmer()
