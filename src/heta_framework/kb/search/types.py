"""What is asked of a knowledge base and what it answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from operator import index
from typing import Any

from heta_framework.common.stores.fields import positive, required_text
from heta_framework.common.text.surrogates import replace_surrogates

_MOST_RESULTS = 2**31 - 1  # what every store can count to; no knowledge base holds more


@dataclass(frozen=True)
class QueryRequest:
    """A question to a knowledge base.

    Attributes:
        text: the question; not blank. A lone surrogate becomes the replacement character.
        mode: which engine answers; None where the caller of the engine chose it.
        top_k: how many results at most, at least 1.
        filters: metadata that a result's record must carry, compared with ==; ``document_metadata.year`` is the field
            ``year`` of the caller's own.
        options: settings of the mode, see ``docs/guides/query_modes.md``.
        trace: whether the response says what the engine did.
    """

    text: str
    mode: str | None = None
    top_k: int = 10
    filters: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    trace: bool = False

    def __post_init__(self) -> None:
        _set(self, text=_text("text", self.text), mode=_optional_text("mode", self.mode))
        _set(self, filters=_named("filters", self.filters), options=_named("options", self.options))
        _set(self, top_k=min(index(positive("top_k", self.top_k)), _MOST_RESULTS))


@dataclass(frozen=True)
class QueryResult:
    """One thing that was found.

    Attributes:
        id: of the chunk, entity or relation.
        text: what it says; not blank.
        score: higher is better; scores of different modes are on different scales.
        kind: ``chunk``, ``entity`` or ``relation``.
        source: where it comes from: ``document_id``, ``object_key``, ``chunk_ids`` ...
        metadata: how it was found.
    """

    id: str
    text: str
    score: float | None = None
    kind: str = "chunk"
    source: Mapping[str, Any] = field(default_factory=dict)
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _set(self, id=_text("id", self.id), text=_text("text", self.text), kind=_text("kind", self.kind))
        _set(self, source=dict(self.source), metadata=dict(self.metadata))


@dataclass(frozen=True)
class QueryCitation:
    """What an answer can refer to; ``result_id`` names the result that it quotes."""

    id: str
    result_id: str | None = None
    source: Mapping[str, Any] = field(default_factory=dict)
    text: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _set(self, id=_text("id", self.id), result_id=_optional_text("result_id", self.result_id))
        _set(self, text=_optional_text("text", self.text))
        _set(self, source=dict(self.source), metadata=dict(self.metadata))


@dataclass(frozen=True)
class QueryTraceEvent:
    """One thing that an engine did: a stable word for programs and a sentence for people."""

    stage: str
    message: str
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _set(self, stage=_text("stage", self.stage), message=_text("message", self.message))
        _set(self, metadata=dict(self.metadata))


@dataclass(frozen=True)
class QueryInsight:
    """A statement that the evidence of these ids (at least one, each once) supports."""

    text: str
    evidence_ids: tuple[str, ...]

    def __post_init__(self) -> None:
        _set(self, text=_text("text", self.text), evidence_ids=_evidence_ids(self.evidence_ids))


@dataclass(frozen=True)
class QueryResponse:
    """What an engine answers.

    Attributes:
        results: best first.
        answer: in words; None where none was asked for or none could be given, never blank.
        citations: what the answer may refer to, best first.
        trace: what the engine did; empty unless the request asked for it.
        metadata: how the engine went about it; ``issues`` lists what went otherwise than asked.
    """

    mode: str
    results: tuple[QueryResult, ...] = ()
    answer: str | None = None
    citations: tuple[QueryCitation, ...] = ()
    trace: tuple[QueryTraceEvent, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    insights: tuple[QueryInsight, ...] = ()

    def __post_init__(self) -> None:
        _set(self, mode=_text("mode", self.mode), answer=_optional_text("answer", self.answer))
        _set(self, results=tuple(self.results), citations=tuple(self.citations), trace=tuple(self.trace))
        _set(self, insights=tuple(self.insights), metadata=dict(self.metadata))


def _named(field: str, given: object) -> dict[str, Any]:
    """A copy of values by name."""
    if not isinstance(given, Mapping):
        raise TypeError(f"{field} must be a mapping of names to values, found {type(given).__name__}")
    for name in given:
        if not isinstance(name, str):
            raise TypeError(f"the names in {field} must be strings, found {name!r}")
    return dict(given)


def _set(instance: object, **values: object) -> None:
    """Put normalised values into a frozen dataclass; a response has hundreds of them, so that every call counts."""
    vars(instance).update(values)


def _text(name: str, value: object) -> str:
    if type(value) is str and value.isascii() and (stripped := value.strip()):
        return stripped
    return required_text(name, replace_surrogates(value) if isinstance(value, str) else value)


def _optional_text(name: str, value: object) -> str | None:
    return None if value is None else _text(name, value)


def _evidence_ids(given: Iterable[str]) -> tuple[str, ...]:
    ids = tuple(given)
    if not ids:
        raise ValueError("evidence_ids must not be empty")
    if not all(isinstance(one, str) and one.strip() for one in ids):
        raise ValueError("evidence_ids must not contain empty values")
    stripped = tuple(_text("evidence_ids", one) for one in ids)
    if len(set(stripped)) != len(stripped):
        raise ValueError("evidence_ids must not contain duplicates")
    return stripped
