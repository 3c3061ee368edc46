"""What the registry knows about one downloadable dataset."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

_Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
_Url = Annotated[str, StringConstraints(pattern=r"^https?://\S+$")]
_Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
_Md5 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")]

Pin = Literal["sha256", "md5", "first use"]
"""By what a file's content is known; ``first use``: by the sha256 of what was downloaded first."""


class _Fact(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Licence(_Fact):
    """Under which terms a dataset may be used.

    Attributes:
        name: e.g. "CC BY-NC 4.0"; "unknown" where the data's authors name none.
        url: its full text, or where the authors say what they allow.
        terms: one sentence in plain words.
        commercial_use: whether commercial use is allowed; None where nobody says.
        needs_acceptance: whether it must be accepted before the download; not for open licences, which bind by use.
    """

    name: _Text
    url: _Url
    terms: _Text
    commercial_use: bool | None
    needs_acceptance: bool = True

    @property
    def commercial_words(self) -> str:
        """``allowed``, ``not allowed`` or ``not stated``."""
        return {True: "allowed", False: "not allowed", None: "not stated"}[self.commercial_use]


class DatasetFile(_Fact):
    """One file of a dataset, pinned by its content.

    A file without a known sha256 is checked against the md5 that its source publishes, if it does; the sha256 of what
    was downloaded first is recorded beside it and enforced from then on.

    Attributes:
        url: where it is downloaded from.
        filename: its name in the cache.
        sha256: of the whole file, 64 lower-case hex digits; None where it is not known.
        md5: as its source publishes it, 32 lower-case hex digits; None where it publishes none.
        size: in bytes; None where it is not known.
    """

    url: _Url
    filename: _Text
    sha256: _Sha256 | None = None
    md5: _Md5 | None = None
    size: Annotated[int, Field(gt=0)] | None = None

    @property
    def pin(self) -> Pin:
        """By what its content is known."""
        if self.sha256:
            return "sha256"
        return "md5" if self.md5 else "first use"

    @property
    def checksum(self) -> str | None:
        """``sha256:<hex>`` or ``md5:<hex>``; None where none is registered."""
        if self.sha256:
            return f"sha256:{self.sha256}"
        return f"md5:{self.md5}" if self.md5 else None

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
    def size(self) -> int | None:
        """Bytes of all files; None where one is not known."""
        sizes = [file.size for file in self.files]
        return None if None in sizes else sum(size for size in sizes if size)
