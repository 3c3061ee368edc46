"""What the registry knows about one downloadable dataset."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

_Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
_Url = Annotated[str, StringConstraints(pattern=r"^https?://\S+$")]
_Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


class _Fact(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Licence(_Fact):
    """Under which terms a dataset may be used.

    Attributes:
        name: e.g. "CC BY-NC 4.0".
        url: its full text.
        terms: one sentence in plain words.
        commercial_use: whether commercial use is allowed.
    """

    name: _Text
    url: _Url
    terms: _Text
    commercial_use: bool


class DatasetFile(_Fact):
    """One file of a dataset, pinned by its content.

    Attributes:
        url: where it is downloaded from.
        filename: its name in the cache.
        sha256: of the whole file, 64 lower-case hex digits.
        size: in bytes.
    """

    url: _Url
    filename: _Text
    sha256: _Sha256
    size: Annotated[int, Field(gt=0)]

    @model_validator(mode="after")
    def _filename_is_a_name(self) -> Self:
        if PurePosixPath(self.filename).name != self.filename or "\\" in self.filename or self.filename == "..":
            raise ValueError(f"filename must be a file name, not a path: {self.filename!r}")
        return self


class DatasetEntry(_Fact):
    """One dataset.

    Attributes:
        name: how it is asked for, also its folder in the cache.
        title: its full name.
        files: at least one.
        licence: under which terms.
        homepage: where its authors describe it.
        citation: how to cite it.
        notes: what a user should know before using it.
    """

    name: Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_]*$")]
    title: _Text
    files: Annotated[tuple[DatasetFile, ...], Field(min_length=1)]
    licence: Licence
    homepage: _Url
    citation: _Text
    notes: str = ""

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(file.size for file in self.files)
