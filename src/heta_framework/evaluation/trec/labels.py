"""The relevance labels of a case: which of its evidence speaks of documents, and how relevant they are."""

from __future__ import annotations

from contextlib import suppress

from heta_framework.evaluation.types.case import BenchmarkCase

__all__ = ["ignored_documents", "labels_of"]

_LARGEST = 2**63 - 1  # trec_eval keeps a label as a C long


def labels_of(case: BenchmarkCase) -> dict[str, int]:
    """The label of each document that the expected evidence names by ``reference_id``.

    The label is the evidence's ``metadata["relevance"]``, cut to a whole number: 1 where there is none or it is no
    number. Zero and negative labels are kept: the document was judged, and is not relevant. Of several labels of one
    document the highest counts.
    """
    labels: dict[str, int] = {}
    for evidence in case.expected.evidence:
        document = evidence.reference_id
        if document is not None:
            level = _level(evidence.metadata.get("relevance", 1))
            labels[document] = max(level, labels.get(document, level))
    return labels


def ignored_documents(case: BenchmarkCase) -> tuple[str, ...]:
    """Documents that are left out of every ranking of this case: ``metadata["ignored_document_ids"]``.

    A benchmark whose questions stand among its documents names them there; finding the question itself is no merit.
    """
    return tuple(case.metadata.get("ignored_document_ids", ()))


def _level(value: object) -> int:
    if type(value) is int:
        return max(-_LARGEST, min(value, _LARGEST))
    with suppress(TypeError, ValueError, OverflowError):
        return _level(int(float(value)))  # type: ignore[arg-type]
    return 1
