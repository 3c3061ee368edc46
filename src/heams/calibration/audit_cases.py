"""Wrong answers out of LoCoMo's audit: gold answers of the data set that the audit found to be wrong.

Source: see ``heams.benchmarks.locomo.audit``. These are mistakes that people and models really make, and a judge that
knows the corrected answer must reject them. Only clear findings are used: the corrected answer is short and certain,
and neither answer holds the other (else the question was at fault, or the answer incomplete).
"""

import re
from collections.abc import Iterator, Sequence

from heams.benchmarks.locomo.audit import AuditFinding
from heams.calibration.cases import Case
from heams.calibration.near_misses import folded

AUDITED = "audited_gold"
_FACT_IS_WRONG = frozenset({"HALLUCINATION", "TEMPORAL_ERROR", "ATTRIBUTION_ERROR"})


_UNCERTAIN = re.compile(
    r"\b(?:approximately|about|around|irregularly|likely|probably|cannot|could not|not|no|never|unknown|unclear|unnamed"
    r"|unspecified|but)\b",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"\s*\([^)]*\)")
_MOST_WORDS = 12
_BEGINNING = 6  # letters


def audit_cases(findings: Sequence[AuditFinding]) -> Iterator[Case]:
    """A case for each clear finding: the original answer, to be judged by the corrected one."""
    for finding in findings:
        wrong, right = str(finding.golden_answer), _ASIDE.sub("", str(finding.correct_answer)).strip()
        if finding.error_type in _FACT_IS_WRONG and _is_certain(right) and not _one_holds_the_other(wrong, right):
            yield Case(f"{finding.question_id}:{AUDITED}", AUDITED, False, finding.question, (right,), wrong)


def _is_certain(answer: str) -> bool:
    return 0 < len(answer.split()) <= _MOST_WORDS and _UNCERTAIN.search(answer) is None


def _one_holds_the_other(one: str, other: str) -> bool:
    words, others = _content(one), _content(other)
    return words <= others or words >= others


def _content(text: str) -> set[str]:
    """The beginnings of the words that tell something, so that "electrical" and "electricity" are alike."""
    return {word[:_BEGINNING] for word in folded(text).split() if len(word) > 3 or word.isdecimal()}
