"""What else is known of some questions: ``{doc_name: [{q_uid, answers, evidence | facts, ...}]}``, a JSON file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from heta_framework.common.data_files import DatasetFormatError, parse_json, read_bytes

_FLOAT = "FLOAT SELECTED:"  # before the caption of a table or figure that annotators chose

Extended = Mapping[str, Mapping[str, Any]]


def read_extended(path: Path) -> dict[str, Mapping[str, Any]]:
    """The entries by the id of their question.

    Raises:
        DatasetFormatError: the file is not in the format.
    """
    data = parse_json(read_bytes(path), path)
    if not isinstance(data, dict):
        raise DatasetFormatError(path, "", "found no object; expected one of documents and their questions")
    found: dict[str, Mapping[str, Any]] = {}
    for doc_name, entries in data.items():
        if not isinstance(entries, list) or not all(isinstance(entry, dict) and "q_uid" in entry for entry in entries):
            raise DatasetFormatError(path, f"document {doc_name!r}", "expected a list of objects with a q_uid")
        found.update({str(entry["q_uid"]): entry for entry in entries})
    return found


def computed_answer(entry: Mapping[str, Any]) -> Any:
    """The result of the calculation that answers a question; None where there is none."""
    answers = entry.get("answers")
    return answers.get("exe_answer") if isinstance(answers, Mapping) else None


def evidence_texts(entry: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """(text, what is known of it) of each piece of evidence, each text once.

    Annotators' sentences for papers (a caption where they chose a table or figure), described rows and sentences for
    financial reports, highlighted cells for tables of Wikipedia.
    """
    seen: set[str] = set()
    for text, known in _texts(entry):
        plain = text.removeprefix(_FLOAT).strip()
        if plain and plain not in seen:
            seen.add(plain)
            yield plain, known


def _texts(entry: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    evidence = entry.get("evidence")
    if isinstance(evidence, list):
        yield from _annotated(evidence)
    elif isinstance(evidence, Mapping) and "table_array" in evidence:
        yield from _highlighted(evidence)
    elif isinstance(evidence, Mapping):
        yield from ((text, {"part": part}) for part, text in evidence.items() if isinstance(text, str))
    page = {"doc_page_uid": entry["doc_page_uid"]} if "doc_page_uid" in entry else {}
    yield from ((fact, page) for fact in _strings(entry.get("facts")))


def _annotated(evidence: list[Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for annotator, pieces in enumerate(evidence):
        if isinstance(pieces, Mapping):
            chosen = _strings(pieces.get("highlighted_evidence")) or _strings(pieces.get("raw_evidence"))
            yield from ((text, {"annotator": annotator}) for text in chosen)


def _highlighted(evidence: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    table = evidence["table_array"]
    for cell in evidence.get("highlighted_cell_ids") or ():
        try:
            row, column = cell
            text = table[row][column]
        except (TypeError, ValueError, IndexError, KeyError):
            continue
        if isinstance(text, str):
            yield text, {"row_index": row, "column": column}


def _strings(value: object) -> list[str]:
    return [text for text in value if isinstance(text, str)] if isinstance(value, list) else []
