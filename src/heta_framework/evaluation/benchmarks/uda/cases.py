"""Questions with what else is known of them, as cases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from heta_framework.common.data_files import DatasetFormatError
from heta_framework.evaluation.benchmarks.uda.extended import Extended, computed_answer, evidence_texts
from heta_framework.evaluation.benchmarks.uda.questions import UdaQuestion
from heta_framework.evaluation.types import BenchmarkCase, BenchmarkEvidence, BenchmarkExpected, BenchmarkManifest
from heta_framework.evaluation.types.raw_keys import segment


class CaseContext(NamedTuple):
    """What all cases of a subset share.

    Attributes:
        ids: the document's id by its name.
        extended: what else is known, by the question's id.
    """

    manifest: BenchmarkManifest
    subset: str
    ids: Mapping[str, str]
    extended: Extended


def as_case(question: UdaQuestion, context: CaseContext) -> BenchmarkCase:
    """The case of a question.

    Raises:
        DatasetFormatError: it cannot be one.
    """
    known = context.extended.get(question.q_uid, {})
    origin = {"doc_name": question.doc_name, "q_uid": question.q_uid}
    computed = computed_answer(known)
    try:
        return BenchmarkCase(
            question.q_uid,
            question.question,
            BenchmarkExpected(
                question.answers,
                tuple(_evidence(question, known, context)),
                question.value if computed is None else computed,
                {"subset": context.subset, **origin, **question.facts},
            ),
            {"subset": context.subset, "doc_name": question.doc_name, **_type_of(question)},
            {**origin, "has_extended_info": bool(known)},
        )
    except ValueError as cause:
        raise DatasetFormatError(question.place, "", str(cause)) from cause


def _type_of(question: UdaQuestion) -> dict[str, str]:
    answer_type = question.facts.get("answer_type")
    return {"answer_type": answer_type} if answer_type else {}


def _evidence(question: UdaQuestion, known: Mapping[str, Any], context: CaseContext) -> Iterator[BenchmarkEvidence]:
    document_id = context.ids[question.doc_name]
    manifest = context.manifest
    folder = f"raw/benchmarks/{segment(manifest.name)}/{segment(manifest.split)}/{segment(document_id)}/"
    if question.passage:
        yield BenchmarkEvidence(document_id, {"source_key_prefix": folder}, question.passage)
    for text, facts in evidence_texts(known):
        yield BenchmarkEvidence(document_id, {"source_key_prefix": folder}, text, facts)
