"""The error of loaders: data that is not in the documented format."""

from pathlib import Path


class DatasetFormatError(ValueError):
    """A data file does not have the documented format: which file, where in it, what was found, what is expected."""

    def __init__(self, path: Path | str, place: str, message: str) -> None:
        self.path, self.place, self.message = path, place, message
        super().__init__(f"{path}: {place}: {message}" if place else f"{path}: {message}")
