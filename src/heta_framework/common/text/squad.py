"""SQuAD's comparison of answers, rule by rule.

Source: the evaluation scripts of SQuAD 1.1 and 2.0 (Rajpurkar et al. 2016, arXiv 1606.05250, and 2018, arXiv
1806.03822). What looks odd is theirs and is kept, so that numbers can be set beside published ones: ASCII punctuation
is deleted, not replaced ("well-known" is one word, "3.14" is "314"), and a text of a script without spaces is a single
word. For rules that keep numbers and scripts intact see `heta_framework.common.text.matching`.
"""

from __future__ import annotations

import re
import string

from heta_framework.common.text.overlap import Overlap, overlap

_DELETE_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLE = re.compile(r"\b(?:a|an|the)\b")


def squad_words(text: str) -> list[str]:
    """The words of `text`: lower case, without ASCII punctuation, then without the articles a, an, the."""
    return _ARTICLE.sub(" ", text.lower().translate(_DELETE_PUNCTUATION)).split()


def squad_exact(observed: str, expected: str) -> bool:
    """Whether both have the same words in the same order."""
    return squad_words(observed) == squad_words(expected)


def squad_overlap(observed: str, expected: str) -> Overlap:
    """Precision, recall and F1 over multisets of words.

    Where one side has no words (SQuAD 2.0's rule) all three are 1 if the other has none either, else 0.
    """
    found, wanted = squad_words(observed), squad_words(expected)
    if not found or not wanted:
        same = float(found == wanted)
        return Overlap(same, same, same)
    return overlap(found, wanted)
