"""The error of loaders: data that is not in the documented format."""

from pathlib import Path

_LONGEST = 600
"""Characters of a message: what was found may be a whole book."""


class DatasetFormatError(ValueError):
    """A data file does not have the documented format: which file, where in it, what was found, what is expected."""

    def __init__(self, path: Path | str, place: str, message: str) -> None:
        self.path, self.place, self.message = path, _clipped(place), _clipped(message)
        super().__init__(f"{path}: {self.place}: {self.message}" if place else f"{path}: {self.message}")


def _clipped(text: str) -> str:
    """The beginning and the end of a long text."""
    half = _LONGEST // 2
    return text if len(text) <= _LONGEST else f"{text[:half]} ... {text[-half:]}"
