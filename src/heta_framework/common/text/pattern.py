"""Mode regex: the expected answer is a pattern that has to be found in the answer.

The pattern may match anywhere; anchor it with ``^`` and ``$`` where the whole answer is meant, and write ``(?i)`` where
case does not count. The syntax is that of the `regex` library, which understands all of Python's `re`.

A pattern can need exponential time ("(a|a)*$"). The search therefore stops after `timeout` seconds and raises
`TimeoutError`: that is a fault of the pattern, not a wrong answer, and must not be counted as one.
"""

from __future__ import annotations

from functools import lru_cache

import regex

from heta_framework.common.text.verdict import Match, quoted

DEFAULT_TIMEOUT = 1.0


def regex_match(observed: str, expected: str, timeout: float = DEFAULT_TIMEOUT) -> Match:
    """Whether the pattern `expected` is found in `observed`, searching at most `timeout` seconds.

    Raises:
        ValueError: `expected` is empty or no valid pattern, or `timeout` is not above 0.
        TimeoutError: the search took longer than `timeout`.
    """
    if not timeout > 0:
        raise ValueError(f"match_mode regex: timeout is {timeout!r}; it must be more than 0 seconds")
    try:
        found = _compiled(expected).search(observed, timeout=timeout)
    except TimeoutError as error:
        raise TimeoutError(
            f"match_mode regex: pattern {quoted(expected)} took more than {timeout:g} s on an answer of"
            f" {len(observed)} characters; nested or overlapping repetition is the usual cause"
        ) from error
    except MemoryError as error:  # "(?R)": the library gives up a recursion without end
        raise ValueError(f"match_mode regex: pattern {quoted(expected)} repeats itself without end") from error
    if found:
        return Match(1.0, f"matches {quoted(expected)}")
    return Match(0.0, f"does not match {quoted(expected)}")


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> regex.Pattern[str]:
    if not pattern:
        raise ValueError("match_mode regex: the pattern is empty and would match every answer")
    try:
        return regex.compile(pattern)
    except (regex.error, RecursionError) as error:
        raise ValueError(f"match_mode regex: {quoted(pattern)} is no valid pattern: {error}") from error
