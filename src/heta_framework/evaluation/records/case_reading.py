"""A case result from a line of ``cases.jsonl``, its texts filled in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from heta_framework.evaluation.records.entry_file import EntryFile
from heta_framework.evaluation.records.quoting import QUOTES, quoted
from heta_framework.evaluation.types.case_result import EvaluationCaseResult
from heta_framework.evaluation.types.score import EvaluationError, EvaluationScore
from heta_framework.kb.search.types import QueryCitation, QueryInsight, QueryResponse, QueryResult, QueryTraceEvent

_NO_NUMBERS = ("NaN", "Infinity", "-Infinity")


def result_of(row: Mapping[str, Any], entries: EntryFile) -> EvaluationCaseResult:
    """The result that a decoded line holds.

    Raises:
        ReportFileError: an entry that it refers to is missing.
        KeyError, TypeError, ValueError: it is no line of a case.
    """
    response, error = row.get("response"), row.get("error")
    return EvaluationCaseResult(
        case_id=row["case_id"],
        query=row["query"],
        query_mode=row["query_mode"],
        scores=scores_of(row.get("scores", ())),
        response=None if response is None else _response(response, entries),
        latency_ms=row.get("latency_ms"),
        error=None if error is None else EvaluationError(**error),
        metadata=row.get("metadata", {}),
    )


def scores_of(rows: Sequence[Mapping[str, Any]]) -> tuple[EvaluationScore, ...]:
    """The scores of a line, each with the metadata that it shares with an earlier one."""
    return tuple(
        EvaluationScore(row["name"], row["value"], row.get("passed"), score_metadata(rows, row)) for row in rows
    )


def score_metadata(rows: Sequence[Mapping[str, Any]], row: Mapping[str, Any]) -> Mapping[str, Any]:
    """The metadata of one of the scores of a line."""
    earlier = row.get("metadata_of")
    metadata: Mapping[str, Any] = (row if earlier is None else rows[earlier]).get("metadata", {})
    return metadata


def number(value: Any) -> Any:
    """A result's score: a number that is not finite is saved by its name."""
    return float(value) if value in _NO_NUMBERS else value


def _response(row: Mapping[str, Any], entries: EntryFile) -> QueryResponse:
    results = tuple(_result(one, entries) for one in row.get("results", ()))
    citations = row.get("citations", ())
    return QueryResponse(
        mode=row["mode"],
        results=results,
        answer=row.get("answer"),
        citations=quoted(results)
        if citations == QUOTES
        else tuple(_citation(one, results, entries) for one in citations),
        trace=tuple(QueryTraceEvent(**one) for one in row.get("trace", ())),
        metadata=row.get("metadata", {}),
        insights=tuple(QueryInsight(**one) for one in row.get("insights", ())),
    )


def _result(row: Mapping[str, Any], entries: EntryFile) -> QueryResult:
    what = entries.get("result", row["ref"])
    metadata = row.get("metadata", {})
    if "metadata_ref" in row:
        metadata = {**entries.get("metadata", row["metadata_ref"]), **metadata}
    return QueryResult(
        what["id"],
        entries.get("text", what["text_id"]),
        number(row.get("score")),
        what["kind"],
        what["source"],
        metadata,
    )


def _citation(row: Mapping[str, Any], results: Sequence[QueryResult], entries: EntryFile) -> QueryCitation:
    metadata = row.get("metadata", {})
    if "result" in row:
        quote = results[row["result"]]
        return QueryCitation(row["id"], quote.id, quote.source, quote.text, metadata)
    text = entries.get("text", row["text_id"]) if "text_id" in row else None
    return QueryCitation(row["id"], row.get("result_id"), row.get("source", {}), text, metadata)
