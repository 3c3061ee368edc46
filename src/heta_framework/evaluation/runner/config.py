"""How a benchmark is run: what is asked for, how much at once, and what happens when something fails."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from numbers import Real
from typing import Any, Literal

from heta_framework.common.stores.fields import positive, required_text
from heta_framework.evaluation.types.fields import chosen, mapping, put

OnBuildError = Literal["raise", "record"]

LARGEST_DOCUMENT = 256 << 20
"""Bytes of a document unless the caller says otherwise."""


@dataclass(frozen=True)
class BenchmarkRunConfig:
    """The settings of a run; the defaults are what a small benchmark on one machine wants.

    Attributes:
        top_k: how many results each query asks for, at least; an evaluator that looks at more raises it, and the
            report's ``metadata["top_k"]`` says so.
        query_options: given to every query, see the guide on query modes.
        trace: whether responses say what the engine did.
        persist_report: False keeps the report in memory; then nothing survives the process and nothing is resumed.
        max_concurrent_queries: of all units together.
        report_id: names the report; a run of the same id goes on where the last one stopped. None for a new one.
        metadata: the caller's own, saved with the report.
        query_timeout_s: seconds that one attempt at a query may take; an evaluator gets as many for a response.
        retries: further attempts at a query that failed for a reason that may pass.
        max_concurrent_units: knowledge bases that are built and asked side by side.
        on_build_error: ``raise``, or ``record``: the cases of a unit whose build failed count as failed.
        discard_knowledge_bases: delete each knowledge base when its cases are done; the result still names them.
        max_document_bytes: a larger document is refused.
        over_fetch_rounds: how often a query is asked again for more results while evaluators that count documents
            have too few; 0 asks once.
    """

    top_k: int = 10
    query_options: Mapping[str, Any] = field(default_factory=dict)
    trace: bool = False
    persist_report: bool = True
    max_concurrent_queries: int = 8
    report_id: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    query_timeout_s: float = 600.0
    retries: int = 2
    max_concurrent_units: int = 2
    on_build_error: OnBuildError = "raise"
    discard_knowledge_bases: bool = False
    max_document_bytes: int = LARGEST_DOCUMENT
    over_fetch_rounds: int = 3

    def __post_init__(self) -> None:
        for name in ("top_k", "max_concurrent_queries", "max_concurrent_units", "max_document_bytes"):
            positive(name, getattr(self, name))
        for name in ("retries", "over_fetch_rounds"):
            _not_negative(name, getattr(self, name))
        for name in ("trace", "persist_report", "discard_knowledge_bases"):
            _switch(name, getattr(self, name))
        if isinstance(self.query_timeout_s, bool) or not isinstance(self.query_timeout_s, Real):
            raise TypeError(f"query_timeout_s must be a number of seconds, found {self.query_timeout_s!r}")
        if not 0 < self.query_timeout_s < math.inf:
            raise ValueError(f"query_timeout_s must be greater than zero and finite, found {self.query_timeout_s}")
        chosen("on_build_error", self.on_build_error, ("raise", "record"))
        put(self, report_id=None if self.report_id is None else required_text("report_id", self.report_id))
        put(
            self,
            query_options=mapping("query_options", self.query_options),
            metadata=mapping("metadata", self.metadata),
        )


def _not_negative(name: str, value: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name} must be a whole number, found {type(value).__name__}")
    if value < 0:
        raise ValueError(f"{name} must not be negative, found {value}")


def _switch(name: str, value: object) -> None:
    if not isinstance(value, bool):
        raise TypeError(f"{name} must be True or False, found {value!r}")
