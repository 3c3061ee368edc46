"""Evidence labels: which turns hold the answer, read from labels that are not always well formed."""

import re
from collections.abc import Collection, Iterator, Sequence

from heams.benchmarks.evidence_labels import EvidenceReading, Finding
from heams.benchmarks.locomo import defects

_TURN = re.compile(r"D:?([0-9]{1,9}):([0-9]{1,9})(?![0-9])")
_PADDED = re.compile(r"D[0-9]+:[0-9]+")


def turn_ids(label: str) -> tuple[str, ...]:
    """Every turn that a label names, written as ``D<session>:<turn>`` without leading zeros."""
    return tuple(f"D{int(session)}:{int(turn)}" for session, turn in _TURN.findall(label))


def canonical_turn_id(dia_id: str) -> str | None:
    """The one turn that ``dia_id`` names; None when it is no turn id."""
    return turn_ids(dia_id)[0] if _TURN.fullmatch(dia_id) else None


def read_evidence(labels: Sequence[str], known: Collection[str]) -> EvidenceReading:
    """The labelled turns that exist. ``known`` are the ids of all turns of the conversation."""
    if not labels:
        return EvidenceReading((), (Finding(defects.EMPTY_EVIDENCE, "the question has no evidence label"),))
    findings = [finding for label in labels for finding in _findings_of(label)]
    named = [turn for label in labels for turn in turn_ids(label)]
    unresolved = dict.fromkeys(turn for turn in named if turn not in known)
    findings += [Finding(defects.UNRESOLVED_EVIDENCE, f"no turn {turn} in the conversation") for turn in unresolved]
    repeated = dict.fromkeys(turn for position, turn in enumerate(named) if turn in named[:position])
    findings += [Finding(defects.REPEATED_EVIDENCE, f"{turn} is labelled more than once") for turn in repeated]
    return EvidenceReading(tuple(turn for turn in dict.fromkeys(named) if turn in known), tuple(findings))


def _findings_of(label: str) -> Iterator[Finding]:
    turns = turn_ids(label)
    if not turns:
        yield Finding(defects.UNREADABLE_EVIDENCE, f"{label!r} names no turn")
    elif turns != (label,):
        rule = defects.ZERO_PADDED_EVIDENCE if _PADDED.fullmatch(label) else defects.MALFORMED_EVIDENCE
        yield Finding(rule, f"{label!r} is read as {', '.join(turns)}")
