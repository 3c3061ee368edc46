"""The audited gold: corrections of LoCoMo's answers and evidence, laid over the data question by question.

Source: dial481, LoCoMo Benchmark Audit (https://github.com/dial481/locomo-audit), file ``errors.json``. Its
``question_id`` is ``locomo_<conversation index>_qa<question index>``, counted from 0 in the published data file.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Annotated, NamedTuple

from pydantic import BaseModel, ConfigDict, StringConstraints, TypeAdapter

from heams.benchmarks.locomo import defects
from heams.benchmarks.locomo.dataset import Answer
from heams.benchmarks.locomo.evidence import read_evidence
from heams.benchmarks.locomo.records import Conversation, Question
from heams.benchmarks.skip import SkipReason
from heta_framework.common.data_files.errors import DatasetFormatError
from heta_framework.common.data_files.reading import checked, parse_json, read_bytes

CITATION_ONLY = "WRONG_CITATION"
"""The ``error_type`` of findings that leave the answer as it is. All others correct it."""

_QUESTION_ID = re.compile(r"locomo_([0-9]{1,9})_qa([0-9]{1,9})")


class AuditFinding(BaseModel):
    """One finding of the audit."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    question_id: Annotated[str, StringConstraints(pattern=f"^{_QUESTION_ID.pattern}$")]
    question: str
    golden_answer: Answer
    error_type: str
    correct_answer: Answer
    correct_evidence: list[str]

    @property
    def indices(self) -> tuple[int, int]:
        """Of the conversation, and of the question in it."""
        conversation, question = _QUESTION_ID.fullmatch(self.question_id).groups()  # type: ignore[union-attr]
        return int(conversation), int(question)


class Audited(NamedTuple):
    """Conversations under the audited gold; ``notes`` are findings that belong to no question."""

    conversations: tuple[Conversation, ...]
    notes: tuple[SkipReason, ...]


_FINDINGS = TypeAdapter(list[AuditFinding])


def load_findings(path: Path, expected_sha256: str | None = None) -> list[AuditFinding]:
    """The findings of an audit file; by default only of the very file that the dataset registry pins.

    Raises:
        DatasetFormatError: the file is another one, or not in the audit's format.
    """
    data = read_bytes(path)
    found, expected = sha256(data).hexdigest(), expected_sha256 or _registered_sha256()
    if found != expected:
        raise DatasetFormatError(
            path,
            "",
            f"found the sha256 {found}; expected {expected} (to use this version, name its sha256 in audit_sha256)",
        )
    return checked(_FINDINGS, parse_json(data, path), path)


def overlay(conversations: Sequence[Conversation], findings: Sequence[AuditFinding], path: Path) -> Audited:
    """Every finding laid over its question, with a note for each change.

    A finding about another question or answer than the data holds is left out and noted.

    Raises:
        DatasetFormatError: no finding fits, so audit and data do not belong together.
    """
    questions = {
        (number, index): question
        for number, conversation in enumerate(conversations)
        for index, question in enumerate(conversation.questions)
    }
    known = [conversation.turn_ids for conversation in conversations]
    if not any(_fits(finding, questions.get(finding.indices)) for finding in findings):
        raise DatasetFormatError(path, "", f"none of its {len(findings)} findings fits the data file")
    strays = []
    for finding in findings:
        question = questions.get(finding.indices)
        if question is None:
            strays.append(_stray(finding))
        else:
            questions[finding.indices] = _corrected(question, finding, known[finding.indices[0]])
    audited = (
        replace(conversation, questions=tuple(questions[number, index] for index in range(len(conversation.questions))))
        for number, conversation in enumerate(conversations)
    )
    return Audited(tuple(audited), tuple(strays))


def _fits(finding: AuditFinding, question: Question | None) -> bool:
    return question is not None and question.text == finding.question and question.answer == str(finding.golden_answer)


def _stray(finding: AuditFinding) -> SkipReason:
    detail = f"the data has no such question; expected {finding.question!r}"
    return defects.note(finding.question_id, defects.AUDIT_OF_UNKNOWN_QUESTION, detail)


def _corrected(question: Question, finding: AuditFinding, known: Collection[str]) -> Question:
    if not _fits(finding, question):
        about = f"{finding.question_id} is about the answer {finding.golden_answer!r} to {finding.question!r}"
        return question.noted(defects.AUDIT_MISMATCH, f"{about}; it is left out")
    return _with_evidence(_with_answer(question, finding), finding, known)


def _with_answer(question: Question, finding: AuditFinding) -> Question:
    answer = str(finding.correct_answer)
    if finding.error_type == CITATION_ONLY or answer == question.answer:
        return question
    detail = f"{finding.error_type}: {question.answer!r} becomes {answer!r}"
    return replace(question, answer=answer).noted(defects.AUDITED_ANSWER, detail)


def _with_evidence(question: Question, finding: AuditFinding, known: Collection[str]) -> Question:
    reading = read_evidence(finding.correct_evidence, known)
    if not reading.ids:
        detail = "the audit names no turn that holds the answer"
        return replace(question, evidence=(), evidence_note=detail).noted(defects.AUDIT_WITHOUT_EVIDENCE, detail)
    mended = replace(question, evidence=reading.ids, evidence_note=reading.losses(defects.LOST_EVIDENCE))
    for rule, detail in reading.findings:
        mended = mended.noted(rule, detail)
    if set(reading.ids) == set(question.evidence):
        return mended
    detail = f"{', '.join(question.evidence) or 'none'} becomes {', '.join(reading.ids)}"
    return mended.noted(defects.AUDITED_EVIDENCE, detail)


def _registered_sha256() -> str | None:
    from heta_framework.common.datasets import find_entry

    return find_entry("locomo_audit").files[0].sha256
