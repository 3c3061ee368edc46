"""Policies that come as a family: which member judges a question depends on the question."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

_LONGMEMEVAL = {
    "single-session-user": "longmemeval_recall",
    "single-session-assistant": "longmemeval_recall",
    "multi-session": "longmemeval_recall",
    "temporal-reasoning": "longmemeval_temporal",
    "knowledge-update": "longmemeval_update",
    "single-session-preference": "longmemeval_preference",
}
_STALE = {"dim1": "stale_resolution", "dim2": "stale_premise", "dim3": "stale_adaptation"}
ABSTENTION_SUFFIX = "_abs"


@dataclass(frozen=True, slots=True)
class Family:
    """A family. ``needs`` are the facts about a question that ``choose`` decides by."""

    members: tuple[str, ...]
    needs: tuple[str, ...]
    choose: Callable[[Mapping[str, str]], str]


def _longmemeval(facts: Mapping[str, str]) -> str:
    """Abstention is told by the id alone: such a question keeps the type of the question it was made from."""
    if facts["question_id"].endswith(ABSTENTION_SUFFIX):
        return "longmemeval_abstention"
    return _member(_LONGMEMEVAL, facts["question_type"], "question_type")


def _stale(facts: Mapping[str, str]) -> str:
    return _member(_STALE, facts["probe"], "probe")


def _member(members: Mapping[str, str], found: str, fact: str) -> str:
    if found not in members:
        from heta_framework.common.config import nearest

        near = nearest(found, members)
        hint = f"; did you mean {near!r}?" if near else ""
        raise ValueError(f"{fact} must be one of {', '.join(members)}, found {found!r}{hint}")
    return members[found]


FAMILIES: Mapping[str, Family] = {
    "longmemeval": Family(
        (*dict.fromkeys(_LONGMEMEVAL.values()), "longmemeval_abstention"),
        ("question_id", "question_type"),
        _longmemeval,
    ),
    "stale": Family(tuple(_STALE.values()), ("probe",), _stale),
}
"""LongMemEval (arXiv 2410.10813): rules by question type. STALE (arXiv 2605.06527): its three probes."""
