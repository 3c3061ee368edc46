"""The error of a filter that cannot be understood: where in its text, what was found, and what may stand there."""

from collections.abc import Sequence

_SHOWN = 12


class FilterError(ValueError):
    """A filter that cannot be understood.

    ``start`` and ``end`` are the place in the text, in characters from 0 (``end`` is excluded and may equal ``start``),
    so that a page can underline it. ``problem`` says what is wrong, ``found`` is what stands there, ``allowed`` names
    what may stand there (empty where that is not a list), ``nearest`` is the allowed name that was probably meant.
    """

    def __init__(
        self,
        problem: str,
        start: int,
        end: int,
        *,
        found: str = "",
        allowed: Sequence[str] = (),
        nearest: str | None = None,
    ) -> None:
        self.problem = problem
        self.start = start
        self.end = end
        self.found = found
        self.allowed = tuple(allowed)
        self.nearest = nearest
        super().__init__(self._message())

    def _message(self) -> str:
        parts = [f"{self.problem} (at character {self.start + 1})"]
        if self.nearest is not None:
            parts.append(f"did you mean '{self.nearest}'?")
        if self.allowed:
            more = len(self.allowed) - _SHOWN
            names = ", ".join(self.allowed[:_SHOWN]) + (f" and {more} more" if more > 0 else "")
            parts.append(f"allowed: {names}")
        return "; ".join(parts)
