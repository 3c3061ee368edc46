"""A question of a benchmark, what is expected of its answer, and which cases are run on which documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from heta_framework.common.stores.fields import required_text
from heta_framework.common.text.surrogates import replace_surrogates
from heta_framework.evaluation.types.fields import mapping, optional_text, put, texts
from heta_framework.evaluation.types.json_safe import json_safe


@dataclass(frozen=True)
class BenchmarkEvidence:
    """A label of what should be found; at least one of the first three is set.

    Attributes:
        reference_id: an id that a result carries, e.g. the document's.
        locator: where it is: ``document_id``, ``source_key``, ``page_index``, ``chunk_id``, ...
        text: what it says.
        metadata: e.g. ``relevance``, a graded label.
    """

    reference_id: str | None = None
    locator: Mapping[str, Any] = field(default_factory=dict)
    text: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        put(
            self,
            reference_id=optional_text("reference_id", self.reference_id),
            text=None if self.text is None else required_text("text", replace_surrogates(self.text)),
            locator=mapping("locator", self.locator),
            metadata=mapping("metadata", self.metadata),
        )
        if self.reference_id is None and self.text is None and not self.locator:
            raise ValueError("evidence must set at least one of reference_id, locator, or text; found none of them")

    def to_dict(self) -> dict[str, Any]:
        """The fields, JSON-safe."""
        return {
            "reference_id": self.reference_id,
            "locator": json_safe(self.locator),
            "text": self.text,
            "metadata": json_safe(self.metadata),
        }


@dataclass(frozen=True)
class BenchmarkExpected:
    """What a good response holds.

    Attributes:
        answers: each of them is right.
        evidence: what should be found.
        value: for what is no text: a number, a table, ...
    """

    answers: tuple[str, ...] = ()
    evidence: tuple[BenchmarkEvidence, ...] = ()
    value: Any | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        put(
            self,
            answers=texts("answers", self.answers),
            evidence=tuple(self.evidence),
            metadata=mapping("metadata", self.metadata),
        )

    def to_dict(self) -> dict[str, Any]:
        """The fields, JSON-safe."""
        return {
            "answers": list(self.answers),
            "evidence": [one.to_dict() for one in self.evidence],
            "value": json_safe(self.value),
            "metadata": json_safe(self.metadata),
        }


@dataclass(frozen=True)
class BenchmarkCase:
    """One question.

    Attributes:
        case_id: unique in the benchmark.
        query: what is asked; a lone surrogate becomes the replacement character.
        labels: what results can be grouped by.
    """

    case_id: str
    query: str
    expected: BenchmarkExpected = field(default_factory=BenchmarkExpected)
    labels: Mapping[str, Any] = field(default_factory=dict)
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        query = replace_surrogates(self.query) if isinstance(self.query, str) else self.query
        put(
            self,
            case_id=required_text("case_id", self.case_id),
            query=required_text("query", query),
            labels=mapping("labels", self.labels),
            metadata=mapping("metadata", self.metadata),
        )

    def to_dict(self) -> dict[str, Any]:
        """The fields, JSON-safe."""
        return {
            "case_id": self.case_id,
            "query": self.query,
            "expected": self.expected.to_dict(),
            "labels": json_safe(self.labels),
            "metadata": json_safe(self.metadata),
        }


@dataclass(frozen=True)
class BenchmarkRunUnit:
    """Which documents make one knowledge base, and which cases ask it; no ids are all of them."""

    unit_id: str
    document_ids: tuple[str, ...] = ()
    case_ids: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        put(self, unit_id=required_text("unit_id", self.unit_id))
        put(self, document_ids=texts("document_ids", self.document_ids), case_ids=texts("case_ids", self.case_ids))
        put(self, metadata=mapping("metadata", self.metadata))

    @property
    def is_corpus_level(self) -> bool:
        """Whether it is all documents and all cases."""
        return not self.document_ids and not self.case_ids

    def to_dict(self) -> dict[str, Any]:
        """The fields, JSON-safe."""
        return {
            "unit_id": self.unit_id,
            "document_ids": list(self.document_ids),
            "case_ids": list(self.case_ids),
            "metadata": json_safe(self.metadata),
        }
