"""LoCoMo's official question-answering scores, rule by rule.

Source: snap-research/LoCoMo, ``task_eval/evaluation.py`` at commit 3eb6f2c585f5 (paper: arXiv 2402.17753). The rules
here give the same number as that file for every category; what looks odd is theirs and is kept:

- punctuation is deleted, not replaced, so "well-known" is one word and "3.14" becomes "314";
- "and" is deleted together with the articles;
- in a list answer an empty part ("tea, , milk") counts as a part, and a prediction may serve one part twice.

For rules that keep numbers and scripts intact see `heta_framework.common.text.matching`.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable
from functools import cache, lru_cache

from heta_framework.common.text.overlap import overlap

MULTI_HOP = 1
TEMPORAL = 2
OPEN_DOMAIN = 3
SINGLE_HOP = 4
ADVERSARIAL = 5

_DELETE_PUNCTUATION = str.maketrans("", "", string.punctuation)
_FILLER = re.compile(r"\b(?:a|an|the|and)\b")
_LONGEST_CACHED_WORD = 64  # an answer of one word of 1 MB must not stay in memory
_ABSTENTIONS = ("no information available", "not mentioned")


def score(category: int, gold: str | int, prediction: str) -> float:
    """The official score of one answer, in [0, 1].

    Category 1 (multi-hop) is `multi_answer_f1`; 2 (temporal) and 4 (single-hop) are `token_f1`; 3 (open-domain) is
    `token_f1` against the gold up to its first ";"; 5 (adversarial) is `abstains`, whatever the gold.

    Raises:
        ValueError: the category is not one of 1 to 5.
    """
    if category == ADVERSARIAL:
        return float(abstains(prediction))
    answer = str(gold)
    if category == MULTI_HOP:
        return multi_answer_f1(prediction, answer)
    if category == OPEN_DOMAIN:
        return token_f1(prediction, answer.split(";")[0])
    if category in (TEMPORAL, SINGLE_HOP):
        return token_f1(prediction, answer)
    raise ValueError(f"LoCoMo category {category!r} is unknown; it must be 1, 2, 3, 4 or 5")


def normalise_answer(text: str) -> str:
    """Lower-case, without ASCII punctuation and without the words a, an, the, and; single spaces."""
    return " ".join(_words(text))


def token_f1(prediction: str, gold: str) -> float:
    """Harmonic mean of multiset precision and recall over Porter-stemmed words; 0 without a common word."""
    return overlap(_stems(prediction), _stems(gold)).f1


def multi_answer_f1(prediction: str, gold: str) -> float:
    """Both sides are comma-separated lists: the best `token_f1` of each gold part, averaged over the gold parts."""
    found = [_stems(part) for part in prediction.split(",")]
    wanted = [_stems(part) for part in gold.split(",")]
    return sum(max(overlap(part, want).f1 for part in found) for want in wanted) / len(wanted)


def exact_set_match(prediction: str, gold: str | int) -> bool:
    """Whether both sides have the same *set* of normalised words (order and repetition do not count; no stemming)."""
    return set(_words(prediction)) == set(_words(str(gold)))


def abstains(text: str) -> bool:
    """Whether the answer declines in one of the two phrases that the official scorer of category 5 knows.

    Paraphrases ("I don't know") are not recognised: see `heta_framework.common.text.refusal.refuses`.
    """
    lowered = text.lower()
    return any(phrase in lowered for phrase in _ABSTENTIONS)


def _words(text: str) -> list[str]:
    return _FILLER.sub(" ", text.lower().translate(_DELETE_PUNCTUATION)).split()


def _stems(text: str) -> list[str]:
    return [_cached_stem(word) if len(word) <= _LONGEST_CACHED_WORD else _stemmer()(word) for word in _words(text)]


def prepare() -> None:
    """Load what scoring needs, which takes seconds: before answers are under way, which would all wait for it."""
    _stemmer()


@lru_cache(maxsize=65_536)
def _cached_stem(word: str) -> str:
    return _stemmer()(word)


@cache
def _stemmer() -> Callable[[str], str]:
    from nltk.stem.porter import PorterStemmer  # over two seconds, so only where something is scored

    stem: Callable[[str], str] = PorterStemmer().stem
    return stem
