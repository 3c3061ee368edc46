"""Does an answer match the expected one? Six modes, one result type; of several expected answers the best counts.

| mode | value | an answer matches when |
|---|---|---|
| exact | 0 or 1 | it is the same text; outer white space and composed or decomposed accents do not count |
| normalized_exact | 0 or 1 | both are equal after `normalise` |
| contains | 0 or 1 | the expected tokens occur in it, in a row: "no" is not in "not known", "1" not in "2010" |
| token_f1 | 0 to 1 | harmonic mean of the precision and recall of its tokens |
| numeric | 0 or 1 | its number equals the expected one: see `numeric` |
| regex | 0 or 1 | the expected pattern is found in it: see `pattern` |

What counts as a token, and what normalisation leaves alone, is said in `normalise`. An expected text of which
normalisation leaves nothing ("", "!!!") is compared as in mode `exact`, so that it never matches everything.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypedDict, Unpack, get_args

from heta_framework.common.text.normalise import tokens
from heta_framework.common.text.numeric import Which, numeric
from heta_framework.common.text.pattern import regex_match
from heta_framework.common.text.verdict import Match, quoted

__all__ = ["Match", "MatchMode", "MatchOptions", "contains", "exact", "match_answer", "normalised_exact", "token_f1"]

MatchMode = Literal["exact", "normalized_exact", "contains", "token_f1", "numeric", "regex"]


class MatchOptions(TypedDict, total=False):
    """Options of `match_answer`: the first three belong to mode numeric, `timeout` to mode regex."""

    rel_tol: float
    abs_tol: float
    which: Which
    timeout: float


def match_answer(observed: str, expected: Sequence[str], mode: MatchMode, **options: Unpack[MatchOptions]) -> Match:
    """Compare an answer with one or several expected answers; the best match wins, the first of equals.

    Raises:
        ValueError: no expected answer; an unknown mode; an option that the mode does not have; an expected answer that
            the mode cannot use (no number, not a valid pattern).
        TimeoutError: a pattern took too long (mode regex), which is no verdict on the answer.
    """
    golds = [expected] if isinstance(expected, str) else list(expected)
    if not golds:
        raise ValueError(f"match_mode {mode} needs at least one expected answer; the list is empty")
    match_one = _matcher(mode)
    _check_options(mode, options)
    best = Match(-1.0, "")
    for gold in golds:
        match = match_one(observed, gold, **options)
        if match.value > best.value:
            best = match
        if best.value == 1.0:
            break
    return best


def exact(observed: str, expected: str) -> Match:
    """Whether both are the same text, apart from outer white space and the composition of accents (Unicode NFC)."""
    return _same(_canonical(observed) == _canonical(expected), expected)


def normalised_exact(observed: str, expected: str) -> Match:
    """Whether both have the same tokens in the same order."""
    wanted = tokens(expected)
    if not wanted:
        return exact(observed, expected)
    return _same(tokens(observed) == wanted, expected)


def contains(observed: str, expected: str) -> Match:
    """Whether the tokens of `expected` occur in `observed` in a row (in Chinese, Japanese, Thai …: the characters)."""
    wanted = tokens(expected)
    if not wanted:
        return exact(observed, expected)
    if f" {' '.join(wanted)} " in f" {' '.join(tokens(observed))} ":
        return Match(1.0, f"contains {quoted(expected)}")
    return Match(0.0, f"does not contain {quoted(expected)}")


def token_f1(observed: str, expected: str) -> Match:
    """SQuAD's F1 (Rajpurkar et al. 2016): harmonic mean of precision and recall over multisets of tokens; symmetric."""
    found, wanted = tokens(observed), tokens(expected)
    if not found or not wanted:
        value = exact(observed, expected).value
    else:
        value = 2 * (Counter(found) & Counter(wanted)).total() / (len(found) + len(wanted))
    return Match(value, f"token F1 {value:.3f}")


def _same(same: bool, expected: str) -> Match:
    return Match(1.0, f"is {quoted(expected)}") if same else Match(0.0, f"is not {quoted(expected)}")


def _canonical(text: str) -> str:
    return unicodedata.normalize("NFC", text).strip()


_MATCHERS: Mapping[str, Callable[..., Match]] = {
    "exact": exact,
    "normalized_exact": normalised_exact,
    "contains": contains,
    "token_f1": token_f1,
    "numeric": numeric,
    "regex": regex_match,
}
_OPTIONS = {"numeric": ("rel_tol", "abs_tol", "which"), "regex": ("timeout",)}


def _matcher(mode: str) -> Callable[..., Match]:
    if mode not in _MATCHERS:
        raise ValueError(f"match_mode {mode!r} is unknown; it must be one of {', '.join(get_args(MatchMode))}")
    return _MATCHERS[mode]


def _check_options(mode: str, options: Mapping[str, Any]) -> None:
    allowed = _OPTIONS.get(mode, ())
    for name in options:
        if name not in allowed:
            known = f"it knows {', '.join(allowed)}" if allowed else "it has none"
            raise ValueError(f"match_mode {mode} has no option {name!r}; {known}")
