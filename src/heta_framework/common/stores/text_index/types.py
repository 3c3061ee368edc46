"""What goes into a text index and what comes out of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from heta_framework.common.stores.fields import mapping_copy, positive, required_text

Stemmer = Literal["english", "none"]
StopWords = Literal["none", "english"]


@dataclass(frozen=True)
class TextIndexConfig:
    """How one index analyses text.

    Attributes:
        name: the index's name, not blank.
        stemmer: "english" (Porter's second stemmer, tantivy's `en_stem`) or "none" (lower-cased words).
    """

    name: str
    stemmer: Stemmer = "english"

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", required_text("name", self.name))
        if self.stemmer not in get_args(Stemmer):
            raise ValueError(f"stemmer must be one of: {', '.join(get_args(Stemmer))}; found {self.stemmer!r}")


@dataclass(frozen=True)
class TextIndexRecord:
    """One text to be found; an empty text is kept and never matches.

    Attributes:
        id: not blank, unique in the index; a record with a known id replaces the older one.
        text: any text.
        metadata: JSON-safe values, returned with every hit; filters compare them.
    """

    id: str
    text: str
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "id", required_text("id", self.id))
        object.__setattr__(self, "metadata", mapping_copy(self.metadata))


@dataclass(frozen=True)
class TextQuery:
    """A question to an index: any text, nothing in it is syntax.

    Attributes:
        text: the words to look for; an empty text finds nothing.
        top_k: how many hits at most, at least 1.
        filters: metadata that a hit must carry, compared with ==. None is {}.
    """

    text: str
    top_k: int = 10
    filters: Mapping[str, Any] = None  # type: ignore[assignment]  # given as None, read as a mapping

    def __post_init__(self) -> None:
        positive("top_k", self.top_k)
        object.__setattr__(self, "filters", mapping_copy(self.filters))


@dataclass(frozen=True)
class TextSearchResult:
    """One hit; a higher score is better."""

    id: str
    text: str
    score: float
    metadata: Mapping[str, Any] = field(default_factory=dict)
