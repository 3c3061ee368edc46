"""Which allowed name was probably meant."""

from collections.abc import Iterable
from difflib import get_close_matches

_SIMILARITY = 0.6
_SHORTEST_PREFIX = 3
_LONGEST_NAME = 200  # difflib is quadratic: beyond this length nobody mistyped a name


def nearest(name: str, allowed: Iterable[str]) -> str | None:
    """Return the allowed name closest to `name`, or None where none is close.

    Case and the separators `-`, `_`, `.` and space do not count. An equal name wins, then the shortest one that `name`
    begins, then the most similar by `difflib` (ratio >= 0.6). Ties go to the alphabetically first.
    """
    wanted = _folded(name)
    candidates = {_folded(candidate): candidate for candidate in sorted(allowed, reverse=True)}
    if not wanted or len(wanted) > _LONGEST_NAME:
        return None
    if wanted in candidates:
        return candidates[wanted]
    completion = _shortest_completion(wanted, candidates)
    similar = [completion] if completion else get_close_matches(wanted, sorted(candidates), n=1, cutoff=_SIMILARITY)
    return candidates[similar[0]] if similar else None


def did_you_mean(name: str, allowed: Iterable[str]) -> str | None:
    """Return the hint `did you mean 'x'?`, or None where no allowed name is close."""
    guess = nearest(name, allowed)
    return None if guess is None else f"did you mean '{guess}'?"


def _folded(name: str) -> str:
    return name.casefold().translate(str.maketrans("-. ", "___"))


def _shortest_completion(wanted: str, candidates: Iterable[str]) -> str | None:
    if len(wanted) < _SHORTEST_PREFIX:
        return None
    completions = [candidate for candidate in candidates if candidate.startswith(wanted)]
    return min(completions, key=lambda candidate: (len(candidate), candidate), default=None)
