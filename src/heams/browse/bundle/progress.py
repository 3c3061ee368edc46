"""What is told while a file is written."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Progress:
    """``pages`` of ``planned`` are written, in ``size`` bytes. More pages may be planned later."""

    pages: int
    planned: int
    size: int

    @property
    def expected_size(self) -> int:
        """How large the file becomes if the other pages are like those so far, in bytes."""
        return round(self.size * self.planned / self.pages) if self.pages else 0
