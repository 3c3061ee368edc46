"""The refusal to compare what is not like with like, and how it is lifted: difference by difference, by name."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from heams.reporting.errors import ResultsError
from heta_framework.common.config import nearest

ALLOWABLE = (
    "data", "benchmark", "prompt", "judge", "budget", "limit", "repeats", "seed", "ingestion", "unfinished",
    "agent", "memory_system", "query_mode", "recipe",
)  # fmt: skip
"""The names of differences, as they are allowed by."""
_COMPONENTS = frozenset({"agent", "memory_system", "query_mode", "recipe"})
_LONGEST_VALUE = 80
_MOST_LINES = 20


@dataclass(frozen=True, slots=True)
class Unlike:
    """Something that is not the same: the ``name`` to allow it by, ``what`` it is, and what it is on each side."""

    name: str
    what: str
    a: str
    b: str

    def __str__(self) -> str:
        return f"{self.what} is {_shortened(self.a, self.b)} in A and {_shortened(self.b, self.a)} in B"


class UnlikeExperiments(ResultsError):  # noqa: N818 - named after what was found
    """Two experiments differ in more than what is compared. ``differences`` says in what."""

    def __init__(self, differences: Collection[Unlike]) -> None:
        self.differences = tuple(differences)
        self.names = tuple(dict.fromkeys(difference.name for difference in self.differences))
        lines = [f"  {difference.name}: {_once(difference)}" for difference in self.differences[:_MOST_LINES]]
        if len(self.differences) > _MOST_LINES:
            lines.append(f"  and {len(self.differences) - _MOST_LINES} more")
        first = "these are not like with like, so a difference of scores could come from more than what is compared:"
        both = len(_COMPONENTS & {*self.names}) > 1
        hint = f" Of {' and '.join(name for name in self.names if name in _COMPONENTS)}, one is enough." if both else ""
        last = f"What may differ has to be allowed by name: {', '.join(self.names)}.{hint}"
        super().__init__("\n".join([first, *lines, last]))


def _once(difference: Unlike) -> str:
    """The difference in words, without the name that stands before it anyway."""
    return str(difference).removeprefix(f"{difference.name.replace('_', ' ')}: ")


def refuse_unlike(found: Sequence[Unlike], allow: Collection[str]) -> None:
    """Raise unless all that differs is allowed.

    Agent and memory system are found together, where both differ: with one of them allowed, the other one is compared.

    Raises:
        UnlikeExperiments: something differs that may not.
    """
    allowed = {*allow, *(_COMPONENTS if _COMPONENTS & {*allow} else ())}
    left = [difference for difference in found if difference.name not in allowed]
    if left:
        raise UnlikeExperiments(left)


def check_allowances(allow: Collection[str]) -> None:
    """Raise unless every name is one of ``ALLOWABLE``.

    Raises:
        ResultsError: a name is not.
    """
    for name in allow:
        if name not in ALLOWABLE:
            near = nearest(name, ALLOWABLE)
            hint = f"; did you mean {near!r}?" if near else "."
            raise ResultsError(f"nothing that may differ is called {name!r}{hint} There are: {', '.join(ALLOWABLE)}")


def visible(text: str) -> str:
    """``text`` on one line, with a sign in the place of characters that are invisible or steer terminals."""
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in " ".join(text.split()))


def _shortened(value: str, other: str) -> str:
    """``value`` on one line; of a long one, what is around the first character in which it differs from ``other``."""
    line, beside = visible(value), visible(other)
    if len(line) <= _LONGEST_VALUE:
        return line
    same = next((at for at, pair in enumerate(zip(line, beside, strict=False)) if pair[0] != pair[1]), len(beside))
    start = max(0, min(same - _LONGEST_VALUE // 3, len(line) - _LONGEST_VALUE))
    cut = line[start : start + _LONGEST_VALUE]
    return f"{'... ' if start else ''}{cut}{' ...' if start + _LONGEST_VALUE < len(line) else ''}"
