"""Questions about the memory itself: what is stored, who said it, whether it is gone, what an answer rests on.

A model would answer these from its tools; this reads a few English wordings, so that an agent without a model can be
asked them too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum

from heams.agents.extraction.ranking import Evidence

_ME = r"(?:about|of|on|from) me\b"
_STORE = r"(?:stored?|stor(?:e|ing)|remember(?:ed)?|saved?|keep|kept|know|recorded|on file|hold)"
_MINE = r"(?:which|what) (?:of your )?(?:memories|notes|entries|records|facts)"
_DELETE = r"(?:delete|forget|remove|erase)"
_DELETED = r"(?:gone|deleted|forgotten|removed|erased)"
_TELL = r"(?:tell|say|mention)"
_INFER = r"(?:infer|guess|conclude|assume)"
_PATTERNS = {
    "use": rf"\b{_MINE}\b.*\b(?:us(?:e|ed)|rel(?:y|ied)|base)",
    "deletion": rf"\b(?:asked|told|wanted) you to {_DELETE}\b",
    "inference": rf"\bdid i\b.*\b{_TELL}\b.*\bor (?:did|have) you\b.*\b{_INFER}",
    "inventory": rf"\b(?:everything|all|what)\b.*\b{_STORE}\b.*{_ME}",
}
_COMPILED = {name: re.compile(pattern, re.IGNORECASE | re.DOTALL) for name, pattern in _PATTERNS.items()}
_FRAMES = (
    rf"\bi (?:asked|told|wanted) you to {_DELETE}\b",
    rf"\b(?:is|has) (?:it|that|this) (?:\w+ )?{_DELETED}\b",
    r"\bdo you still (?:have|know|store|remember) (?:it|that|this)\b",
    rf"\bdid i (?:ever )?{_TELL}(?: to)?(?: you)?(?: that)?\b",
    rf"\bor (?:did|have) you (?:\w+ )?{_INFER}\w*\b.*",
)
_FRAME = re.compile("|".join(_FRAMES), re.IGNORECASE | re.DOTALL)


class AboutMemory(StrEnum):
    """What is asked about the memory."""

    USE = "use"
    DELETION = "deletion"
    INFERENCE = "inference"
    INVENTORY = "inventory"


def asks_about_memory(question: str) -> AboutMemory | None:
    """What a question asks about the memory; None for every other question."""
    return next((AboutMemory(name) for name, pattern in _COMPILED.items() if pattern.search(question)), None)


def topic_of(question: str) -> str:
    """What a question about the memory is about, without the words about the memory."""
    return " ".join(_FRAME.sub(" ", question).split()) or question


def listed(texts: Iterable[str]) -> str | None:
    """Entries, one a line; None where there are none."""
    return "\n".join(f"- {' '.join(text.split())}" for text in texts) or None


def whether_gone(evidence: Evidence | None) -> str:
    """Whether something was deleted, going by what is still found of it."""
    return "Yes, it is gone." if evidence is None else f"No, I still have it: {_quoted(evidence)}"


def who_said(evidence: Evidence | None, speaker: str | None, asker: str) -> str | None:
    """Whether the asker told it or it was inferred, going by who is noted as its speaker."""
    if evidence is None:
        return None
    return f"{'You told me' if speaker == asker else 'I inferred it'}: {_quoted(evidence)}"


def _quoted(evidence: Evidence) -> str:
    return " ".join(evidence.sentence.text.split())
