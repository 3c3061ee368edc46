"""ROUGE-L: how much of a reference a text says in the same order, gaps allowed.

Source: C.-Y. Lin, "ROUGE: A Package for Automatic Evaluation of Summaries", 2004, section 3.1 (sentence level), with
equal weight on precision and recall (beta 1), as it is usually reported. A word is a run of letters, marks and digits
in lower case; in scripts without spaces and in Korean each character is one. Nothing is stemmed and no word is left
out. On ASCII texts these are the words of the `rouge-score` package without its stemmer.
"""

from __future__ import annotations

import regex

from heta_framework.common.text.characters import LETTER, UNSPACED
from heta_framework.common.text.overlap import Overlap, overlap_of
from heta_framework.common.text.subsequence import longest_common_subsequence

_WORD = regex.compile(rf"{LETTER}+|{UNSPACED}\p{{M}}*", flags=regex.VERSION1)


def rouge_words(text: str) -> list[str]:
    """The words that ROUGE-L compares."""
    return _WORD.findall(text.lower())


def rouge_l(observed: str, expected: str) -> Overlap:
    """Precision, recall and F1 of the longest common subsequence of words; 0 where a side has no words."""
    found, wanted = rouge_words(observed), rouge_words(expected)
    return overlap_of(longest_common_subsequence(found, wanted), len(found), len(wanted))
